import { TYPE } from "../../src/resources/resourceTypes";
import { SECRET_SIGN, SIGNATURE } from "../../src/plan/engineValue";
import { UNKNOWN } from "../../src/resources/resource";
import { group, PlanFolder, rule } from "./planFolder";
import { NOT_KNOWN, preview, stackExport, state, step, urn } from "./plans";

const given = new PlanFolder();
const resources = (text: string, options?: object) => given.resources(text, options);

describe("pulumi preview --json", () => {
  it("M22 keeps the resources after the update: no deleted ones, and of a replacement the new state", async () => {
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
    "kubernetes:core/v1:Namespace",
  ])("keeps the previous state of a resource with immutable fields, and of no other: %s", async (type) => {
    const cluster = (issuerURL: string) => state(type, "tenant-a", { spec: { issuerURL } });
    const [changed, other] = await resources(
      preview([
        step("update", cluster("https://b"), cluster("https://a")),
        step("update", rule("10.1.0.0/16"), rule("10.0.0.0/16")),
      ]),
    );
    expect(changed?.before?.inputs).toEqual({ spec: { issuerURL: "https://a" } });
    expect(other).not.toHaveProperty("before");
  });

  it("attributes rules that a provider read back to the resources that write them, even if the plan removes these", async () => {
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
  describe("immutable fields are compared", () => {
    const USER_NETWORK = "kubernetes:k8s.ovn.org/v1:UserDefinedNetwork";
    const HOSTED_CLUSTER = "kubernetes:hypershift.openshift.io/v1beta1:HostedCluster";
    const PATCH = `${HOSTED_CLUSTER}Patch`;
    const object = (type: string, name: string, more: object = {}) =>
      state(type, "object", { metadata: { name, namespace: "clusters" }, spec: {} }, more);
    const first = (made: { urn: string }, old: { urn: string }) => [
      step("create-replacement", made, old),
      step("replace", made, old),
      step("delete-replaced", undefined, old),
    ];
    const [network, cluster] = [object(USER_NETWORK, "a"), object(HOSTED_CLUSTER, "a")];
    const kept = object(HOSTED_CLUSTER, "a", { retainOnDelete: true });
    const read = object(HOSTED_CLUSTER, "a", { external: true });
    const by = (id: string, type = USER_NETWORK) =>
      object(type, "a", { provider: `${urn("pulumi:providers:kubernetes", "management")}::${id}` });

    test.each<[string, ReturnType<typeof step>[], boolean | "destroyed"]>([
      ["if an object is updated", [step("update", network, network)], true],
      ["if its replacement has the same name", first(network, network), true],
      ["not if its replacement has another name", first(object(USER_NETWORK, "b"), network), false],
      ["not if it is deleted first", first(network, network).reverse(), false],
      [
        "if a HostedCluster is replaced under another name",
        first(object(HOSTED_CLUSTER, "b"), cluster),
        "destroyed",
      ],
      ["if a HostedCluster is deleted first", first(cluster, cluster).reverse(), "destroyed"],
      ["if a patch of a HostedCluster is replaced", first(object(PATCH, "b"), object(PATCH, "a")), true],
      [
        "not if a HostedCluster with another name is retained",
        first(object(HOSTED_CLUSTER, "b"), kept),
        false,
      ],
      ["if a retained HostedCluster has the same name", first(cluster, kept), true],
      ["if a retained HostedCluster is deleted first", first(cluster, kept).reverse(), true],
      ["if its replacement has the same provider", first(by("1"), by("1")), true],
      ["not if its provider is replaced by a new one", first(by(NOT_KNOWN), by("1")), false],
      ["not if its provider is replaced by another one", first(by("2"), by("1")), false],
      [
        "if a HostedCluster is replaced along with its provider",
        first(by(NOT_KNOWN, HOSTED_CLUSTER), by("1", HOSTED_CLUSTER)),
        "destroyed",
      ],
      ["not if a HostedCluster is only read", [step("read", read, read)], false],
      ["not if another HostedCluster is read", [step("read-replacement", read, read)], false],
    ])("%s", async (_, steps, isCompared) => {
      const [found] = await resources(preview(steps));
      expect(found!.before !== undefined).toBe(isCompared !== false);
      expect(found!.before?.isDestroyed).toBe(isCompared === "destroyed" ? true : undefined);
    });
  });

  it("keeps the status of a HostedCluster that stays, which only old outputs tell", async () => {
    const type = "kubernetes:hypershift.openshift.io/v1beta1:HostedCluster";
    const inputs = (image: string) => ({
      metadata: { name: "a", namespace: "clusters" },
      spec: { release: { image } },
    });
    const status = { version: { history: [{ state: "Completed", version: "4.16.3" }] } };
    const spec = { release: { image: "old" }, infraID: "a-x1" };
    const old = state(type, "a", inputs("old"), {
      id: "clusters/a",
      outputs: { ...inputs("old"), spec, status },
    });
    const read = async (op: string, image: string) =>
      (await resources(preview([step(op, state(type, "a", inputs(image)), old)])))[0]!.properties;
    expect(await read("same", "old")).toMatchObject({ spec, status });
    expect(await read("update", "new")).toMatchObject({ spec: { release: { image: "new" } }, status });
    expect(await read("update", "new")).not.toHaveProperty("spec.infraID");
    expect(await read("create-replacement", "new")).not.toHaveProperty("status");
  });

  it("uses the ID of the old state for a resource that stays, because the new state may lack it", async () => {
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

  it("uses the outputs of the old state for an unchanged network, if the new state lacks them", async () => {
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
    expect([await cidrBlock("same"), await cidrBlock("update")]).toEqual(["172.31.0.0/16", "172.31.0.0/16"]);
    expect(await cidrBlock("same", { outputs: { cidrBlock: "10.0.0.0/16" } })).toBe("10.0.0.0/16");
  });

  describe("of a resource whose step the engine shows without new outputs", () => {
    const ssh = { protocol: "tcp", fromPort: 22, toPort: 22, cidrBlocks: ["0.0.0.0/0"] };
    const https = { ...ssh, fromPort: 443, toPort: 443 };
    const made = (type: string, inputs: object, more: object = {}) =>
      state(type, "one", inputs, { id: "one", ...more });
    const propertiesOf = async (...steps: ReturnType<typeof step>[]) => {
      const text = preview(steps, { é: 1 });
      const [whole] = await resources(text.replace("é", "\\u00e9"));
      const [inPart] = await resources(text);
      expect(inPart!.properties).toEqual(whole!.properties);
      return whole!.properties;
    };
    const group = (inputs: object, outputs?: object) =>
      made(TYPE.securityGroup, inputs, outputs && { outputs });

    it.each(["same", "update", "read"])("keeps a list that the program does not set: %s", async (op) => {
      const old = group({}, { ingress: [ssh], vpcId: "vpc-1" });
      expect(await propertiesOf(step(op, group({}), old))).toMatchObject({ ingress: [ssh], vpcId: "vpc-1" });
    });

    it("keeps a list that the program no longer sets, and no other property that it no longer sets", async () => {
      const old = group(
        { ingress: [ssh], description: "old", tags: { a: "1" } },
        { ingress: [ssh], description: "old", tags: { a: "1" }, tagsAll: { a: "1" }, vpcId: "vpc-1" },
      );
      expect(await propertiesOf(step("update", group({}), old))).toEqual({
        id: "one",
        ingress: [ssh],
        vpcId: "vpc-1",
      });
    });

    it("counts null as a list that the program does not set", async () => {
      const old = group({ ingress: [ssh] }, { ingress: [ssh], egress: [ssh] });
      const found = await propertiesOf(step("update", group({ ingress: null, egress: null }), old));
      expect(found).toMatchObject({ ingress: [ssh], egress: [ssh] });
    });

    it("keeps no list of a default ACL that an update does not set: the provider removes what it does not list", async () => {
      const lists = { ingress: [{ ruleNo: 1 }], egress: [{ ruleNo: 1 }], subnetIds: ["subnet-1"] };
      const acl = (inputs: object, more: object = { outputs: { ...lists, vpcId: "vpc-1" } }) =>
        made(TYPE.defaultNetworkAcl, inputs, more);
      const now = acl({ tags: { a: "2" } }, {});
      for (const before of [acl(lists), acl({})])
        expect(await propertiesOf(step("update", now, before))).toEqual({
          id: "one",
          vpcId: "vpc-1",
          tags: { a: "2" },
        });
      expect(await propertiesOf(step("same", now, acl({})))).toMatchObject(lists);
    });

    it("has what the program sets now", async () => {
      const old = group({ ingress: [ssh] }, { ingress: [ssh], egress: [ssh] });
      const found = await propertiesOf(step("update", group({ ingress: [https], tags: { a: "2" } }), old));
      const both = { ingress: [https], egress: [] };
      expect(await propertiesOf(step("update", group(both), old))).toEqual({ id: "one", ...both });
      expect(found).toMatchObject({ ingress: [https], egress: [ssh], tags: { a: "2" } });
      expect((await propertiesOf(step("update", group({ ingress: [] }), old))).ingress).toEqual([]);
    });

    it.each(["create", "create-replacement", "import"])(
      "has only its inputs if it is new: %s",
      async (op) => {
        const old = group({}, { ingress: [ssh] });
        expect(await propertiesOf(step(op, group({}), old))).not.toHaveProperty("ingress");
      },
    );

    it("has what a refresh of the same preview found", async () => {
      const [before, after] = [group({}, { ingress: [] }), group({}, { ingress: [ssh] })];
      const steps = [step("refresh", after, before), step("same", group({}), after)];
      expect((await propertiesOf(...steps)).ingress).toEqual([ssh]);
    });

    it.each<[string, string, object, object]>([
      ["an ACL", TYPE.networkAcl, { ingress: [{ ruleNo: 1 }], subnetIds: ["subnet-1"] }, {}],
      ["a prefix list", TYPE.prefixList, { entries: [{ cidr: "10.0.0.0/8" }] }, {}],
      ["a route table", TYPE.routeTable, { routes: [{ cidrBlock: "0.0.0.0/0" }] }, {}],
      ["a peering", TYPE.peering, { acceptStatus: "rejected" }, { vpcId: "vpc-1" }],
    ])("keeps what only outputs state of %s", async (_, type, outputs, inputs) => {
      const old = made(type, inputs, { outputs: { ...inputs, ...outputs } });
      for (const op of ["same", "update"])
        expect(await propertiesOf(step(op, made(type, inputs), old))).toMatchObject({
          ...inputs,
          ...outputs,
        });
    });

    it("has what was read before of what the program only reads, unless it now reads something else", async () => {
      const read = (id: string, more: object = {}) =>
        state(TYPE.ingressRule, "one", {}, { id, external: true, ...more });
      const old = read("sgr-1", { outputs: { fromPort: 22 } });
      expect((await propertiesOf(step("read", read("sgr-1"), old))).fromPort).toBe(22);
      expect((await propertiesOf(step("read", read("sgr-2"), old))).fromPort).toBeUndefined();
    });

    it("is not known if the program reads it for the first time", async () => {
      const first = (type: string, id: string) =>
        step("read", state(type, "one", {}, { id, external: true }));
      expect(await propertiesOf(first(TYPE.securityGroup, "sg-1"))).toEqual({
        id: "sg-1",
        ingress: UNKNOWN,
        egress: UNKNOWN,
        tags: UNKNOWN,
      });
      const policy = "kubernetes:networking.k8s.io/v1:NetworkPolicy";
      expect(await propertiesOf(first(policy, "web/deny"))).toEqual({
        id: "web/deny",
        metadata: { namespace: "web", name: "deny", labels: UNKNOWN, annotations: UNKNOWN },
        spec: UNKNOWN,
      });
      expect(await propertiesOf(first(policy, NOT_KNOWN))).toEqual({
        metadata: { namespace: UNKNOWN, name: UNKNOWN, labels: UNKNOWN, annotations: UNKNOWN },
        spec: UNKNOWN,
      });
      expect(await propertiesOf(first(TYPE.subnet, NOT_KNOWN))).toEqual({ tags: UNKNOWN });
      expect(await propertiesOf(first("kubernetes:core/v1:Namespace", "web"))).toMatchObject({
        metadata: { name: "web" },
      });
    });

    it.each(["update", "read"])("keeps secret what was a secret input: %s", async (op) => {
      const secret = { [SIGNATURE]: SECRET_SIGN, plaintext: JSON.stringify([ssh]) };
      const old = group({ ingress: secret }, { ingress: [ssh], egress: [] });
      const text = preview([step(op, group({}), old)]);
      const [found] = await resources(text);
      expect([found!.properties.ingress, found!.secrets]).toEqual([UNKNOWN, ["ingress"]]);
    });

    it("keeps the subnets of an ACL that the program no longer sets, except those that others have now", async () => {
      const listed = (subnetIds?: string[]) => (subnetIds ? { subnetIds } : {});
      const acl = (subnetIds: string[] | undefined, more: object = {}) =>
        made(TYPE.networkAcl, listed(subnetIds), more);
      const old = acl(["subnet-1", "subnet-2"], { outputs: { subnetIds: ["subnet-1", "subnet-2"] } });
      const dropped = step("update", acl(undefined), old);
      expect((await propertiesOf(dropped)).subnetIds).toEqual(["subnet-1", "subnet-2"]);
      const other = state(TYPE.networkAcl, "other", { subnetIds: ["subnet-1"] }, { id: "acl-2" });
      expect((await propertiesOf(dropped, step("create", other))).subnetIds).toEqual([null, "subnet-2"]);
    });
  });

  it("leaves out resources that a preview of targets does not create, and reports their number", async () => {
    const there = group({ id: "sg-1" });
    const component = state("my:network:Groups", "groups", {}, { custom: false });
    const provider = "urn:pulumi:dev::network::pulumi:providers:aws::default::04da6b54";
    const notMade = { ...rule("0.0.0.0/0", "not-made"), provider };
    const steps = [
      step("same", group(), there),
      step("same", component, component),
      step("same", notMade, notMade),
      // This one has no ID either, but no engine wrote it.
      step("same", rule("0.0.0.0/0", "elsewhere"), rule("0.0.0.0/0", "elsewhere")),
      step("create", rule("10.0.0.0/8", "target")),
    ];
    // With an escaped key, the whole file is parsed at once.
    for (const more of [{}, { é: 1 }]) {
      given.folder.write("plan.json", preview(steps, more).replace("é", "\\u00e9"));
      const { resources: found, notes, faults } = await given.folder.read(["plan.json"]);
      expect(faults).toEqual([]);
      expect(found.map(({ name }) => name)).toEqual(["hosts", "groups", "elsewhere", "target"]);
      expect(notes).toEqual([
        expect.stringMatching(
          /is a preview of targets only: 1 resource that it does not create is not judged$/,
        ),
      ]);
    }
    const all = preview(steps.slice(0, 4), { changeSummary: { same: 4 } });
    expect((await resources(all)).map(({ name }) => name)).toEqual(["hosts", "groups", "elsewhere"]);
  });

  it("ignores keys in a file that are named like internal records of this package", async () => {
    const own = { resource: { origin: {}, type: "", name: "", properties: {} }, secrets: { count: 0 } };
    // With an escaped key, the whole file is parsed at once.
    const escaped = state(TYPE.ingressRule, "in-443", {}, { é: 1, made: {} });
    const text = stackExport([group({ made: own, before: group() }), escaped]);
    const [found] = await resources(text.replace("é", "\\u00e9"));
    expect(found).toMatchObject({ name: "hosts", properties: { description: "hosts" } });
    expect(found).not.toHaveProperty("before");
  });
  it("reports that unchanged resources are left out, and names --show-sames", async () => {
    given.folder.write(
      "plan.json",
      preview([step("update", group())], { changeSummary: { update: 1, same: 2 } }),
    );
    const faults = await given.folder.faults(["plan.json"]);
    expect(faults).toEqual([expect.stringMatching(/^plan\.json {2}2 resources are left out.*--show-sames/)]);
    given.folder.write("plan.json", preview([step("update", group()), step("same", rule("10.0.0.0/8"))]));
    expect(await given.folder.faults(["plan.json"])).toEqual([]);
  });

  const created = [step("create", group()), step("create", rule("10.0.0.0/16"))];
  it.each<[what: string, steps: ReturnType<typeof step>[], summary: object, words: RegExp]>([
    ["a missing step", created.slice(1), { create: 2 }, /create 2 by changeSummary and 1 by steps/],
    ["no steps", [], { create: 2 }, /create 2 by changeSummary and 0 by steps/],
    ["an extra step", created, { create: 1 }, /create 1 by changeSummary and 2 by steps/],
    ["an extra unchanged step", [step("same", group())], { same: 0 }, /same 0 by changeSummary and 1/],
    [
      "a missing update next to a refresh",
      [step("refresh", group())],
      { update: 1 },
      /update 1 by changeSummary and 0 by steps/,
    ],
    ["a missing read", [step("same", group())], { same: 1, read: 1 }, /read 1 by changeSummary and 0/],
    [
      "steps of another kind",
      [step("update", group(), group())],
      { replace: 1 },
      /update 0 by .* 1 by steps, replace 1 by .* 0 by steps/,
    ],
  ])(
    "rejects a preview whose summary has other counts than its steps: %s",
    async (_, steps, changeSummary, words) => {
      given.folder.write("plan.json", preview(steps, { changeSummary }));
      const faults = await given.folder.faults(["plan.json"]);
      expect(faults).toEqual([expect.stringMatching(words)]);
      expect(faults[0]).toMatch(/the output of pulumi preview --json unchanged/);
    },
  );

  describe("in a log", () => {
    const plan = preview([step("create", group())]);
    const installs = "Installing policy pack a 0.0.7...\nFinished installing policy pack\n\n";
    const saved = "\nUpdate plan written to plan.txt\n";

    it.each([
      ["after messages about installed policy packs", installs + plan],
      ["before a message about a saved plan", plan + saved],
      ["between both", installs + plan + saved],
      ["after a warning that could be YAML", `warning: A new version\n${plan}\n`],
      ["after a bracket", `[warn] here\r\n${plan.replaceAll("\n", "\r\n")}`],
      ["as a stack export", installs + stackExport([group()])],
    ])("is read %s, and a note reports the skipped lines", async (_, text) => {
      for (const name of ["plan.json", "plan.log"]) {
        given.folder.write(name, text);
        const { notes, faults, resources: read } = await given.folder.read([name]);
        expect([faults, read.length]).toEqual([[], 1]);
        expect(notes).toEqual([
          expect.stringMatching(/plan\.(json|log): the lines around the JSON were skipped/),
        ]);
      }
    });

    it("is read for --state", async () => {
      const options = { state: given.folder.write("state.json", installs + stackExport([group()])) };

      const shown = preview([step("create", rule("10.0.0.0/8"))], { changeSummary: { create: 1, same: 1 } });
      expect(await resources(shown, options)).toHaveLength(2);
    });

    it.each([
      ["that each start with a time", plan.replaceAll(/^/gm, "2026-01-01T00:00:00Z "), "other lines"],
      ["that contain only a part of it", installs + plan.slice(0, 300), "other lines"],
      ["that start with a brace", `{"level":"warn"}\n${plan}`, "other lines"],
      ["that are another plan", `${plan}\n${plan}`, "other lines"],
      [
        "that are a Kubernetes object",
        `apiVersion: v1\nkind: Service\nmetadata: { name: a }\n---\n${plan}`,
        "together with other content",
      ],
    ])("is rejected with a specific fault: lines %s", async (_, text, words) => {
      given.folder.write("plan.yaml", text);
      expect(await given.folder.faults(["plan.yaml"])).toEqual([expect.stringContaining(words)]);
    });
  });

  // The engine counts no parts of a replacement, and reads only of resources that changed since.
  it("accepts steps that the summary does not count", async () => {
    const steps = [
      step("create-replacement", group(), group()),
      step("replace", group(), group()),
      step("delete-replaced", undefined, group()),
      step("read", rule("10.0.0.0/16")),
    ];
    given.folder.write("plan.json", preview(steps, { changeSummary: { replace: 1 } }));
    expect(await given.folder.faults(["plan.json"])).toEqual([]);
  });

  it("adds unchanged resources from --state, but none that the preview deletes", async () => {
    const summary = { changeSummary: { update: 1, delete: 1, same: 1 } };
    const steps = [
      step("update", group({ id: "sg-1" })),
      step("delete", undefined, rule("10.0.0.0/8", "gone")),
    ];
    const provider = state("pulumi:providers:aws", "default_7_0_0", {});
    given.folder.write("plan.json", preview(steps, summary));
    given.folder.write(
      "state.json",
      stackExport([group(), rule("10.0.0.0/8", "gone"), rule("10.0.0.0/16", "kept"), provider]),
    );
    const inputs = await given.folder.read(["plan.json"], { state: `${given.folder.path}/state.json` });
    expect(inputs.faults).toEqual([]);
    expect(inputs.resources.map(({ name }) => name)).toEqual(["hosts", "kept"]);
  });

  // The engine writes a refresh step for each resource of the state, and does not count it in the summary.
  it("treats refreshed resources as unchanged if no other step shows them, and as gone if they are deleted", async () => {
    const refreshed = [group({ id: "sg-1" }), rule("10.0.0.0/8", "kept"), rule("10.0.0.0/8", "gone")];
    const steps = [
      ...refreshed.map((one) => step("refresh", one, one)),
      step("update", rule("10.0.0.0/16", "drifted"), rule("10.0.0.0/8", "drifted")),
      step("delete", undefined, rule("10.0.0.0/8", "again")),
      step("create", rule("10.0.0.0/8", "again")),
      step("delete", undefined, refreshed[2]),
    ];
    given.folder.write("plan.json", preview(steps, { changeSummary: { same: 3, create: 1, delete: 1 } }));
    const { faults, resources } = await given.folder.read(["plan.json"]);
    expect(faults).toEqual([]);
    expect(resources.map(({ name }) => name)).toEqual(["hosts", "kept", "drifted", "again"]);
    given.folder.write("plan.json", preview(steps, { changeSummary: { same: 5, create: 1, delete: 1 } }));
    expect(await given.folder.faults(["plan.json"])).toEqual([
      expect.stringContaining("2 resources are left out"),
    ]);
  });

  it.each([
    [
      "another stack",
      [state(TYPE.vpc, "vpc", {}, { urn: `urn:pulumi:prod::network::${TYPE.vpc}::vpc` })],
      /another stack/,
    ],
    ["another time", [state(TYPE.vpc, "vpc", {}), state(TYPE.vpc, "other", {})], /does not fit/],
  ])("rejects a state of %s", async (_, exported, words) => {
    given.folder.write(
      "plan.json",
      preview([step("update", group())], { changeSummary: { update: 1, same: 1 } }),
    );
    const options = { state: given.folder.write("state.json", stackExport(exported)) };
    expect(await given.folder.faults(["plan.json"], options)).toEqual([expect.stringMatching(words)]);
  });

  it.each([
    [
      "failed",
      preview([], { diagnostics: [{ severity: "error", message: "hunter2" }] }),
      /failed with 1 error/,
    ],
    ["has no summary", JSON.stringify({ steps: [step("create", group())] }), /damaged preview/],
    ["has a count that is not a number", preview([], { changeSummary: { same: "2" } }), /damaged preview/],
    ["has a negative count", preview([], { changeSummary: { same: -1 } }), /damaged preview/],
    ["has a step without an operation", preview([{ ...step("", group()), op: 3 } as never]), /damaged/],
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
  ])("rejects a preview that %s", async (_, text, words) => {
    given.folder.write("plan.json", text);
    const faults = await given.folder.faults(["plan.json"]);
    expect(faults).toEqual([expect.stringMatching(words)]);
    expect(faults.join()).not.toContain("hunter2");
  });
});
