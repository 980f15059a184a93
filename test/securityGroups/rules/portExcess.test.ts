import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { standIn } from "../../examples/standIn";
import { requirements } from "../../../src/requirements/requirements";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { TYPE } from "../../../src/resources/resourceTypes";
import { bootstrapPortOpen, portExcess } from "../../../src/securityGroups/rules/portExcess";
import { portMissing } from "../../../src/securityGroups/rules/portMissing";
import {
  COMPONENT,
  group,
  hostedCluster,
  resource,
  services,
  tags,
  tcp,
  unknowns,
  urnOf,
  violations,
  type Properties,
} from "../../rules/builders";
import type { Configuration } from "../../../src/gate/configuration";

const cluster = hostedCluster();
const complete = [tcp(6443, "10.0.0.0/16"), tcp(443, "10.0.0.0/16")];
const configuredWith = (topology: object): Configuration => ({
  clusters: [
    {
      path: "hostedClusters[0]",
      topology: { name: "tenant-a", namespace: "clusters", ...topology },
      securityGroups: {},
    },
  ],
  levels: {},
});
const excess = (ingress: Properties[], more: Properties = {}) =>
  violations(portExcess, [cluster, group("hosts", ingress, more)]);

describe("port-excess", () => {
  it("accepts rules that open only documented flows, to all or some of their sources", () => {
    expect(excess([...complete, tcp(443, "10.0.7.0/24")])).toEqual([]);
  });

  it("names the rule, its excess, an example packet and the narrowed rule", () => {
    const users = configuredWith({
      externalClientCidrs: ["203.0.113.0/24"],
      managementClusterCidrs: ["10.1.0.0/16"],
    });
    const wide = group("hosts", [...complete, { ...tcp(6443, "10.0.0.0/8"), toPort: 6444 }]);
    const found = violations(portExcess, [cluster, wide], users);
    expect(found).toMatchObject([
      {
        path: "ingress[2]",
        message: expect.stringContaining(
          "lets TCP 6443 from 10.0.0.0/8 except 10.0.0.0/15; TCP 6444 from 10.0.0.0/8 reach control-plane hosts of clusters/tenant-a, which no documented flow needs",
        ) as string,
        witness: "10.2.0.1 -> control-plane hosts, TCP 6443",
        fix: expect.stringMatching(/^narrow it to TCP 6443 from 10\.0\.0\.0\/15; /) as string,
      },
    ]);
  });

  it("proposes to remove a rule that nothing needs", () => {
    const [ssh, ...others] = excess([...complete, tcp(2022, "198.51.100.0/24")]);
    expect(others).toEqual([]);
    expect(ssh).toMatchObject({
      path: "ingress[2]",
      witness: "198.51.100.1 -> control-plane hosts, TCP 2022",
      fix: expect.stringMatching(/^remove the rule; /) as string,
    });
  });

  it("reports open egress in one short finding", () => {
    const open = { protocol: "-1", fromPort: 0, toPort: 0, cidrBlocks: ["0.0.0.0/0"] };
    const [found, ...others] = excess(complete, { egress: [open] });
    expect(others).toEqual([]);
    expect(found?.message).toMatch(
      /^lets control-plane hosts of clusters\/tenant-a send every protocol except ICMP, TCP 22, TCP 53, TCP 443, .* and \d+ more to 0\.0\.0\.0\/0, which/,
    );
    expect(found?.witness).toBe("control-plane hosts -> 203.0.113.1, TCP 1");
    expect(found?.fix).toContain("TCP 443");
  });

  it("accepts optional flows, ports on which documents disagree, and traffic among nodes", () => {
    const hosts = group("hosts", [tcp(9090, "10.0.0.0/16")]);
    expect(violations(portExcess, [cluster, hosts])).toEqual([]);
    const azure = hostedCluster({ platform: { type: "Azure", azure: { topology: "Public" } } });
    expect(violations(portExcess, [azure, group("hosts", [tcp(6443, "10.0.0.0/16")])])).toEqual([]);
    expect(violations(portExcess, [azure, group("hosts", [tcp(6442, "10.0.0.0/16")])])).toHaveLength(1);
    const workers = (ports: number) =>
      violations(portExcess, [
        cluster,
        group("nodes", [tcp(ports, "10.0.0.0/16")], { tags: tags("workers") }),
      ]);
    expect(workers(10250)).toEqual([]);
    expect(workers(10251)).toHaveLength(1);
  });

  it("accepts a port open to the group itself, but not to everybody", () => {
    const own = (cidrs: string[]) =>
      violations(portExcess, [
        cluster,
        group("nodes", [{ ...tcp(10250, ...cidrs), self: cidrs.length === 0 }], { tags: tags("workers") }),
      ]);
    expect(own([])).toEqual([]);
    expect(own(["0.0.0.0/0"])).toHaveLength(1);
  });

  it("accepts rules of controllers, and groups that controllers own", () => {
    const health = { ...tcp(2022, "0.0.0.0/0"), description: "kubernetes.io/rule/nlb/health=a1b2" };
    expect(excess([...complete, health])).toEqual([]);
    expect(excess([...complete, { ...health, description: "by hand" }])).toHaveLength(1);
    const owned = { ...tags(), "kubernetes.io/cluster/tenant-a-x7k2p": "owned" };
    expect(excess([tcp(2022, "0.0.0.0/0")], { tags: owned })).toEqual([]);
    const shared = { ...tags(), "kubernetes.io/cluster/tenant-a-x7k2p": "shared" };
    expect(excess([tcp(2022, "0.0.0.0/0")], { tags: shared })).toHaveLength(1);
  });

  it("does not judge groups without a role", () => {
    expect(excess([tcp(2022, "0.0.0.0/0")], { tags: {} })).toEqual([]);
  });

  it("accepts additional rules of a component, but not other rules in the same group", () => {
    const row = { key: "tcp-2022-10.9.0.0-16", role: "control-plane", direction: "ingress" };
    const component = resource(COMPONENT, "net", {
      topology: { name: "tenant-a", namespace: "clusters" },
      rules: [{ ...row, flows: ["additionalRules.ssh"] }],
    });
    const ruleOf = (name: string): Resource => ({
      ...resource(TYPE.ingressRule, name, {
        securityGroupId: "sg-cp",
        ipProtocol: "tcp",
        fromPort: 2022,
        toPort: 2022,
        cidrIpv4: "10.9.0.0/16",
      }),
      parent: component.origin.urn!,
    });
    const named = (name: string) => violations(portExcess, [cluster, component, ruleOf(name)]);
    expect(named("net-control-plane-ingress-tcp-2022-10.9.0.0-16")).toEqual([]);
    expect(named("net-control-plane-ingress-tcp-2022-10.8.0.0-16")).toHaveLength(1);
  });

  it("reports unknown sources as unknown, and does not judge a cluster of an unknown platform", () => {
    const unsure = group("hosts", [
      { ...tcp(2022), cidrBlocks: UNKNOWN },
      { ...tcp(443, "10.0.0.0/16"), prefixListIds: ["pl-1"] },
    ]);
    expect(violations(portExcess, [cluster, unsure])).toEqual([]);
    expect(unknowns(portExcess, [cluster, unsure]).map(({ path }) => path)).toContain(
      "ingress[0].cidrBlocks",
    );
    const platform = hostedCluster({ platform: { type: UNKNOWN } });
    const found = violations(portExcess, [platform, group("hosts", [tcp(2022, "0.0.0.0/0")])]);
    expect(found).toEqual([]);
  });

  it("is a warning, not an error", () => {
    expect(excess([tcp(2022, "10.0.0.0/16")])[0]?.level).toBe("warning");
  });
});

describe("bootstrap-port-open", () => {
  const pinned = {
    APIServer: "NodePort",
    OAuthServer: "NodePort",
    Konnectivity: "NodePort",
    Ignition: "NodePort",
  };
  const joined = hostedCluster({ platform: { type: "None" }, services: services(pinned) });
  const configured = (bootstrap: PropertyValue) => configuredWith({ bootstrap });
  const found = (bootstrap: PropertyValue, ...rules: Properties[]) =>
    violations(bootstrapPortOpen, [joined, group("hosts", rules)], configured(bootstrap));

  it("reports an ignition port that is open although the nodes have joined", () => {
    expect(found(false, tcp(6443, "10.0.0.0/16"), tcp(8443, "10.0.0.0/16"))).toMatchObject([
      {
        path: "ingress[1]",
        level: "warning",
        message: expect.stringContaining(
          "control-plane hosts of clusters/tenant-a: TCP 8443 from 10.0.0.0/16",
        ) as string,
        witness: "10.0.0.1 -> control-plane hosts, TCP 8443",
        fix: expect.stringContaining("remove TCP 8443 from 10.0.0.0/16 from the rule") as string,
      },
    ]);
  });

  it("uses the requirements of joining nodes", () => {
    const rows = requirements.filter(bootstrapPortOpen.rows!).map(({ id }) => id);
    expect(rows).toContain("cp-in-ign-9090");
    expect(rows).not.toContain("cp-in-kas");
  });

  it("reports nothing while nodes join, or if it is not stated that they have joined", () => {
    expect(found(true, tcp(8443, "10.0.0.0/16"))).toEqual([]);
    expect(violations(bootstrapPortOpen, [joined, group("hosts", [tcp(8443, "10.0.0.0/16")])])).toEqual([]);
  });

  it("does not judge ports that other flows need, and is the only rule that reports ignition ports", () => {
    expect(found(false, tcp(31000, "10.0.0.0/16"))).toEqual([]);
    const stack = [joined, group("hosts", [tcp(8443, "10.0.0.0/16")])];
    expect(violations(portExcess, stack, configured(false))).toEqual([]);
  });

  it("reports unknown sources of such a port and an unknown phase as unknown", () => {
    const unsure = group("hosts", [
      { ...tcp(8443), cidrBlocks: UNKNOWN },
      { ...tcp(22), cidrBlocks: UNKNOWN },
    ]);
    expect(unknowns(bootstrapPortOpen, [joined, unsure], configured(false))).toMatchObject([
      { path: "ingress[0].cidrBlocks" },
    ]);
    const component = resource(COMPONENT, "net", {
      topology: { name: "tenant-a", namespace: "clusters", bootstrap: UNKNOWN },
    });
    const open = group("hosts", [tcp(8443, "10.0.0.0/16")]);
    expect(violations(bootstrapPortOpen, [joined, component, open])).toEqual([]);
    expect(unknowns(bootstrapPortOpen, [joined, component, open])).toMatchObject([
      { path: "topology.bootstrap" },
    ]);
  });
});

/** The resources of each example, from its golden file; the topology of a component is among its inputs. */
describe("the examples", () => {
  /** Declared in the component's rules output; golden files contain no outputs. */
  const caller = (port: number) =>
    `port-excess: lets TCP ${port} from 10.64.0.0/12 reach the private endpoint of clusters/tenant-a, which no documented flow needs`;
  const CALLERS: Record<string, string[]> = {
    "aws-private.json": [caller(443), caller(6443)],
    "landing-zone.json": [caller(443), caller(6443)],
  };
  const folder = join(__dirname, "../../golden/examples");

  it.each(readdirSync(folder))("%s opens nothing beyond the documented flows", (file) => {
    const recorded = JSON.parse(readFileSync(join(folder, file), "utf8")) as Recorded[];
    const resources = recorded.map(asResource);
    const lines = [portExcess, bootstrapPortOpen, portMissing].flatMap((rule) =>
      violations(rule, resources).map(({ rule: id, message }) => `${id}: ${message}`),
    );
    expect(lines).toEqual(file in CALLERS ? CALLERS[file] : []);
  });

  interface Recorded {
    type: string;
    name: string;
    parent?: string;
    inputs: Properties;
  }
  const asResource = ({ type, name, inputs }: Recorded): Resource => ({
    origin: { urn: urnOf(type, name) },
    type,
    name,
    properties: { ...inputs, id: standIn(type, name, inputs).id },
  });
});
