import * as fc from "fast-check";
import { everyFlowKey } from "../../../src/components/hostRules/flowSelection";
import {
  ruleRow,
  type SecurityGroupOptions,
  securityGroupRules,
} from "../../../src/securityGroups/component/securityGroupRules";
import { ruleDescription } from "../../../src/components/hostRules/plannedRule";
import { Direction } from "../../../src/requirements/vocabulary";
import { requiredFlows } from "../../../src/flows/required/requiredFlows";
import { goldenCases } from "./goldenCases";
import { CLIENTS, WORKERS, faultsOf, ingress, topologyOf } from "./ruleTables";

/** The golden cases that have rules: a topology with faults has none. */
const accepted = goldenCases.flatMap(({ name, topology }) => {
  const { faults, rules } = securityGroupRules(topology);
  return faults.length === 0 ? [[name, rules] as const] : [];
});

describe("enabledRules and disabledRules", () => {
  const topology = topologyOf("aws-route");

  it("refuse an unknown key, and name the existing keys", () => {
    const { faults, rules } = securityGroupRules(topology, {
      disabledRules: ["kube-apiserver"],
      enabledRules: ["x"],
    });
    expect(rules).toEqual([]);
    expect(faults.map(({ path, problem }) => `${path} ${problem}`)).toEqual([
      "enabledRules[0] x names no rule of this topology",
      "disabledRules[0] kube-apiserver names no rule of this topology",
    ]);
    expect(faults[1]?.remedy).toContain("control-plane/ingress/kube-apiserver");
  });

  it("refuse a key that changes nothing", () => {
    const options = {
      enabledRules: ["control-plane/ingress/router"],
      disabledRules: ["control-plane/ingress/capi-health"],
    };
    expect(faultsOf(topology, options)).toEqual([
      "enabledRules[0] control-plane/ingress/router names rules that are created by default",
      "disabledRules[0] control-plane/ingress/capi-health names rules that are only created if enabled",
    ]);
  });

  it("accept a key of the bootstrap phase after that phase", () => {
    const options = { disabledRules: ["control-plane/ingress/ignition-server"] };
    expect(faultsOf(topologyOf("agent-nodeport-pinned"), options)).toEqual([]);
    expect(faultsOf(topologyOf("agent-nodeport-pinned-after-bootstrap"), options)).toEqual([]);
  });

  it("refuse a key that no cluster has, but not one of another cluster, if the topology is invalid", () => {
    const wrong = topologyOf("aws-route", { platform: "Foo" as never });
    const options = {
      enabledRules: ["control-plane/ingress/capi-helth"],
      disabledRules: ["control-plane/ingress/konnectivity", "no-such-rule"],
    };
    const { faults } = securityGroupRules(wrong, options);
    expect(faults.slice(1)).toEqual([
      {
        path: "enabledRules[0]",
        problem: "control-plane/ingress/capi-helth names no rule",
        remedy: "did you mean control-plane/ingress/capi-health?",
      },
      {
        path: "disabledRules[1]",
        problem: "no-such-rule names no rule",
        remedy: "use keys that the output `rules` lists as flows",
      },
    ]);
  });

  const every = everyFlowKey(requiredFlows);
  it.each(accepted)("%s: has only keys of the list of all keys", (_, rules) => {
    const keys = rules.flatMap(({ flows }) => flows);
    expect(keys).not.toEqual([]);
    expect(keys.filter((key) => !every.has(key))).toEqual([]);
  });

  it("refuse a value that is not a list", () => {
    const options = { disabledRules: "router" } as unknown as SecurityGroupOptions;
    expect(faultsOf(topology, options)).toEqual(["disabledRules is not a list"]);
  });
});

describe("rules that are identical to AWS become one rule", () => {
  it("nodes and users with the same block share one rule with both purposes and keys", () => {
    const topology = topologyOf("aws-route", { externalClientCidrs: [WORKERS] });
    const rules = securityGroupRules(topology).rules.map(ruleRow);
    const router = rules.filter(({ ports, direction }) => ports === "443" && direction === Direction.Ingress);
    expect(router).toHaveLength(1);
    expect(router[0]).toMatchObject({
      key: "tcp-443-10.0.0.0-16",
      flows: ["control-plane/ingress/router", "control-plane/ingress/router-clients"],
      purpose: expect.stringContaining("; ") as unknown,
    });
  });

  it("a shared rule keeps its name if one of its flows is disabled", () => {
    const topology = topologyOf("aws-route", { externalClientCidrs: [WORKERS] });
    const keys = (options?: SecurityGroupOptions): string[] =>
      securityGroupRules(topology, options).rules.map((rule) => ruleRow(rule).key);
    expect(keys({ disabledRules: ["control-plane/ingress/router"] })).toEqual(keys());
  });

  it.each(accepted)("%s: names are unique", (_, rules) => {
    const names = rules.map(ruleRow).map(({ role, direction, key }) => `${role} ${direction} ${key}`);
    expect(names).not.toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  it("a block that is listed twice creates one rule", () => {
    const twice = topologyOf("aws-route", { externalClientCidrs: [CLIENTS, CLIENTS] });
    expect(ingress(twice)).toEqual(ingress(topologyOf("aws-route")));
  });
});

describe("rule descriptions are valid for AWS", () => {
  const rule = securityGroupRules(topologyOf("aws-route")).rules[0]!;

  it("characters that AWS does not accept are left out", () => {
    expect(ruleDescription({ ...rule, purposes: ["Workers' agents → server “x”, 100 %."] })).toBe(
      "Workers agents server x , 100",
    );
  });

  it("two long purposes are both kept, within 255 characters", () => {
    const text = ruleDescription({ ...rule, purposes: ["a".repeat(300), "b".repeat(300)] });
    expect(text.length).toBeLessThanOrEqual(255);
    expect(text).toMatch(/^a+\.\.\.; b+\.\.\.$/);
  });

  it.each(accepted)("%s", (_, rules) => {
    expect(rules).not.toEqual([]);
    for (const each of rules) {
      expect(ruleDescription(each)).toMatch(/^[a-zA-Z0-9. _\-:/()#,@[\]+=&;{}!$*]{1,255}$/);
    }
  });
});

it("null means the same as a missing option", () => {
  const options = {
    peers: { workers: null, registries: { securityGroupIds: null, prefixLists: null } },
    additionalRules: null,
    enabledRules: null,
    disabledRules: null,
    ruleQuota: null,
    mergeRules: null,
    defaultWorkerRules: null,
  } as unknown as SecurityGroupOptions;
  expect(securityGroupRules(topologyOf("aws-route"), options)).toEqual(
    securityGroupRules(topologyOf("aws-route")),
  );
});

it("every client block is in exactly one rule per port, however often it is listed", () => {
  const block = fc.constantFrom(WORKERS, CLIENTS, "192.0.2.0/24", "2001:db8::/32", "10.1.0.0/16");
  fc.assert(
    fc.property(fc.array(block, { minLength: 1 }), (externalClientCidrs) => {
      const rules = ingress(topologyOf("aws-route", { externalClientCidrs }));
      const expected = new Set(
        [WORKERS, ...externalClientCidrs].flatMap((cidr) => [`TCP 443 ${cidr}`, `TCP 6443 ${cidr}`]),
      );
      expect(rules).toEqual([...expected].sort());
    }),
    { numRuns: 50 },
  );
});
