import { namesOf } from "../../src/resources/groupRoles";
import { ResourceIndex } from "../../src/resources/resourceIndex";
import { TYPE } from "../../src/resources/resourceTypes";
import { securityGroups } from "../../src/resources/securityGroups";
import { group, PlanFolder, rule } from "./planFolder";
import { preview, stackExport, state, step } from "./plans";

const given = new PlanFolder();
const resources = (text: string, options?: object) => given.resources(text, options);

describe("pulumi stack export", () => {
  it("reports an interrupted update, because no state contains what it created", async () => {
    const pending = [{ resource: rule("0.0.0.0/0"), type: "creating" }];
    const notesOf = async (text: string) => {
      given.folder.write("state.json", text);
      return (await given.folder.read(["state.json"])).notes.map((note) =>
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
    "contains what is deployed, without states that have %s: true, and so does a refreshed preview",
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

  it("contains retained resources that wait for deletion, next to their replacements", async () => {
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
    const state = { state: given.folder.write("state.json", text) };
    const shown = [
      step("same", { ...rule("10.0.0.0/8"), id: "sgr-2" } as never),
      step("delete-replaced", undefined, old),
    ];
    const [, , ...rest] = await resources(preview(shown, { changeSummary: { same: 2 } }), state);
    expect(rest.map(({ name }) => name)).toEqual(["hosts"]);
  });

  it("is rejected if its version is unknown or its resources are damaged", async () => {
    given.folder.write("v1.json", stackExport([], { version: 1 }));
    given.folder.write("damaged.json", stackExport([{ urn: 3 }]));
    given.folder.write("outputs.json", stackExport([{ ...group(), outputs: ["nonsense"] }]));
    expect(await given.folder.faults(["v1.json", "damaged.json", "outputs.json"])).toEqual([
      expect.stringContaining("of an unknown version"),
      expect.stringContaining("damaged stack export"),
      expect.stringContaining("damaged stack export"),
    ]);
  });

  describe("a security group that another stack reads by its ID", () => {
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
      ["as its dependency", { propertyDependencies: { securityGroupId: [read.urn] } }],
      ["by its ID", { propertyDependencies: {} }],
    ])("has the rules of both stacks, if these refer to it %s, and shows its own list", async (_, named) => {
      given.folder.write("a.json", stackExport([managed]));
      given.folder.write("b.json", preview([step("read", read), step("create", open(named))]));
      const inputs = await given.folder.read(["b.json", "a.json"]);
      expect(inputs.faults).toEqual([]);
      const { groups, unknown } = securityGroups(new ResourceIndex(inputs.resources));
      expect(unknown).toEqual([]);
      expect(groups.map(({ resource }) => resource?.origin.urn)).toEqual([managed.urn]);
      expect(groups[0]!.rules.map(({ resource }) => resource.name)).toEqual(["in-443"]);
      expect(namesOf(groups[0]!.resource!)).toEqual(expect.arrayContaining(["hosts", "theirs"]));
    });

    it("is the one of the stack that reads it, if no other stack is given", async () => {
      given.folder.write("b.json", stackExport([read]));
      expect((await given.folder.read(["b.json"])).resources.map(({ name }) => name)).toEqual(["theirs"]);
    });

    it("stays two groups if two stacks manage it, and only one has the rules that name its ID", async () => {
      given.folder.write("a.json", stackExport([managed]));
      given.folder.write("c.json", stackExport([{ ...managed, urn: managed.urn.replace(":dev::", ":c::") }]));
      given.folder.write("b.json", stackExport([open({ propertyDependencies: {} })]));
      const { resources: all } = await given.folder.read(["a.json", "b.json", "c.json"]);
      const { groups } = securityGroups(new ResourceIndex(all));
      expect(groups.map(({ resource }) => resource?.name)).toEqual(["hosts", "hosts"]);
      expect(groups.map(({ rules }) => rules.length).sort()).toEqual([0, 1]);
    });
  });

  it("is rejected together with a preview of the same stack", async () => {
    given.folder.write("plan.json", preview([step("create", group())]));
    given.folder.write("state.json", stackExport([group()]));
    expect(await given.folder.faults(["plan.json", "state.json"])).toEqual([
      expect.stringMatching(/^state\.json.*plan\.json shows too.*--state/),
    ]);
  });
});
