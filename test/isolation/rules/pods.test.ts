import { UNKNOWN, type PropertyValue } from "../../../src/resources/resource";
import {
  podCapabilities,
  podHostNetwork,
  podHostPath,
  podHostPid,
  podHostPort,
  podPrivileged,
  podSelinux,
  podUser,
} from "../../../src/isolation/rules/podRules";
import type { Rule } from "../../../src/gate/rule";
import { hostedCluster, resource, unknowns, violations, type Properties } from "../../rules/builders";

const OURS = "clusters-tenant-a";
const cluster = hostedCluster();
const pod = (spec: PropertyValue, namespace: PropertyValue = OURS) =>
  resource("kubernetes:core/v1:Pod", "probe", { metadata: { name: "probe", namespace }, spec });
const container = (more: Properties) => ({ containers: [{ name: "probe", image: "probe", ...more }] });
const secured = (securityContext: Properties) => container({ securityContext });
const namespace = (annotations: PropertyValue) =>
  resource("kubernetes:core/v1:Namespace", "ours", { metadata: { name: OURS, annotations } });

const CASES: [Rule, bad: Properties, path: string, good: Properties][] = [
  [
    podPrivileged,
    secured({ privileged: true }),
    "spec.containers[0].securityContext.privileged",
    secured({ privileged: false }),
  ],
  [
    podHostPath,
    { ...container({}), volumes: [{ name: "etc", hostPath: { path: "/etc" } }] },
    "spec.volumes[0].hostPath",
    { ...container({}), volumes: [{ name: "etc", emptyDir: {} }] },
  ],
  [podHostNetwork, { ...container({}), hostNetwork: true }, "spec.hostNetwork", { hostNetwork: false }],
  [podHostPid, { ...container({}), hostPID: true }, "spec.hostPID", { hostPID: false }],
  [
    podHostPort,
    container({ ports: [{ containerPort: 80, hostPort: 8080 }] }),
    "spec.containers[0].ports[0].hostPort",
    container({ ports: [{ containerPort: 80 }] }),
  ],
  [
    podCapabilities,
    secured({ capabilities: { add: ["NET_BIND_SERVICE", "SETUID"] } }),
    "spec.containers[0].securityContext.capabilities.add[1]",
    secured({ capabilities: { add: ["NET_BIND_SERVICE"], drop: ["ALL"] } }),
  ],
  [
    podCapabilities,
    secured({ capabilities: { add: [true] } }),
    "spec.containers[0].securityContext.capabilities.add[0]",
    secured({ capabilities: { add: [] } }),
  ],
  [podUser, secured({ runAsUser: 0 }), "spec.containers[0].securityContext.runAsUser", container({})],
];

describe("M13 pods in the namespace of a hosted control plane", () => {
  it.each(CASES.map(([rule, ...rest]) => [rule.id, rule, ...rest] as const))(
    "%s finds it, and takes what is right",
    (_, rule, bad, path, good) => {
      expect(violations(rule, [cluster, pod(bad)]).map((finding) => finding.path)).toEqual([path]);
      expect(violations(rule, [cluster, pod(good)])).toEqual([]);
    },
  );

  it.each(CASES.map(([rule, ...rest]) => [rule.id, rule, ...rest] as const))(
    "%s does not judge other namespaces, and counts an unknown spec",
    (_, rule, bad) => {
      expect(violations(rule, [cluster, pod(bad, "default")])).toEqual([]);
      expect(violations(rule, [pod(bad)])).toEqual([]);
      expect(violations(rule, [cluster, pod(UNKNOWN)])).toEqual([]);
      expect(unknowns(rule, [cluster, pod(UNKNOWN)])).toMatchObject([{ path: "spec" }]);
    },
  );

  it.each([
    ["apps/v1:Deployment", "spec.template.spec"],
    ["apps/v1:DaemonSet", "spec.template.spec"],
    ["apps/v1:StatefulSet", "spec.template.spec"],
    ["batch/v1:Job", "spec.template.spec"],
    ["batch/v1:CronJob", "spec.jobTemplate.spec.template.spec"],
  ])("judges the pods of a %s", (type, path) => {
    const spec = path
      .split(".")
      .reduceRight<PropertyValue>((inner, key) => ({ [key]: inner }), { hostNetwork: true });
    const workload = resource(`kubernetes:${type}`, "probe", {
      metadata: { name: "probe", namespace: OURS },
      ...(spec as Properties),
    });
    expect(violations(podHostNetwork, [cluster, workload])).toMatchObject([{ path: `${path}.hostNetwork` }]);
  });

  it("looks at containers that start before the others", () => {
    const spec = { initContainers: [{ name: "a", securityContext: { privileged: true } }], ...container({}) };
    expect(violations(podPrivileged, [cluster, pod(spec)])).toMatchObject([
      { path: "spec.initContainers[0].securityContext.privileged" },
    ]);
  });

  it("counts unknown values", () => {
    expect(unknowns(podHostNetwork, [cluster, pod({ hostNetwork: UNKNOWN })])).toMatchObject([
      { path: "spec.hostNetwork" },
    ]);
    expect(unknowns(podPrivileged, [cluster, pod({ containers: UNKNOWN })])).toHaveLength(1);
  });

  it("holds a user id against the namespace's range", () => {
    const KEY = "openshift.io/sa.scc.uid-range";
    const runs = (runAsUser: number) => pod({ securityContext: { runAsUser } });
    const ours = namespace({ [KEY]: "1000680000/10000" });
    expect(violations(podUser, [cluster, ours, runs(1000680000)])).toEqual([]);
    expect(violations(podUser, [cluster, ours, runs(1000689999)])).toEqual([]);
    expect(violations(podUser, [cluster, ours, runs(1000690000)])).toMatchObject([
      { message: "1000690000 lies outside the namespace's user ids 1000680000 to 1000689999" },
    ]);
    for (const others of [[], [namespace(UNKNOWN)], [namespace({})], [namespace({ [KEY]: "any" })]]) {
      expect(violations(podUser, [cluster, runs(1001), ...others])).toEqual([]);
      expect(unknowns(podUser, [cluster, runs(1001), ...others])).toHaveLength(1);
    }
  });

  it("holds SELinux categories against those of the namespace", () => {
    const KEY = "openshift.io/sa.scc.mcs";
    const labelled = (level: string) => pod({ securityContext: { seLinuxOptions: { level } } });
    const ours = namespace({ [KEY]: "s0:c14,c24" });
    for (const level of ["s0:c14,c24", "s0:c24,c14"])
      expect(violations(podSelinux, [cluster, ours, labelled(level)])).toEqual([]);
    for (const level of ["s0:c1,c2", "s1:c14,c24", "s0:c14", "s0:c14.c24", "s0:c14,c24,c30", "s0", "c14,c24"])
      expect(violations(podSelinux, [cluster, ours, labelled(level)])).toMatchObject([
        {
          path: "spec.securityContext.seLinuxOptions.level",
          message: `${level} is not s0:c14,c24, the level of the namespace`,
        },
      ]);
    expect(violations(podSelinux, [cluster, namespace({ [KEY]: "s0" }), labelled("s0")])).toEqual([]);
    expect(unknowns(podSelinux, [cluster, labelled("s0:c1,c2")])).toHaveLength(1);
    expect(violations(podSelinux, [cluster, pod(container({}))])).toEqual([]);
  });
});
