import { UNKNOWN, type Resource } from "../../../src/resources/resource";
import { immutableField } from "../../../src/hostedCluster/rules/identity";
import {
  HOSTED_CLUSTER,
  hostedCluster,
  networking,
  resource,
  unknowns,
  violations,
  type Properties,
} from "../../rules/builders";

/** A HostedCluster that a plan changes. */
const changed = (from: Properties, to: Properties): Resource => {
  const old = hostedCluster(from).properties;
  return { ...hostedCluster(to), before: { inputs: old, outputs: old } };
};
const cluster = (clusterNetwork: string) => ({
  networking: networking("10.0.0.0/16", { clusterNetwork: [{ cidr: clusterNetwork }] }),
});
const path = "spec.networking.clusterNetwork";

describe("immutable-field", () => {
  it("finds another cluster network than the plan starts from", () => {
    const found = violations(immutableField, [changed(cluster("10.132.0.0/14"), cluster("10.136.0.0/14"))]);
    expect(found).toMatchObject([{ path, message: expect.stringContaining("would destroy") as string }]);
  });

  it("takes what stays, what may change, and a cluster that is new", () => {
    expect(violations(immutableField, [changed({}, {})])).toEqual([]);
    const release = { release: { image: "quay.io/openshift-release-dev/ocp-release:4.21.1-x86_64" } };
    expect(violations(immutableField, [changed({}, release), hostedCluster({}, "tenant-b")])).toEqual([]);
  });

  it("finds a patch that contradicts the HostedCluster beside it", () => {
    const patch = (spec: Properties) =>
      resource(`${HOSTED_CLUSTER}Patch`, "patch", {
        metadata: { name: "tenant-a", namespace: "clusters" },
        spec,
      });
    const wrong = patch({ networking: { clusterNetwork: [{ cidr: "10.136.0.0/14" }] } });
    expect(violations(immutableField, [hostedCluster(), wrong])).toMatchObject([
      { resource: wrong.origin, path },
    ]);
    const fine = patch({ networking: { clusterNetwork: [{ cidr: "10.132.0.0/14" }] } });
    expect(violations(immutableField, [hostedCluster(), fine])).toEqual([]);
    expect(violations(immutableField, [wrong])).toEqual([]);
  });

  it("counts a new value that is not known, and judges the others beside it", () => {
    const unsaid = { networking: networking("10.0.0.0/16", { clusterNetwork: UNKNOWN }) };
    expect(violations(immutableField, [changed({}, unsaid)])).toEqual([]);
    expect(unknowns(immutableField, [changed({}, unsaid)])).toMatchObject([{ path }]);
    const other = { networking: { ...unsaid.networking, serviceNetwork: [{ cidr: "172.29.0.0/16" }] } };
    expect(violations(immutableField, [changed({}, other)])).toMatchObject([
      { path: "spec.networking.serviceNetwork" },
    ]);
  });

  it("counts an old value that is not known, such as a secret", () => {
    const secret = { networking: networking("10.0.0.0/16", { clusterNetwork: UNKNOWN }) };
    const part = { networking: networking("10.0.0.0/16", { clusterNetwork: [{ cidr: UNKNOWN }] }) };
    const all: Properties[] = [secret, part, { networking: UNKNOWN }];
    for (const from of all) {
      expect(violations(immutableField, [changed(from, {})])).toEqual([]);
      expect(unknowns(immutableField, [changed(from, {})]).map((one) => one.path)).toContain(path);
    }
  });

  it("counts a new section that is not known", () => {
    const unsaid = changed({}, { networking: UNKNOWN });
    expect(violations(immutableField, [unsaid])).toEqual([]);
    expect(unknowns(immutableField, [unsaid])).toMatchObject(
      ["machineNetwork", "clusterNetwork", "serviceNetwork", "networkType"].map((name) => ({
        path: `spec.networking.${name}`,
        message: expect.stringContaining("whether it changes") as string,
      })),
    );
  });

  it("says of a patch where the other value stands, and keeps what the patch does not name", () => {
    const object = hostedCluster({ networking: networking("10.0.0.0/16", { apiServer: { port: 7443 } }) });
    const patch = (spec: Properties) =>
      resource(`${HOSTED_CLUSTER}Patch`, "patch", {
        metadata: { name: "tenant-a", namespace: "clusters" },
        spec,
      });
    const machines = { networking: { machineNetwork: [{ cidr: "10.1.0.0/16" }] } };
    expect(violations(immutableField, [object, patch(machines)])).toMatchObject([
      {
        level: "error",
        path: "spec.networking.machineNetwork",
        message: expect.stringMatching(
          /^is in HostedCluster tenant-a \[\{"cidr":"10\.0\.0\.0\/16"\}\] and can never change: /,
        ) as string,
        fix: "write it as it is",
      },
    ]);
    expect(
      violations(immutableField, [object, patch({ networking: { apiServer: { port: 7443 } } })]),
    ).toEqual([]);
    expect(violations(immutableField, [object, patch({ networking: { apiServer: "none" } })])).toMatchObject([
      { path: "spec.networking.apiServer.port" },
    ]);
  });
});
