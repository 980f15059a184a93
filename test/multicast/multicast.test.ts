import { multicastAnnotation } from "../../src/multicast/multicast";
import { UNKNOWN, type PropertyValue } from "../../src/resources/resource";
import { judge, resource } from "../rules/builders";

const found = (value: PropertyValue, type = "Namespace") =>
  judge(multicastAnnotation, [
    resource(`kubernetes:core/v1:${type}`, "shop", {
      metadata: { name: "shop", annotations: { "k8s.ovn.org/multicast-enabled": value } },
    }),
  ]);

describe("M18 the annotation that turns multicast on", () => {
  it.each(["True", "TRUE", " true", "yes", "on", "1", "enabled"])("%j leaves it off", (value) => {
    expect(found(value)).toMatchObject([
      {
        level: "warning",
        status: "violated",
        path: 'metadata.annotations["k8s.ovn.org/multicast-enabled"]',
      },
    ]);
  });

  it.each(["true", "false", "False", "no", ""])("%j does what it says", (value) => {
    expect(found(value)).toEqual([]);
  });

  it("counts in a patch of a namespace, and nowhere else", () => {
    expect(found("True", "NamespacePatch")).toHaveLength(1);
    expect(found("True", "ConfigMap")).toEqual([]);
  });

  it.each<PropertyValue>([true, 1, null])("leaves %j to object-invalid", (value) => {
    expect(found(value)).toEqual([]);
  });

  it("is unknown where it is not known yet", () => {
    expect(found(UNKNOWN)).toMatchObject([{ status: "unknown" }]);
  });
});
