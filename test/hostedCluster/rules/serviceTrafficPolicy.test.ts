import { UNKNOWN, type PropertyValue } from "../../../src/resources/resource";
import { serviceTrafficPolicy } from "../../../src/hostedCluster/rules/publishing";
import {
  hostedCluster,
  networking,
  resource,
  unknowns,
  violations,
  type Properties,
} from "../../rules/builders";
import type { Configuration } from "../../../src/gate/configuration";

const SERVICE = "kubernetes:core/v1:Service";
const service = (spec: Properties, type = SERVICE) =>
  resource(type, "web", { metadata: { name: "web" }, spec });
const external = (policy: PropertyValue) => service({ type: "LoadBalancer", externalTrafficPolicy: policy });
const internal = (policy: PropertyValue) => service({ type: "ClusterIP", internalTrafficPolicy: policy });
const image = (release: string) => ({ image: `quay.io/openshift-release-dev/ocp-release:${release}-x86_64` });
const cluster = (release: string, name = "tenant-a", more: Properties = {}) =>
  hostedCluster({ release: image(release), ...more }, name);
const typed = (release: string, networkType: PropertyValue) =>
  cluster(release, "tenant-a", { networking: networking("10.0.0.0/16", { networkType }) });
const digest = hostedCluster({ release: { image: "quay.io/ocp@sha256:0123" } });

describe("M24 old releases of OVN-Kubernetes ignore the traffic policy Local", () => {
  it.each([
    ["external", external("Local"), "4.7.60", "spec.externalTrafficPolicy", "4.10"],
    ["external", external("Local"), "4.9.1", "spec.externalTrafficPolicy", "4.10"],
    ["internal", internal("Local"), "4.9.1", "spec.internalTrafficPolicy", "4.11"],
    ["internal", internal("Local"), "4.10.5", "spec.internalTrafficPolicy", "4.11"],
  ])("of %s traffic: %#", (_, object, release, path, since) => {
    const [minor] = /^4\.\d+/.exec(release)!;
    expect(violations(serviceTrafficPolicy, [object, cluster(release)])).toMatchObject([
      {
        level: "warning",
        path,
        message: `Local has no effect in release ${minor} of clusters/tenant-a: OVN-Kubernetes treats it as Cluster before ${since}`,
        fix: `write Cluster, or upgrade to ${since} or newer`,
        documents: expect.arrayContaining(["OCP 4.7 OVN, 15.1.3. OVN-Kubernetes limitations"]) as unknown,
      },
    ]);
  });

  it("both policies of a Service are two findings, also in a patch of a Service", () => {
    const both = { externalTrafficPolicy: "Local", internalTrafficPolicy: "Local" };
    expect(violations(serviceTrafficPolicy, [service(both), cluster("4.9.0")])).toHaveLength(2);
    const patch = service(both, `${SERVICE}Patch`);
    expect(violations(serviceTrafficPolicy, [patch, cluster("4.9.0")])).toHaveLength(2);
  });

  it("the release of the configuration applies if no object states one", () => {
    const configuration: Configuration = {
      file: "hypershift-network.yaml",
      clusters: [
        {
          path: "hostedClusters[0]",
          topology: { name: "tenant-a", platform: "None", release: "4.9" },
          securityGroups: {},
        },
      ],
      levels: {},
    };
    expect(violations(serviceTrafficPolicy, [external("Local")], configuration)).toHaveLength(1);
  });
});

describe("M24 no finding for", () => {
  it.each([
    ["external Local from 4.10 on", [external("Local"), cluster("4.10.0")]],
    ["internal Local from 4.11 on", [internal("Local"), cluster("4.11.0")]],
    ["Cluster in any release", [external("Cluster"), internal("Cluster"), cluster("4.7.0")]],
    ["no policy", [service({ type: "NodePort" }), cluster("4.7.0")]],
    ["no hosted cluster", [external("Local")]],
    ["a network that is not OVN-Kubernetes", [external("Local"), typed("4.9.0", "OpenShiftSDN")]],
    [
      "an unknown network type in a release that supports both",
      [external("Local"), typed("4.20.0", UNKNOWN)],
    ],
    [
      "objects of other kinds",
      [resource("kubernetes:v1:Pod", "web", { spec: { externalTrafficPolicy: "Local" } }), cluster("4.9.0")],
    ],
  ])("%s", (_, resources) => {
    expect(violations(serviceTrafficPolicy, resources)).toEqual([]);
    expect(unknowns(serviceTrafficPolicy, resources)).toEqual([]);
  });
});

describe("M24 counted as unknown:", () => {
  it.each([
    ["the policy", [external(UNKNOWN), cluster("4.9.0")], "Service web: spec.externalTrafficPolicy"],
    [
      "the release",
      [external("Local"), digest],
      "the release of hosted cluster clusters/tenant-a is not known",
    ],
    [
      "the network type",
      [external("Local"), typed("4.9.0", UNKNOWN)],
      "the network type of hosted cluster clusters/tenant-a is not known",
    ],
    [
      "the release of one cluster and the network type of another",
      [
        external("Local"),
        hostedCluster({ release: { image: "quay.io/ocp@sha256:0123" } }, "tenant-b"),
        typed("4.9.0", UNKNOWN),
      ],
      "the release of hosted cluster clusters/tenant-b is not known",
    ],
    [
      "the Service's cluster",
      [external("Local"), cluster("4.9.0"), cluster("4.20.0", "tenant-b")],
      "the input has hosted clusters of old and of new releases",
    ],
    ["the whole spec", [resource(SERVICE, "web", { spec: UNKNOWN }), cluster("4.9.0")], "Service web: spec"],
  ])("%s", (_, resources, words) => {
    expect(violations(serviceTrafficPolicy, resources)).toEqual([]);
    const [first] = unknowns(serviceTrafficPolicy, resources);
    expect(first?.message).toContain(words);
  });

  it("names clusters in the same order, whatever the order of the input", () => {
    const names = ["e", "b", "d", "a", "c"];
    const reasons = [names, [...names].sort()].map((order) => {
      const unread = { release: { image: "quay.io/ocp@sha256:0123" } };
      const resources = [external("Local"), ...order.map((name) => hostedCluster(unread, name))];
      return unknowns(serviceTrafficPolicy, resources)[0]?.message;
    });
    expect(reasons[0]).toContain(
      "the releases of hosted clusters clusters/a, clusters/b, clusters/c and 2 more are not known",
    );
    expect(reasons[1]).toBe(reasons[0]);
    const old = names.map((name) => cluster("4.9.0", name));
    const [found] = violations(serviceTrafficPolicy, [external("Local"), ...old]);
    expect(found?.message).toContain("in release 4.9 of clusters/a, release 4.9 of clusters/b, ");
  });

  it("not counted: an unknown policy in a release that supports both", () => {
    expect(unknowns(serviceTrafficPolicy, [external(UNKNOWN), cluster("4.20.0")])).toEqual([]);
  });
});
