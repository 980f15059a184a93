import type { ResourceValidationArgs, StackValidationArgs } from "@pulumi/policy";
import { plain } from "../../policy/fromEngine";
import { policies } from "../../policy/policies";
import { Session } from "../../policy/session";
import { UNKNOWN, type PropertyValue } from "../../src/resources/resource";
import { TYPE } from "../../src/resources/resourceTypes";
import { rules } from "../../src/rules";
import { expectSafe, HOSTILE } from "../hostile";
import { hostedCluster, resource, tcp } from "../rules/builders";
import { plantedSecrets, withSecrets } from "../rules/plantedSecrets";
import {
  unknownCheckingProxy,
  SENTINEL,
  type Policy,
  run,
  argsOf,
  configuration,
  complete,
  hosts,
} from "./packs";

describe("the policies", () => {
  const right = [hostedCluster(), hosts(...complete)];
  /** The policies that judge every stack, whatever it contains. */
  const always = ["topology", "exemptions", "not-judged", "unknown-values"];

  it("read the stack only if they have something to report", async () => {
    const { asked } = await run([...right, ...right.map((one) => ({ ...one, name: `${one.name} again` }))]);
    const again = asked.atCreate.filter((one) => one.endsWith("again"));
    expect(again.length).toBeGreaterThan(2);
    expect(again.length).toBeLessThan(35);
    expect(asked.ofStack).toEqual(always);
    const open = await run([hostedCluster(), hosts(...complete, tcp(8091, "0.0.0.0/0"))]);
    expect(open.asked.ofStack).toEqual([
      "topology",
      "port-excess",
      "exemptions",
      "not-judged",
      "unknown-values",
    ]);
  });

  it("read a resource only if they judge a kind seen so far, or once to check their settings", async () => {
    const subnet = (name: string) => resource(TYPE.subnet, name, { cidrBlock: "10.0.0.0/24" });
    const service = resource("kubernetes:core/v1:Service", "web", { spec: { type: "ClusterIP" } });
    const { asked } = await run([subnet("a"), subnet("b"), service, subnet("c")]);
    const to = (name: string) =>
      asked.atCreate.filter((one) => one.endsWith(` ${name}`)).map((one) => one.split(" ")[0]);
    expect(to("a").length).toBeGreaterThan(50);
    expect(to("b")).toEqual(["topology", "cidr-invalid"]);
    expect(to("web")).toContain("service-traffic-policy");
    expect(to("c")).toEqual(to("web"));
  });

  it("reject unknown settings even if the rule finds nothing in the stack", async () => {
    const config = { "port-missing": { enforcmentLevel: "advisory" } };
    const { reports } = await run(right, { config });
    expect(reports.map(({ policy }) => policy)).toEqual(["port-missing"]);
    expect(reports[0]?.message).toContain("port-missing.enforcmentLevel");
  });

  it("pass on the error of a rule in its own function, so that the library can name the rule", async () => {
    const rule = rules.find(({ id }) => id === "port-missing")!;
    const judge = jest.spyOn(rule, "judge").mockImplementation(() => {
      throw new Error("a fault of the rule");
    });
    try {
      const all = policies(new Session("")) as Policy[];
      const policy = (name: string) => all.find((one) => one.name === name)!;
      const args = { resources: [], getConfig: () => ({}) } as unknown as StackValidationArgs;
      await policy("topology").validateStack(args, () => undefined);
      const one = { ...argsOf(hosts()), getConfig: () => ({}) } as unknown as ResourceValidationArgs;
      for (const { validateResource } of [policy("topology"), policy("port-missing")])
        for (const validate of [validateResource ?? []].flat()) await validate(one, () => undefined);
      const { validateStack } = policy("port-missing");
      expect(() => validateStack(args, () => undefined)).toThrow("a fault of the rule");
    } finally {
      judge.mockRestore();
    }
  });

  it("read what they judge themselves if the policy topology is disabled", async () => {
    const config = { topology: { enforcementLevel: "disabled" } };
    const { atCreate, of, asked } = await run(
      [hostedCluster(), hosts(complete[0]!, tcp(8091, "0.0.0.0/0"))],
      {
        config,
      },
    );
    expect(atCreate.length).toBeGreaterThan(0);
    expect(of("port-missing")).toHaveLength(1);
    expect(asked.ofStack.length).toBeGreaterThan(50);
  });
});

describe("filters that no rule checks", () => {
  const native = resource("aws-native:ec2:SecurityGroup", "native", {});

  it("are named next to a hosted cluster of the stack or the configuration, and block nothing", async () => {
    const { levels, of } = await run([
      hostedCluster(),
      native,
      resource(TYPE.securityGroup, "stray", { ingress: [] }),
    ]);
    expect(levels["not-judged"]).toBe("advisory");
    expect(of("not-judged")).toEqual([
      expect.stringMatching(/^filters that are not read: aws-native:ec2:SecurityGroup \(1\)/),
      expect.stringMatching(/^1 security group not checked against the documented ports: none has a role/),
    ]);
    const file = configuration("hostedClusters: [{ name: tenant-a, securityGroups: { workers: [nodes] } }]");
    const environment = { HYPERSHIFT_NETWORK_CONFIG: file };
    const { of: configured } = await run([hosts(...complete)], { environment });
    expect(configured("not-judged").join()).toContain("nodes as workers of tenant-a");
  });

  it("are not named without a hosted cluster, or if the policy is disabled", async () => {
    const environment = { HYPERSHIFT_NETWORK_CONFIG: configuration("hostedClusters: []") };
    const stray = resource(TYPE.securityGroup, "stray", { ingress: [] });
    expect((await run([native, stray], { environment })).reports).toEqual([]);
    const config = { "not-judged": { enforcementLevel: "disabled" } };
    expect((await run([hostedCluster(), native], { config })).of("not-judged")).toEqual([]);
  });
});

describe("reading the values of the engine", () => {
  it("copies everything and puts UNKNOWN where reading throws", () => {
    const wire = unknownCheckingProxy({
      a: SENTINEL,
      b: [1, SENTINEL, { c: SENTINEL, d: "x" }],
      e: null,
      f: true,
    });
    expect(plain(wire)).toEqual({ a: UNKNOWN, b: [1, UNKNOWN, { c: UNKNOWN, d: "x" }], e: null, f: true });
  });
});

describe("a deeply nested property", () => {
  const nested = (levels: number) => {
    let value: PropertyValue = "inside";
    for (let level = 0; level < levels; level++) value = { a: value };
    return value;
  };
  const remember = (levels: number) =>
    new Session("").remember("port-public", {
      urn: "urn:pulumi:dev::network::aws:ec2/vpc:Vpc::home",
      type: TYPE.vpc,
      name: "home",
      props: { tags: nested(levels) },
      opts: {},
    } as unknown as ResourceValidationArgs);

  it("is read up to the limit", () => {
    expect(remember(499).name).toBe("home");
  });

  it.each([500, 5_000])("of %s levels makes the policy fail with resource, limit and fix", (levels) => {
    expect(() => remember(levels)).toThrow(
      "home: a property is nested more than 500 levels deep: write it flatter",
    );
  });
});

describe("the metadata of the policies", () => {
  const all = policies(new Session("")) as Policy[];
  const ofRules = all.filter(({ tags: words = [] }) => words.length > 0);

  it("has severity, remediation steps, tags and a description for every rule, and links for many", () => {
    expect(ofRules.length).toBeGreaterThan(50);
    for (const {
      severity,
      enforcementLevel,
      remediationSteps,
      tags: words = [],
      description,
      url,
    } of ofRules) {
      expect(["high", "medium", "low"]).toContain(severity);
      expect(severity === "high").toBe(enforcementLevel === "mandatory");
      expect(remediationSteps).toMatch(/^[A-Z].*\. /);
      expect(words[0]).toBe("hypershift-network");
      expect(description).not.toBe("");
      if (url !== undefined)
        expect(url).toMatch(/^https:\/\/github\.com\/[\w-]+\/[\w-]+\/tree\/[0-9a-f]{40}/);
    }
    expect(ofRules.filter(({ url }) => url !== undefined).length).toBeGreaterThan(20);
  });

  it("has no remediation by default", () => {
    expect(all.filter(({ enforcementLevel }) => enforcementLevel === "remediate")).toEqual([]);
    expect(all.filter(({ remediateResource }) => remediateResource).map(({ name }) => name)).toEqual([
      "cidr-invalid",
    ]);
  });
});

test("messages show hostile names, keys and values safely", async () => {
  const { resources, values } = plantedSecrets();
  const bad = (text: unknown) => (typeof text === "string" ? text + HOSTILE : text);
  const planted = resources.map(({ type, name, properties }) => {
    const written = withSecrets(properties, (at) => bad(values[at])) as Record<string, PropertyValue>;
    return resource(type, `${name}${HOSTILE}`, { ...written, [`key${HOSTILE}`]: HOSTILE });
  });
  const file = configuration(
    JSON.stringify({
      hostedClusters: [{ name: "tenant-a" }],
      exemptions: [
        { rule: "cidr-invalid", resource: "*cidr*", reason: `because${HOSTILE}` },
        { rule: "port-public", resource: `gone${HOSTILE}`, reason: `because${HOSTILE}` },
      ],
    }),
  );
  for (const environment of [{ HYPERSHIFT_NETWORK_CONFIG: file }, {}] as Record<string, string>[]) {
    const config = { [`x${HOSTILE}`]: {}, "port-public": { [`y${HOSTILE}`]: 1 } };
    const { reports } = await run([hostedCluster(), ...planted], { environment, config });
    expect(reports.length).toBeGreaterThan(100);
    for (const { message } of reports) expectSafe(message);
  }
});
