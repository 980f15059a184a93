import { namesOf } from "../../src/resources/groupRoles";
import { UNKNOWN } from "../../src/resources/resource";
import { ResourceIndex } from "../../src/resources/resourceIndex";
import { TYPE } from "../../src/resources/resourceTypes";
import { securityGroups } from "../../src/resources/securityGroups";
import { Folder, NOT_KNOWN, preview, stackExport, state, step, urn } from "./plans";

let folder: Folder;
beforeEach(() => (folder = new Folder()));
afterEach(() => folder.remove());

const group = (more?: object) => state(TYPE.securityGroup, "hosts", { description: "hosts" }, more);
const rule = (cidrIpv4: unknown, name = "in-443") =>
  state(
    TYPE.ingressRule,
    name,
    { securityGroupId: NOT_KNOWN, cidrIpv4 },
    { propertyDependencies: { securityGroupId: [group().urn], cidrIpv4: null } },
  );

async function resources(text: string, options = {}) {
  folder.write("plan.json", text);
  const inputs = await folder.read(["plan.json"], options);
  expect(inputs.faults).toEqual([]);
  return inputs.resources;
}

describe("pulumi preview --json", () => {
  it("M22 keeps what will be there: no deletes, and of a replacement the new side", async () => {
    const kept = await resources(
      preview([
        step("create", group()),
        step("delete", undefined, rule("10.0.0.0/8", "gone")),
        step("create-replacement", rule("10.1.0.0/16"), rule("10.0.0.0/16")),
        step("replace", rule("10.1.0.0/16"), rule("10.0.0.0/16")),
        step("delete-replaced", undefined, rule("10.0.0.0/16")),
      ]),
    );
    expect(kept.map(({ name, properties }) => [name, properties.cidrIpv4])).toEqual([
      ["hosts", undefined],
      ["in-443", "10.1.0.0/16"],
    ]);
  });

  it.each([
    "kubernetes:hypershift.openshift.io/v1beta1:HostedCluster",
    "kubernetes:operator.openshift.io/v1:Network",
    "kubernetes:config.openshift.io/v1:Network",
    "kubernetes:k8s.ovn.org/v1:UserDefinedNetwork",
  ])(
    "keeps the state before a change of what has immutable fields, and of nothing else: %s",
    async (type) => {
      const cluster = (issuerURL: string) => state(type, "tenant-a", { spec: { issuerURL } });
      const [changed, other] = await resources(
        preview([
          step("update", cluster("https://b"), cluster("https://a")),
          step("update", rule("10.1.0.0/16"), rule("10.0.0.0/16")),
        ]),
      );
      expect(changed?.before?.inputs).toEqual({ spec: { issuerURL: "https://a" } });
      expect(other).not.toHaveProperty("before");
    },
  );

  it("counts what a provider read back as that of the resources that write it, which a plan may take away", async () => {
    const read = { protocol: "tcp", fromPort: 443, toPort: 443, cidrBlocks: ["10.0.0.0/16", "10.1.0.0/16"] };
    const there = (inputs: object = {}) =>
      state(TYPE.securityGroup, "hosts", inputs, { id: "sg-1", outputs: { id: "sg-1", ingress: [read] } });
    const one = (cidrIpv4: string, more: object = {}) =>
      state(
        TYPE.ingressRule,
        "in-443",
        { securityGroupId: "sg-1", ipProtocol: "tcp", fromPort: 443, toPort: 443, cidrIpv4 },
        { id: "sgr-1", ...more },
      );
    const blocks = async (...steps: ReturnType<typeof step>[]) => {
      const [found] = await resources(preview(steps));
      const list = found?.properties.ingress as { cidrBlocks: unknown }[] | undefined;
      return list?.[0]?.cidrBlocks;
    };
    const [old, other] = [one("10.0.0.0/16"), one("10.9.0.0/16")];
    expect(await blocks(step("same", there()), step("same", old, old))).toEqual([null, "10.1.0.0/16"]);
    expect(await blocks(step("same", there()), step("delete", undefined, old))).toEqual([
      null,
      "10.1.0.0/16",
    ]);
    expect(await blocks(step("same", there()), step("update", other, old))).toEqual([null, "10.1.0.0/16"]);
    expect(
      await blocks(
        step("same", there()),
        step("create-replacement", other, old),
        step("replace", other, old),
        step("delete-replaced", undefined, old),
      ),
    ).toEqual([null, "10.1.0.0/16"]);
    const retained = one("10.0.0.0/16", { retainOnDelete: true });
    expect(await blocks(step("same", there()), step("delete", undefined, retained))).toEqual([
      null,
      "10.1.0.0/16",
    ]);
    expect(await blocks(step("same", there({ ingress: [read] })), step("same", old, old))).toEqual(
      read.cidrBlocks,
    );
  });

  describe("what the cloud keeps of what a preview deletes", () => {
    const id = "sgr-1";
    const there = (name: string, more: object = {}) => ({ ...rule("0.0.0.0/0", name), id, ...more });
    const retained = (name: string, more: object = {}) => there(name, { retainOnDelete: true, ...more });
    const left = async (...steps: ReturnType<typeof step>[]) =>
      (await resources(preview(steps))).map(({ name, isRead }) => (isRead ? `${name}, let go` : name));
    const component = state("my:network:Groups", "groups", {}, { custom: false });
    const part = (type: string, name: string, vpcId: string) => state(type, name, {}, { outputs: { vpcId } });
    const outer = state("my:network:Network", "network", {}, { custom: false });

    test.each<[string, ReturnType<typeof step>[], string[]]>([
      ["stands", [step("delete", undefined, retained("old"))], ["old, let go"]],
      [
        "not where it is not retained",
        [step("delete", undefined, there("old", { retainOnDelete: false }))],
        [],
      ],
      [
        "is set together with what takes its place",
        [
          step("create-replacement", rule("10.0.0.0/8", "in"), retained("in")),
          step("replace", rule("10.0.0.0/8", "in"), retained("in")),
          step("delete-replaced", undefined, retained("in")),
          step("delete-replaced", undefined, retained("in", { id: "sgr-0", delete: true })),
        ],
        ["in", "in (retained sgr-1), let go", "in (retained sgr-0), let go"],
      ],
      [
        "is what the program imports by another name",
        [step("import", there("new")), step("delete", undefined, retained("old"))],
        ["new"],
      ],
      [
        "with what would have gone along, and with its component",
        [
          step("delete", undefined, there("own", { id: "sgr-2", deletedWith: retained("old").urn })),
          step("delete", undefined, there("part", { id: "sgr-3", deletedWith: component.urn })),
          step("delete", undefined, there("other", { id: "sgr-4", deletedWith: group().urn })),
          step("delete", undefined, retained("old", { parent: component.urn })),
          step("delete", undefined, { ...component, retainOnDelete: true } as never),
          step("delete", undefined, group()),
        ],
        ["own, let go", "part, let go", "old, let go"],
      ],
      [
        "with what goes along with that, in components of components",
        [
          step("delete", undefined, there("far", { id: "sgr-2", deletedWith: there("near").urn })),
          step("delete", undefined, there("near", { id: "sgr-3", deletedWith: outer.urn })),
          step("delete", undefined, retained("old", { parent: component.urn })),
          step("delete", undefined, { ...component, parent: outer.urn } as never),
          step("delete", undefined, { ...outer, parent: component.urn } as never),
        ],
        ["far, let go", "near, let go", "old, let go"],
      ],
      [
        "with what would go along with something that is only read",
        [
          step("delete", undefined, there("own", { deletedWith: group().urn })),
          step("discard", undefined, group({ id: "sg-1", external: true })),
        ],
        ["own, let go"],
      ],
      [
        "where AWS made it and the provider had but taken it over",
        [
          step("delete", undefined, part(TYPE.defaultSecurityGroup, "group", "vpc-1")),
          step("delete", undefined, part(TYPE.defaultNetworkAcl, "acl", "vpc-1")),
          step("delete", undefined, state(TYPE.defaultVpc, "default", {}, { id: "vpc-1" })),
          step("delete", undefined, part(TYPE.defaultRouteTable, "routes", "vpc-9")),
          step("delete-replaced", undefined, part(TYPE.defaultSecurityGroup, "other", "vpc-2")),
          step("delete", undefined, state(TYPE.vpc, "own", {}, { id: "vpc-2" })),
          step("delete", undefined, part(TYPE.defaultSecurityGroup, "third", "vpc-3")),
          step("delete", undefined, state(TYPE.defaultVpc, "gone", { forceDestroy: true }, { id: "vpc-3" })),
          step("delete", undefined, part(TYPE.defaultSecurityGroup, "fourth", "vpc-4")),
          step("delete", undefined, state(TYPE.vpc, "kept", {}, { id: "vpc-4", retainOnDelete: true })),
        ],
        ["group", "acl", "default", "routes", "fourth", "kept"].map((name) => `${name}, let go`),
      ],
      [
        "after a refresh that found it, and not after one that did not",
        [
          step("refresh", retained("old"), retained("old")),
          step("delete", undefined, retained("lost")),
          step("delete", undefined, retained("old")),
        ],
        ["old, let go"],
      ],
    ])("%s", async (_, steps, expected) => {
      expect(await left(...steps)).toEqual(expected);
    });

    it("names its group by the id, whatever it was made from", async () => {
      const [, , kept] = await resources(
        preview([
          step("create-replacement", group(), group({ id: "sg-1" })),
          step("create", rule("10.0.0.0/8")),
          step("delete", undefined, { ...retained("old"), inputs: { securityGroupId: "sg-1" } } as never),
        ]),
      );
      expect(kept).toMatchObject({ properties: { securityGroupId: "sg-1" } });
      expect(kept).not.toHaveProperty("propertyDependencies");
    });
  });

  it("knows which rules have the permission of one that is deleted at the end", async () => {
    const one = (name: string, id?: string) =>
      state(
        TYPE.ingressRule,
        name,
        { securityGroupId: "sg-1", ipProtocol: "tcp", fromPort: 443, toPort: 443, cidrIpv4: "10.0.0.0/16" },
        { id },
      );
    const [old, made] = [one("old", "sgr-1"), one("new")];
    const revoked = [{ path: "", by: { name: "old" }, once: "permission" }];
    expect(await resources(preview([step("create", made), step("delete", undefined, old)]))).toMatchObject([
      { name: "new", revoked, properties: { cidrIpv4: UNKNOWN } },
    ]);
    for (const stays of [{ ...old, retainOnDelete: true }, one("other")]) {
      const [found] = await resources(
        preview([
          step("create", made),
          stays.urn === old.urn ? step("delete", undefined, stays) : step("same", stays, stays),
        ]),
      );
      expect(found).not.toHaveProperty("revoked");
    }
    const anew = preview([step("delete-replaced", undefined, old), step("create-replacement", made, old)]);
    expect((await resources(anew))[0]).not.toHaveProperty("revoked");
  });

  it("knows which objects and rules of ACLs are deleted at the end under another name", async () => {
    const pairs: [type: string, inputs: object, once: string][] = [
      [
        "kubernetes:k8s.ovn.org/v1:EgressFirewall",
        { metadata: { name: "default", namespace: "shop" }, spec: { egress: [] } },
        "name",
      ],
      [TYPE.networkAclRule, { networkAclId: "acl-1", ruleNumber: 100, ruleAction: "allow" }, "rule number"],
    ];
    for (const [type, inputs, once] of pairs) {
      const [old, made] = [state(type, "old", inputs, { id: "1" }), state(type, "new", inputs)];
      const steps = [step("create", made), step("delete", undefined, old)];
      expect(await resources(preview(steps))).toMatchObject([
        { name: "new", revoked: [{ path: "", by: { name: "old" }, once }] },
      ]);
      const retained = state(type, "old", inputs, { id: "1", retainOnDelete: true });
      const kept = [step("create", made), step("delete", undefined, retained)];
      expect((await resources(preview(kept)))[0]).not.toHaveProperty("revoked");
    }
  });

  it("takes the id of what stays from the state before: the engine leaves it out of the new one", async () => {
    const there = group({ id: "sg-1" });
    const ids = async (op: string, more: object = {}) => {
      const text = preview([step(op, group(more), there)], { é: 1 });
      const [whole] = await resources(text.replace("é", "\\u00e9"));
      const [inPart] = await resources(text);
      expect(whole).toMatchObject({ properties: inPart!.properties });
      return whole!.properties.id;
    };
    expect([await ids("same"), await ids("update"), await ids("replace")]).toEqual([
      "sg-1",
      "sg-1",
      undefined,
    ]);
    expect(await ids("update", { id: "sg-2" })).toBe("sg-2");
  });

  it("takes the outputs of networks that stay from the state before, where the engine leaves them out of the new one", async () => {
    const cidrBlock = async (op: string, more: object = {}) => {
      const there = state(
        TYPE.defaultVpc,
        "default",
        {},
        { outputs: { cidrBlock: "172.31.0.0/16" }, id: "vpc-1" },
      );
      const text = preview([step(op, state(TYPE.defaultVpc, "default", {}, more), there)], { é: 1 });
      const [whole] = await resources(text.replace("é", "\\u00e9"));
      const [inPart] = await resources(text);
      expect(whole!.properties).toEqual(inPart!.properties);
      return whole!.properties.cidrBlock;
    };
    expect([await cidrBlock("same"), await cidrBlock("update")]).toEqual(["172.31.0.0/16", undefined]);
    expect(await cidrBlock("same", { outputs: { cidrBlock: "10.0.0.0/16" } })).toBe("10.0.0.0/16");
  });

  it("leaves out what a preview of targets does not make, and says so: it is shown as unchanged, without an id", async () => {
    const there = group({ id: "sg-1" });
    const component = state("my:network:Groups", "groups", {}, { custom: false });
    const provider = "urn:pulumi:dev::network::pulumi:providers:aws::default::04da6b54";
    const notMade = { ...rule("0.0.0.0/0", "not-made"), provider };
    const steps = [
      step("same", group(), there),
      step("same", component, component),
      step("same", notMade, notMade),
      // Nor has this one an id, but no engine wrote it.
      step("same", rule("0.0.0.0/0", "elsewhere"), rule("0.0.0.0/0", "elsewhere")),
      step("create", rule("10.0.0.0/8", "target")),
    ];
    // A key that is escaped makes the whole file be parsed at once.
    for (const more of [{}, { é: 1 }]) {
      folder.write("plan.json", preview(steps, more).replace("é", "\\u00e9"));
      const { resources: found, notes, faults } = await folder.read(["plan.json"]);
      expect(faults).toEqual([]);
      expect(found.map(({ name }) => name)).toEqual(["hosts", "groups", "elsewhere", "target"]);
      expect(notes).toEqual([
        expect.stringMatching(
          /is a preview of targets alone: 1 resource that it does not make is not judged$/,
        ),
      ]);
    }
    const all = preview(steps.slice(0, 4), { changeSummary: { same: 4 } });
    expect((await resources(all)).map(({ name }) => name)).toEqual(["hosts", "groups", "elsewhere"]);
  });

  it("takes nothing that a file calls as this package calls its own records", async () => {
    const own = { resource: { origin: {}, type: "", name: "", properties: {} }, secrets: { count: 0 } };
    // A key that is escaped makes the whole file be parsed at once.
    const escaped = state(TYPE.ingressRule, "in-443", {}, { é: 1, made: {} });
    const text = stackExport([group({ made: own, before: group() }), escaped]);
    const [found] = await resources(text.replace("é", "\\u00e9"));
    expect(found).toMatchObject({ name: "hosts", properties: { description: "hosts" } });
    expect(found).not.toHaveProperty("before");
  });

  it("joins by the resources that a property came from, because ids are not known yet", async () => {
    const [, split] = await resources(
      preview([step("create", group()), step("create", rule("10.0.0.0/16"))]),
    );
    expect(split).toMatchObject({
      origin: { urn: urn(TYPE.ingressRule, "in-443") },
      properties: { securityGroupId: UNKNOWN },
      propertyDependencies: { securityGroupId: [urn(TYPE.securityGroup, "hosts")] },
    });
  });

  it("a secret is unknown and counted, in whatever way it is written", async () => {
    const signed = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
    const secrets = ["[secret]", { ...signed, ciphertext: "hunter2" }, { ...signed, plaintext: '"hunter2"' }];
    folder.write("plan.json", preview(secrets.map((one, n) => step("create", rule(one, `secret-${n}`)))));
    const inputs = await folder.read(["plan.json"]);
    expect(inputs.resources.map(({ properties }) => properties.cidrIpv4)).toEqual([
      UNKNOWN,
      UNKNOWN,
      UNKNOWN,
    ]);
    expect(inputs.resources.map(({ secrets }) => secrets)).toEqual(secrets.map(() => ["cidrIpv4"]));
    expect(inputs.notes).toEqual([expect.stringContaining("3 resources have secret values")]);
    expect(JSON.stringify([inputs.resources, inputs.notes])).not.toContain("hunter2");
  });

  describe("what was put in as a secret", () => {
    const secret = {
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      ciphertext: "x",
    };
    const shown = async (inputs: object, outputs: object) => {
      const [one] = await resources(
        preview([step("create", state(TYPE.securityGroup, "hosts", inputs, { outputs }))]),
      );
      return { properties: one!.properties, secrets: one!.secrets };
    };
    const ingress = (...cidrBlocks: unknown[]) => ({ ingress: [{ fromPort: 1, cidrBlocks }] });
    const tagged = (tag: unknown) => ({ tags: { "example.com/a": tag } });

    it("is secret where a provider hands it back in the clear, and its place is named", async () => {
      expect(await shown(tagged(secret), tagged("hunter2"))).toEqual({
        properties: tagged(UNKNOWN),
        secrets: ['tags["example.com/a"]'],
      });
    });

    it("is secret with its whole list, which may have another order now", async () => {
      expect(await shown(ingress("10.0.0.0/8", secret), ingress("192.0.2.0/24", "10.0.0.0/8"))).toEqual({
        properties: { ingress: UNKNOWN },
        secrets: ["ingress"],
      });
    });

    it("leaves a list in which the engine marked it", async () => {
      expect(await shown(ingress("10.0.0.0/8", secret), ingress(secret, "10.0.0.0/8"))).toEqual({
        properties: ingress(UNKNOWN, "10.0.0.0/8"),
        secrets: ["ingress[0].cidrBlocks[0]"],
      });
    });

    it("is not asked for where an output is marked: what was put in for it is not shown either", async () => {
      expect(await shown(tagged("hunter2"), tagged(secret))).toEqual({
        properties: tagged(UNKNOWN),
        secrets: ['tags["example.com/a"]'],
      });
    });
  });

  it("outputs of the engine: assets, references and outputs that are not known", async () => {
    const signature = "4dabf18193072939515e22adb298388d";
    const [one] = await resources(
      preview([
        step(
          "create",
          state("test:index:Thing", "thing", {
            later: { [signature]: "d0e6a833031e9bbcd3f4e8bde6ca49a4" },
            now: { [signature]: "d0e6a833031e9bbcd3f4e8bde6ca49a4", value: ["a", NOT_KNOWN] },
            asset: { [signature]: "c44067f5952c0a294b673a41bacd8c17", text: "hunter2" },
            reference: { [signature]: "5cf8f73096256a8f31e491e813e4eb8e", id: "sg-1" },
          }),
        ),
      ]),
    );
    expect(one!.properties).toEqual({ later: UNKNOWN, now: ["a", UNKNOWN], asset: null, reference: "sg-1" });
  });

  it("what the cloud decides later is absent, what was put in holds, and the id is a property", async () => {
    const [one] = await resources(
      preview([
        step(
          "update",
          state(
            TYPE.ingressRule,
            "rule",
            { cidrIpv4: NOT_KNOWN, fromPort: 1 },
            {
              id: "sgr-1",
              outputs: { cidrIpv4: NOT_KNOWN, fromPort: 1, arn: NOT_KNOWN },
            },
          ),
        ),
      ]),
    );
    expect(one!.properties).toEqual({ cidrIpv4: UNKNOWN, fromPort: 1, id: "sgr-1" });
  });

  it("says when unchanged resources were left out, and names --show-sames", async () => {
    folder.write("plan.json", preview([step("update", group())], { changeSummary: { update: 1, same: 2 } }));
    const faults = await folder.faults(["plan.json"]);
    expect(faults).toEqual([expect.stringMatching(/^plan\.json {2}2 resources are left out.*--show-sames/)]);
    folder.write("plan.json", preview([step("update", group()), step("same", rule("10.0.0.0/8"))]));
    expect(await folder.faults(["plan.json"])).toEqual([]);
  });

  const created = [step("create", group()), step("create", rule("10.0.0.0/16"))];
  it.each<[what: string, steps: ReturnType<typeof step>[], summary: object, words: RegExp]>([
    ["steps are missing", created.slice(1), { create: 2 }, /create 2 by changeSummary and 1 by steps/],
    ["all steps are missing", [], { create: 2 }, /create 2 by changeSummary and 0 by steps/],
    ["there are more steps", created, { create: 1 }, /create 1 by changeSummary and 2 by steps/],
    ["there are more unchanged ones", [step("same", group())], { same: 0 }, /same 0 by changeSummary and 1/],
    [
      "an update has gone beside a refresh",
      [step("refresh", group())],
      { update: 1 },
      /update 1 by changeSummary and 0 by steps/,
    ],
    [
      "what was read has gone",
      [step("same", group())],
      { same: 1, read: 1 },
      /read 1 by changeSummary and 0/,
    ],
    [
      "steps are of other kinds",
      [step("update", group(), group())],
      { replace: 1 },
      /update 0 by .* 1 by steps, replace 1 by .* 0 by steps/,
    ],
  ])("refuses a preview whose summary counts otherwise: %s", async (_, steps, changeSummary, words) => {
    folder.write("plan.json", preview(steps, { changeSummary }));
    const faults = await folder.faults(["plan.json"]);
    expect(faults).toEqual([expect.stringMatching(words)]);
    expect(faults[0]).toMatch(/pulumi preview --json writes as it is/);
  });

  // The engine counts no parts of a replacement, and what is read only where it has changed since.
  describe("among lines of a log", () => {
    const plan = preview([step("create", group())]);
    const installs = "Installing policy pack a 0.0.7...\nFinished installing policy pack\n\n";
    const saved = "\nUpdate plan written to plan.txt\n";

    it.each([
      ["behind packs that are installed", installs + plan],
      ["before a plan that was saved", plan + saved],
      ["between both", installs + plan + saved],
      ["behind a warning, which could be YAML", `warning: A new version\n${plan}\n`],
      ["behind a bracket", `[warn] here\r\n${plan.replaceAll("\n", "\r\n")}`],
      ["of an export", installs + stackExport([group()])],
    ])("is read %s, and a note says so", async (_, text) => {
      for (const name of ["plan.json", "plan.log"]) {
        folder.write(name, text);
        const { notes, faults, resources: read } = await folder.read([name]);
        expect([faults, read.length]).toEqual([[], 1]);
        expect(notes).toEqual([
          expect.stringMatching(/plan\.(json|log): the lines around the JSON were skipped/),
        ]);
      }
    });

    it("is read for --state, too", async () => {
      const options = { state: folder.write("state.json", installs + stackExport([group()])) };

      const shown = preview([step("create", rule("10.0.0.0/8"))], { changeSummary: { create: 1, same: 1 } });
      expect(await resources(shown, options)).toHaveLength(2);
    });

    it.each([
      ["each of which has a time before it", plan.replaceAll(/^/gm, "2026-01-01T00:00:00Z "), "other lines"],
      ["where it is not whole", installs + plan.slice(0, 300), "other lines"],
      ["that begin with a brace", `{"level":"warn"}\n${plan}`, "other lines"],
      ["that are another plan", `${plan}\n${plan}`, "other lines"],
      [
        "that are an object",
        `apiVersion: v1\nkind: Service\nmetadata: { name: a }\n---\n${plan}`,
        "among other things",
      ],
    ])("is refused in words about that: lines %s", async (_, text, words) => {
      folder.write("plan.yaml", text);
      expect(await folder.faults(["plan.yaml"])).toEqual([expect.stringContaining(words)]);
    });
  });

  it("takes steps that the summary does not count", async () => {
    const steps = [
      step("create-replacement", group(), group()),
      step("replace", group(), group()),
      step("delete-replaced", undefined, group()),
      step("read", rule("10.0.0.0/16")),
    ];
    folder.write("plan.json", preview(steps, { changeSummary: { replace: 1 } }));
    expect(await folder.faults(["plan.json"])).toEqual([]);
  });

  it("takes unchanged resources from --state, and nothing that the preview deletes", async () => {
    const summary = { changeSummary: { update: 1, delete: 1, same: 1 } };
    const steps = [
      step("update", group({ id: "sg-1" })),
      step("delete", undefined, rule("10.0.0.0/8", "gone")),
    ];
    const provider = state("pulumi:providers:aws", "default_7_0_0", {});
    folder.write("plan.json", preview(steps, summary));
    folder.write(
      "state.json",
      stackExport([group(), rule("10.0.0.0/8", "gone"), rule("10.0.0.0/16", "kept"), provider]),
    );
    const inputs = await folder.read(["plan.json"], { state: `${folder.path}/state.json` });
    expect(inputs.faults).toEqual([]);
    expect(inputs.resources.map(({ name }) => name)).toEqual(["hosts", "kept"]);
  });

  // The engine writes a refresh of each resource of the state, and does not count it in the summary.
  it("takes what --refresh shows for unchanged where nothing else is shown of it, and for gone where it is deleted", async () => {
    const refreshed = [group({ id: "sg-1" }), rule("10.0.0.0/8", "kept"), rule("10.0.0.0/8", "gone")];
    const steps = [
      ...refreshed.map((one) => step("refresh", one, one)),
      step("update", rule("10.0.0.0/16", "drifted"), rule("10.0.0.0/8", "drifted")),
      step("delete", undefined, rule("10.0.0.0/8", "again")),
      step("create", rule("10.0.0.0/8", "again")),
      step("delete", undefined, refreshed[2]),
    ];
    folder.write("plan.json", preview(steps, { changeSummary: { same: 3, create: 1, delete: 1 } }));
    const { faults, resources } = await folder.read(["plan.json"]);
    expect(faults).toEqual([]);
    expect(resources.map(({ name }) => name)).toEqual(["hosts", "kept", "drifted", "again"]);
    folder.write("plan.json", preview(steps, { changeSummary: { same: 5, create: 1, delete: 1 } }));
    expect(await folder.faults(["plan.json"])).toEqual([expect.stringContaining("2 resources are left out")]);
  });

  it.each([
    [
      "another stack",
      [state(TYPE.vpc, "vpc", {}, { urn: `urn:pulumi:prod::network::${TYPE.vpc}::vpc` })],
      /another stack/,
    ],
    ["another time", [state(TYPE.vpc, "vpc", {}), state(TYPE.vpc, "other", {})], /does not fit/],
  ])("refuses a state of %s", async (_, exported, words) => {
    folder.write("plan.json", preview([step("update", group())], { changeSummary: { update: 1, same: 1 } }));
    const options = { state: folder.write("state.json", stackExport(exported)) };
    expect(await folder.faults(["plan.json"], options)).toEqual([expect.stringMatching(words)]);
  });

  it.each([
    [
      "failed",
      preview([], { diagnostics: [{ severity: "error", message: "hunter2" }] }),
      /failed with 1 error/,
    ],
    ["has no summary", JSON.stringify({ steps: [step("create", group())] }), /damaged preview/],
    ["counts in words", preview([], { changeSummary: { same: "2" } }), /damaged preview/],
    ["counts less than nothing", preview([], { changeSummary: { same: -1 } }), /damaged preview/],
    [
      "does not say what becomes of a resource",
      preview([{ ...step("", group()), op: 3 } as never]),
      /damaged/,
    ],
    ["lacks a state", preview([{ op: "create", urn: "urn:pulumi:a::b::c::d" }]), /has no new state/],
    ...["nonsense", 7, true, ["nonsense"]].map((inputs): [string, string, RegExp] => [
      `has properties that are no object: ${JSON.stringify(inputs)}`,
      preview([step("create", { ...group(), inputs } as never)]),
      /has no new state that can be read/,
    ]),
    [
      "has an old state of a hosted cluster that cannot be read",
      preview([
        step("update", state("kubernetes:hypershift.openshift.io/v1beta1:HostedCluster", "a", {}), {
          urn: "urn:pulumi:a::b::c::d",
        }),
      ]),
      /has no old state that can be read/,
    ],
  ])("refuses a preview that %s", async (_, text, words) => {
    folder.write("plan.json", text);
    const faults = await folder.faults(["plan.json"]);
    expect(faults).toEqual([expect.stringMatching(words)]);
    expect(faults.join()).not.toContain("hunter2");
  });
});

describe("pulumi stack export", () => {
  it("says that an update was interrupted: what it made then is in no state", async () => {
    const pending = [{ resource: rule("0.0.0.0/0"), type: "creating" }];
    const notesOf = async (text: string) => {
      folder.write("state.json", text);
      return (await folder.read(["state.json"])).notes.map((note) =>
        note.replace(/.*state\.json/, "state.json"),
      );
    };
    const deployment = { resources: [group()], pending_operations: pending };
    const said = [
      expect.stringMatching(/^state\.json: an update was interrupted.* 1 operation .*pulumi refresh/),
    ];
    expect(await notesOf(JSON.stringify({ version: 3, deployment }))).toEqual(said);
    expect(await notesOf(JSON.stringify({ version: 3, checkpoint: { latest: deployment } }))).toEqual(said);
    expect(await notesOf(stackExport([group()]))).toEqual([]);
  });

  it.each(["delete", "pendingReplacement"])(
    "holds what is deployed, without what has %s: true, and so does a preview that refreshes it",
    async (flag) => {
      const gone = [
        { ...rule("10.0.0.0/8", "old"), [flag]: true },
        { ...group({ id: "sg-0" }), [flag]: true },
      ];
      const there = group({ id: "sg-1" });
      const standing = [{ name: "hosts", properties: { id: "sg-1" } }];
      expect(await resources(stackExport([there, ...gone]))).toMatchObject(standing);
      for (const all of [
        [there, ...gone],
        [...gone, there],
      ]) {
        const steps = all.map((one) => step("refresh", one));
        expect(await resources(preview(steps, { changeSummary: { same: 1 } }))).toMatchObject(standing);
      }
    },
  );

  it("holds what waits for its deletion where the cloud keeps it, beside its successor and what goes along", async () => {
    const waiting = (name: string, more: object) => ({ ...rule("0.0.0.0/0", name), delete: true, ...more });
    const old = waiting("in-443", { id: "sgr-1", retainOnDelete: true });
    const text = stackExport([
      group({ id: "sg-1" }),
      { ...rule("10.0.0.0/8"), id: "sgr-2" },
      old,
      waiting("along", { id: "sgr-3", deletedWith: old.urn }),
      waiting("gone", { id: "sgr-4" }),
    ]);
    const found = (await resources(text)).map(({ name, isRead }) => (isRead ? `${name}, let go` : name));
    const retained = ["in-443 (retained sgr-1), let go", "along, let go"];
    expect(found).toEqual(["hosts", "in-443", ...retained]);
    const twice = stackExport([old, { ...old, id: "sgr-5" }]);
    expect((await resources(twice)).map(({ name }) => name)).toEqual(["in-443", "in-443 (retained sgr-5)"]);
    const state = { state: folder.write("state.json", text) };
    const shown = [
      step("same", { ...rule("10.0.0.0/8"), id: "sgr-2" } as never),
      step("delete-replaced", undefined, old),
    ];
    const [, , ...rest] = await resources(preview(shown, { changeSummary: { same: 2 } }), state);
    expect(rest.map(({ name }) => name)).toEqual(["hosts"]);
  });

  it("a version that is not known and damaged resources are refused", async () => {
    folder.write("v1.json", stackExport([], { version: 1 }));
    folder.write("damaged.json", stackExport([{ urn: 3 }]));
    folder.write("outputs.json", stackExport([{ ...group(), outputs: ["nonsense"] }]));
    expect(await folder.faults(["v1.json", "damaged.json", "outputs.json"])).toEqual([
      expect.stringContaining("version that is not known"),
      expect.stringContaining("damaged stack export"),
      expect.stringContaining("damaged stack export"),
    ]);
  });

  describe("a security group that another stack reads by its id", () => {
    const id = "sg-1";
    const elsewhere = <State extends { urn: string }>(one: State): State => ({
      ...one,
      urn: one.urn.replace(":dev::", ":apps::"),
    });
    const everybody = [{ protocol: "-1", cidrBlocks: ["0.0.0.0/0"] }];
    const managed = group({ id, outputs: { name: "hosts", ingress: [] } });
    const read = elsewhere(
      state(TYPE.securityGroup, "theirs", {}, { id, outputs: { ingress: everybody }, external: true }),
    );
    const open = (dependencies: object) =>
      elsewhere({ ...rule("0.0.0.0/0"), inputs: { securityGroupId: id }, ...dependencies });

    it.each([
      ["by what it was read from", { propertyDependencies: { securityGroupId: [read.urn] } }],
      ["by its id", { propertyDependencies: {} }],
    ])("has the rules of both stacks, whoever names it %s, and shows its own list", async (_, named) => {
      folder.write("a.json", stackExport([managed]));
      folder.write("b.json", preview([step("read", read), step("create", open(named))]));
      const inputs = await folder.read(["b.json", "a.json"]);
      expect(inputs.faults).toEqual([]);
      const { groups, unknown } = securityGroups(new ResourceIndex(inputs.resources));
      expect(unknown).toEqual([]);
      expect(groups.map(({ resource }) => resource?.origin.urn)).toEqual([managed.urn]);
      expect(groups[0]!.rules.map(({ resource }) => resource.name)).toEqual(["in-443"]);
      expect(namesOf(groups[0]!.resource!)).toEqual(expect.arrayContaining(["hosts", "theirs"]));
    });

    it("is that of the stack that reads it where no other is given", async () => {
      folder.write("b.json", stackExport([read]));
      expect((await folder.read(["b.json"])).resources.map(({ name }) => name)).toEqual(["theirs"]);
    });

    it("stays two where two stacks manage it, of which one has the rules that name the id", async () => {
      folder.write("a.json", stackExport([managed]));
      folder.write("c.json", stackExport([{ ...managed, urn: managed.urn.replace(":dev::", ":c::") }]));
      folder.write("b.json", stackExport([open({ propertyDependencies: {} })]));
      const { resources: all } = await folder.read(["a.json", "b.json", "c.json"]);
      const { groups } = securityGroups(new ResourceIndex(all));
      expect(groups.map(({ resource }) => resource?.name)).toEqual(["hosts", "hosts"]);
      expect(groups.map(({ rules }) => rules.length).sort()).toEqual([0, 1]);
    });
  });

  it("one stack twice is refused", async () => {
    folder.write("plan.json", preview([step("create", group())]));
    folder.write("state.json", stackExport([group()]));
    expect(await folder.faults(["plan.json", "state.json"])).toEqual([
      expect.stringMatching(/^state\.json.*plan\.json shows too.*--state/),
    ]);
  });
});
