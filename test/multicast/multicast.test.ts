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
  it.each(["True", "TRUE", " true", "yes", "on", "1", "enabled"])(
    "%j is reported, because it leaves multicast off",
    (value) => {
      expect(found(value)).toMatchObject([
        {
          level: "warning",
          status: "violated",
          path: 'metadata.annotations["k8s.ovn.org/multicast-enabled"]',
        },
      ]);
    },
  );

  it.each(["true", "false", "False", "no", ""])("%j is accepted", (value) => {
    expect(found(value)).toEqual([]);
  });

  it("is checked in a patch of a namespace, and in no other kind", () => {
    expect(found("True", "NamespacePatch")).toHaveLength(1);
    expect(found("True", "ConfigMap")).toEqual([]);
  });

  it.each<PropertyValue>([true, 1, null])("with value %j is left to object-invalid", (value) => {
    expect(found(value)).toEqual([]);
  });

  it("is unknown if its value is unknown", () => {
    expect(found(UNKNOWN)).toMatchObject([{ status: "unknown" }]);
  });
});
