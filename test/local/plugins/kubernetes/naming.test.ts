import { named } from "../../../../local/plugins/kubernetes/naming";
import { type CheckRequest, type Props, UNKNOWN_VALUE } from "../../../../local/plugins/provider";

describe("names", () => {
  const request = (more: Partial<CheckRequest> = {}) =>
    ({ name: "cm", randomSeed: new Uint8Array([1]), autonaming: undefined, ...more }) as CheckRequest;
  const nameOf = (object: Props) => (object.metadata as Props).name;

  test("are those of the program, or generated ones that are stable for the same seed", () => {
    expect(nameOf(named({ metadata: { name: "mine" } }, undefined, request()))).toBe("mine");
    const [first, second] = [named({}, undefined, request()), named({}, undefined, request())];
    expect(nameOf(first)).toMatch(/^cm-[0-9a-f]{8}$/);
    expect(second).toEqual(first);
    expect(named({}, first, request({ randomSeed: new Uint8Array([2]) }))).toEqual(first);
  });
  test("follow the autonaming of the stack, and stay unknown if they are", () => {
    const autonaming = { proposedName: "dev-cm", mode: "propose" as const };
    expect(nameOf(named({}, undefined, request({ autonaming })))).toBe("dev-cm");
    expect(nameOf(named({ metadata: { name: UNKNOWN_VALUE } }, undefined, request()))).toBe(UNKNOWN_VALUE);
    expect(named({ metadata: UNKNOWN_VALUE }, undefined, request())).toEqual({ metadata: UNKNOWN_VALUE });
  });
});
