import { UNKNOWN, type PropertyValue } from "../../src/resources/resource";
import { rules } from "../../src/rules";
import { JudgedResources } from "../../src/gate/judgedResources";
import { Places, Status } from "../../src/gate/rule";
import { isMisread, verdictOf } from "../../src/gate/verdict";
import { NO_CONFIGURATION, type Exemption } from "../../src/gate/configuration";
import { hostedCluster, networking } from "../rules/builders";

/** The paths of a HostedCluster that are violated, and those that are unknown. */
function placesOf(spec: Record<string, PropertyValue>, exemptions: Exemption[] = []) {
  const { findings } = verdictOf(
    new JudgedResources([hostedCluster(spec)], { ...NO_CONFIGURATION, exemptions }),
    rules,
  );
  const at = (wanted: Status) =>
    new Set(findings.filter(({ status }) => status === wanted).map(({ path }) => path));
  return { wrong: at(Status.Violated), unknown: at(Status.Unknown) };
}

describe("an unreadable value is violated, and not also unknown", () => {
  test.each<[string, string[], Record<string, PropertyValue>]>([
    [
      "spec.configuration",
      ["spec.configuration.proxy.httpProxy", "spec.configuration.proxy.noProxy"],
      { configuration: 7 },
    ],
    [
      "spec.networking.machineNetwork",
      ["spec.networking.machineNetwork"],
      { networking: networking("10.0.0.0/16", { machineNetwork: [] }) },
    ],
    [
      "spec.networking.clusterNetwork[0]",
      ["spec.networking.clusterNetwork[0]", "spec.networking.clusterNetwork[0].cidr"],
      { networking: networking("10.0.0.0/16", { clusterNetwork: ["10.132.0.0/14"] }) },
    ],
  ])("%s", (place, within, spec) => {
    const { wrong, unknown } = placesOf(spec);
    expect(wrong).toContain(place);
    for (const one of within) expect(unknown).not.toContain(one);
  });

  test("a list with a fault of its own and an unknown entry is both violated and unknown", () => {
    const machineNetwork: PropertyValue = [
      { cidr: "10.0.0.0/16" },
      { cidr: UNKNOWN },
      { cidr: "10.1.0.0/16" },
    ];
    const { wrong, unknown } = placesOf({ networking: networking("10.0.0.0/16", { machineNetwork }) });
    expect(wrong).toContain("spec.networking.machineNetwork");
    expect([...unknown].filter((path) => path.startsWith("spec.networking.machineNetwork"))).not.toEqual([]);
  });

  test("a value that is unknown for a reason of its own, such as two definitions, stays unknown", () => {
    const cluster = hostedCluster({ configuration: 7 });
    const wrong = new Places();
    wrong.add("spec.configuration");
    const path = "spec.configuration.proxy";
    const message = `HostedCluster tenant-a: ${path}`;
    expect(isMisread({ path, message }, cluster, wrong)).toBe(true);
    expect(isMisread({ path, message: `${message}, it is written at a and b` }, cluster, wrong)).toBe(false);
  });

  test("an unreadable value is unknown if its finding is exempted", () => {
    const ofOthers = "spec.configuration.proxy.trustedCA.name";
    expect(placesOf({ configuration: 7 }).unknown).not.toContain(ofOthers);
    const exemption = {
      rule: "proxy-invalid",
      resource: "*tenant-a",
      reason: "tried here",
      path: "exemptions[0]",
    };
    const { wrong, unknown } = placesOf({ configuration: 7 }, [exemption]);
    expect(wrong).not.toContain("spec.configuration");
    expect(unknown).toContain(ofOthers);
  });
});
