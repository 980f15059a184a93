import { annotationOf, nameOf, textAt } from "../../src/resources/kubernetesObject";
import { UNKNOWN, type PropertyValue } from "../../src/resources/resource";

describe("texts of objects", () => {
  test("are trimmed, and empty if they are unknown or not strings", () => {
    expect(textAt({ status: { message: " no route \n" } }, "status.message")).toBe("no route");
    const none: (PropertyValue | undefined)[] = [
      undefined,
      {},
      { status: { message: 5 } },
      { status: UNKNOWN },
    ];
    for (const object of none) expect(textAt(object, "status.message")).toBe("");
    expect(nameOf({ metadata: { name: "web" } })).toBe("web");
    expect(nameOf({ metadata: {} })).toBe("");
  });

  test("in annotations may have dots and slashes in their keys, and may be empty", () => {
    const object = {
      metadata: { annotations: { "k8s.v1.cni.cncf.io/networks": "a", empty: "", number: 5 } },
    };
    expect(annotationOf(object, "k8s.v1.cni.cncf.io/networks")).toBe("a");
    expect(annotationOf(object, "empty")).toBe("");
    for (const key of ["number", "absent", "constructor"]) expect(annotationOf(object, key)).toBeUndefined();
    const none: (PropertyValue | undefined)[] = [
      undefined,
      {},
      { metadata: { annotations: null } },
      { metadata: { annotations: UNKNOWN } },
    ];
    for (const one of none) expect(annotationOf(one, "empty")).toBeUndefined();
  });
});
