import { UNKNOWN } from "../../src/resources/resource";
import { judgeRevoked } from "../../src/gate/readBack";
import { TYPE } from "../../src/resources/resourceTypes";
import { group, PlanFolder, rule } from "./planFolder";
import { NOT_KNOWN, preview, state, step, urn } from "./plans";

const given = new PlanFolder();
const resources = (text: string, options?: object) => given.resources(text, options);

describe("pulumi preview --json", () => {
  describe("a retained resource that a preview deletes", () => {
    const id = "sgr-1";
    const there = (name: string, more: object = {}) => ({ ...rule("0.0.0.0/0", name), id, ...more });
    const retained = (name: string, more: object = {}) => there(name, { retainOnDelete: true, ...more });
    const left = async (...steps: ReturnType<typeof step>[]) =>
      (await resources(preview(steps))).map(({ name, isRead }) => (isRead ? `${name}, let go` : name));
    const component = state("my:network:Groups", "groups", {}, { custom: false });
    const part = (type: string, name: string, vpcId: string) => state(type, name, {}, { outputs: { vpcId } });
    const outer = state("my:network:Network", "network", {}, { custom: false });

    test.each<[string, ReturnType<typeof step>[], string[]]>([
      ["stays in the cloud", [step("delete", undefined, retained("old"))], ["old, let go"]],
      [
        "does not stay if it is not retained",
        [step("delete", undefined, there("old", { retainOnDelete: false }))],
        [],
      ],
      [
        "is listed next to its replacement",
        [
          step("create-replacement", rule("10.0.0.0/8", "in"), retained("in")),
          step("replace", rule("10.0.0.0/8", "in"), retained("in")),
          step("delete-replaced", undefined, retained("in")),
          step("delete-replaced", undefined, retained("in", { id: "sgr-0", delete: true })),
        ],
        ["in", "in (retained sgr-1), let go", "in (retained sgr-0), let go"],
      ],
      [
        "is not listed if the program imports it by another name",
        [step("import", there("new")), step("delete", undefined, retained("old"))],
        ["new"],
      ],
      [
        "stays with the resources that would be deleted with it or with its component",
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
        "stays with resources that would be deleted along with its nested components",
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
        "stays if it would be deleted along with a resource that is only read",
        [
          step("delete", undefined, there("own", { deletedWith: group().urn })),
          step("discard", undefined, group({ id: "sg-1", external: true })),
        ],
        ["own, let go"],
      ],
      [
        "stays if AWS created it and the provider only took it over",
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
        "stays only if a refresh found it",
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

    describe("whose holder is updated", () => {
      const block = "10.9.0.0/16";
      const read = (port: number) => ({ protocol: "tcp", fromPort: port, toPort: port, cidrBlocks: [block] });
      const holder = (inputs: object, ...ingress: object[]) =>
        state(TYPE.securityGroup, "hosts", inputs, { id: "sg-1", outputs: { id: "sg-1", ingress } });
      const set = (inputs: object) => state(TYPE.securityGroup, "hosts", inputs, { id: "sg-1" });
      const written = state(
        TYPE.ingressRule,
        "old",
        { securityGroupId: "sg-1", ipProtocol: "tcp", fromPort: 5432, toPort: 5432, cidrIpv4: block },
        { id: "sgr-1", retainOnDelete: true },
      );
      const gone = step("delete", undefined, written);
      const both = { ingress: [read(443)], egress: [] };

      test.each<[string, ReturnType<typeof step>, string[]]>([
        [
          "is revoked if its program now sets the list",
          step("update", set({ ingress: [read(443)] }), holder({}, read(5432))),
          ["hosts"],
        ],
        [
          "is revoked if its program now sets both lists",
          step("update", set(both), holder({}, read(5432))),
          ["hosts"],
        ],
        [
          "stays if its program sets another list",
          step("update", set({ egress: [] }), holder({}, read(5432))),
          ["hosts", "old, let go"],
        ],
        [
          "stays if the provider did not read it",
          step("update", set(both), holder({}, read(22))),
          ["hosts", "old, let go"],
        ],
        [
          "stays if nothing changes",
          step("same", set(both), holder(both, read(5432))),
          ["hosts", "old, let go"],
        ],
      ])("%s", async (_, update, expected) => {
        expect(await left(update, gone)).toEqual(expected);
      });

      it("is revoked from a network ACL, whose entries have numbers", async () => {
        const entry = (ruleNo: number) => ({
          ruleNo,
          action: "allow",
          protocol: "-1",
          fromPort: 0,
          toPort: 0,
          cidrBlock: block,
        });
        const acl = (inputs: object, more: object = {}) =>
          state(TYPE.networkAcl, "acl", inputs, { id: "acl-1", ...more });
        const one = (ruleNumber: number, egress: boolean) =>
          state(
            TYPE.networkAclRule,
            `rule-${ruleNumber}-${egress}`,
            {
              networkAclId: "acl-1",
              ruleNumber,
              egress,
              ruleAction: "allow",
              protocol: "-1",
              cidrBlock: block,
            },
            { id: `nacl-${ruleNumber}`, retainOnDelete: true },
          );
        const old = acl({}, { outputs: { id: "acl-1", ingress: [entry(100)], egress: [entry(100)] } });
        expect(
          await left(
            step("update", acl({ ingress: [entry(200)] }), old),
            step("delete", undefined, one(100, false)),
            step("delete", undefined, one(100, true)),
            step("delete", undefined, one(110, false)),
          ),
        ).toEqual(["acl", "rule-100-true, let go", "rule-110-false, let go"]);
      });
    });

    it("refers to its group by ID, and not by dependencies", async () => {
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

  it("knows which new rules lose their permission to a rule that is deleted at the end", async () => {
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

  it("knows that a rule loses its number to itself if its replacement is created first", async () => {
    const one = (cidrBlock: string, ruleNumber = 100, id?: string) =>
      state(
        TYPE.networkAclRule,
        "in",
        { networkAclId: "acl-1", ruleNumber, egress: false, protocol: "-1", ruleAction: "allow", cidrBlock },
        { id },
      );
    const old = one("10.0.0.0/8", 100, "nacl-1");
    const first = (made: typeof old) => [step("create-replacement", made, old), step("replace", made, old)];
    const last = step("delete-replaced", undefined, old);
    const made = one("0.0.0.0/0");
    const [found] = await resources(preview([...first(made), last]));
    expect(found).toMatchObject({
      revoked: [{ path: "", by: { name: "in" }, once: "rule number" }],
      properties: { ruleAction: UNKNOWN },
    });
    expect(judgeRevoked(found!)).toMatchObject([
      {
        message:
          "has the same rule number as the resource that it replaces, which the update deletes last: this resource is refused as a duplicate, or the deletion removes it too",
        fix: "set deleteBeforeReplace on it",
      },
    ]);
    for (const steps of [
      [last, ...first(made).reverse()],
      [...first(one("0.0.0.0/0", 110)), last],
    ])
      expect((await resources(preview(steps)))[0]).not.toHaveProperty("revoked");
  });

  it("treats objects as two if the provider of a replacement is replaced too", async () => {
    const type = "kubernetes:networking.k8s.io/v1:NetworkPolicy";
    const provider = `${urn("pulumi:providers:kubernetes", "management")}::`;
    const one = (id: string, spec: object, more: object = {}) =>
      state(
        type,
        "allow",
        { metadata: { name: "allow", namespace: "clusters-tenant-a" }, spec },
        { provider: `${provider}${id}`, ...more },
      );
    const revoked = async (id: string) => {
      const [made, old] = [
        one(id, { podSelector: {} }),
        one("id-old", {}, { id: "clusters-tenant-a/allow" }),
      ];
      const [found] = await resources(
        preview([
          step("create-replacement", made, old),
          step("replace", made, old),
          step("delete-replaced", undefined, old),
        ]),
      );
      return [found!.revoked, found!.properties.spec];
    };
    expect(await revoked("id-old")).toMatchObject([[{ by: { name: "allow" }, once: "name" }], UNKNOWN]);
    for (const id of [NOT_KNOWN, "id-new"])
      expect(await revoked(id)).toEqual([undefined, { podSelector: {} }]);
  });

  it("knows which new objects and ACL rules are deleted at the end under another name", async () => {
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
});
