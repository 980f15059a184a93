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

describe("what is read again for each policy that has a function", () => {
  const right = [hostedCluster(), hosts(...complete)];
  /** Those that judge every stack, whatever is in it. */
  const always = ["topology", "exemptions", "not-judged", "unknown-values"];

  it("is read by policies that have something to say, and by no other one", async () => {
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

  it("a resource is shown to rules that can judge some kind met up to then, and once to each for its settings", async () => {
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

  it("settings that do not exist are refused in a stack where the rule finds nothing", async () => {
    const config = { "port-missing": { enforcmentLevel: "advisory" } };
    const { reports } = await run(right, { config });
    expect(reports.map(({ policy }) => policy)).toEqual(["port-missing"]);
    expect(reports[0]?.message).toContain("port-missing.enforcmentLevel");
  });

  it("a rule that fails does so in its function, where the library says which one it was", async () => {
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

  it("every policy reads what it judges where the one that is asked first is configured off", async () => {
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

describe("filters that stand outside all rules", () => {
  const native = resource("aws-native:ec2:SecurityGroup", "native", {});

  it("are named beside a hosted cluster of the stack or of the configuration, and stop nothing", async () => {
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

  it("pass in silence where there is no hosted cluster, or where the policy is configured off", async () => {
    const environment = { HYPERSHIFT_NETWORK_CONFIG: configuration("hostedClusters: []") };
    const stray = resource(TYPE.securityGroup, "stray", { ingress: [] });
    expect((await run([native, stray], { environment })).reports).toEqual([]);
    const config = { "not-judged": { enforcementLevel: "disabled" } };
    expect((await run([hostedCluster(), native], { config })).of("not-judged")).toEqual([]);
  });
});

describe("reading what the engine hands over", () => {
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

describe("a property that is nested deeply", () => {
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

  it.each([500, 5_000])("of %s levels more ends the policy with resource, limit and way out", (levels) => {
    expect(() => remember(levels)).toThrow(
      "home: a property is nested more than 500 levels deep: write it flatter",
    );
  });
});

describe("what the engine is told of a policy", () => {
  const all = policies(new Session("")) as Policy[];
  const ofRules = all.filter(({ tags: words = [] }) => words.length > 0);

  it("severity, steps of the way out, tags and a link, each of every rule", () => {
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

  it("no policy mends anything where nothing is configured", () => {
    expect(all.filter(({ enforcementLevel }) => enforcementLevel === "remediate")).toEqual([]);
    expect(all.filter(({ remediateResource }) => remediateResource).map(({ name }) => name)).toEqual([
      "cidr-invalid",
    ]);
  });
});

test("what others wrote into names, keys and values begins no line, and nothing of it is unseen", async () => {
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
