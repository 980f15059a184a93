import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
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
import {
  hostedCluster,
  judge,
  linesOf,
  resource,
  unknowns,
  violations,
  type Properties,
} from "../../rules/builders";

const OURS = "clusters-tenant-a";
const cluster = hostedCluster();
const pod = (spec: PropertyValue, namespace: PropertyValue = OURS) =>
  resource("kubernetes:core/v1:Pod", "probe", { metadata: { name: "probe", namespace }, spec });
const container = (more: Properties) => ({ containers: [{ name: "probe", image: "probe", ...more }] });
const secured = (securityContext: Properties) => container({ securityContext });
const namespace = (annotations: PropertyValue) =>
  resource("kubernetes:core/v1:Namespace", "ours", { metadata: { name: OURS, annotations } });

const lines = (rule: Rule, ...resources: Resource[]) => judge(rule, resources).map((one) => linesOf([one]));

const CASES: [Rule, bad: Properties, found: string, good: Properties][] = [
  [
    podPrivileged,
    secured({ privileged: true }),
    "spec.containers[0].securityContext.privileged | the container is privileged | write false, or leave it out",
    secured({ privileged: false }),
  ],
  [
    podPrivileged,
    secured({ privileged: "yes" }),
    "spec.containers[0].securityContext.privileged | is neither true nor false | write false, or leave it out",
    secured({}),
  ],
  [
    podHostPath,
    { ...container({}), volumes: [{ name: "etc", hostPath: { path: "/etc" } }] },
    "spec.volumes[0].hostPath | the pod mounts a directory of its node | mount a volume that belongs to the pod: emptyDir, a ConfigMap, a Secret or a claim",
    { ...container({}), volumes: [{ name: "etc", emptyDir: {} }] },
  ],
  [
    podHostNetwork,
    { ...container({}), hostNetwork: true },
    "spec.hostNetwork | the pod uses the network of its node | write false, or leave it out",
    { hostNetwork: false },
  ],
  [
    podHostPid,
    { ...container({}), hostPID: true },
    "spec.hostPID | the pod sees the processes of its node | write false, or leave it out",
    { hostPID: false },
  ],
  [
    podHostPort,
    container({ ports: [{ containerPort: 80, hostPort: 8080 }] }),
    "spec.containers[0].ports[0].hostPort | the container uses port 8080 of its node | remove it; a Service makes the port reachable",
    container({ ports: [{ containerPort: 80 }, { containerPort: 81, hostPort: 0 }, { hostPort: "0" }] }),
  ],
  [
    podCapabilities,
    secured({ capabilities: { add: ["NET_BIND_SERVICE", "SETUID"] } }),
    "spec.containers[0].securityContext.capabilities.add[1] | the container adds the capability SETUID | remove it from add",
    secured({ capabilities: { add: ["NET_BIND_SERVICE"], drop: ["ALL"] } }),
  ],
  [
    podCapabilities,
    secured({ capabilities: { add: ["cap_kill"] } }),
    "spec.containers[0].securityContext.capabilities.add[0] | the container adds the capability KILL | remove it from add",
    secured({ capabilities: { add: ["MY_CAP_KILL", "SETCAP_UID"] } }),
  ],
  [
    podCapabilities,
    secured({ capabilities: { add: ["all"] } }),
    "spec.containers[0].securityContext.capabilities.add[0] | the container adds the capability ALL | remove it from add",
    secured({ capabilities: { add: [""] } }),
  ],
  [
    podCapabilities,
    secured({ capabilities: { add: [true] } }),
    "spec.containers[0].securityContext.capabilities.add[0] | is not a string, and the API server refuses the pod | write the name of a capability",
    secured({ capabilities: { add: [] } }),
  ],
  [
    podUser,
    secured({ runAsUser: 0 }),
    "spec.containers[0].securityContext.runAsUser | the processes run as root | leave runAsUser out: OpenShift assigns a user ID from the namespace's range",
    container({}),
  ],
  [
    podSelinux,
    secured({ seLinuxOptions: { level: 0 } }),
    "spec.containers[0].securityContext.seLinuxOptions.level | is not a string | leave seLinuxOptions out: OpenShift gives the pod the categories of its namespace",
    secured({ seLinuxOptions: { type: "container_t" } }),
  ],
];

describe("M13 pods in the namespace of a hosted control plane", () => {
  it.each(CASES.map(([rule, ...rest]) => [rule.id, rule, ...rest] as const))(
    "%s finds the violation, and accepts a valid pod",
    (_, rule, bad, found, good) => {
      expect(lines(rule, cluster, pod(bad))).toEqual([`violated ${found}`]);
      expect(lines(rule, cluster, pod(good))).toEqual([]);
    },
  );

  it.each(CASES.map(([rule, ...rest]) => [rule.id, rule, ...rest] as const))(
    "%s ignores other namespaces, and reports an unknown spec as unknown",
    (_, rule, bad) => {
      expect(lines(rule, cluster, pod(bad, "default"))).toEqual([]);
      expect(lines(rule, cluster, pod(bad, null))).toEqual([]);
      expect(lines(rule, pod(bad))).toEqual([]);
      expect(lines(rule, cluster, pod(null))).toEqual([]);
      expect(judge(rule, [cluster, pod(UNKNOWN)]).map(({ status, path }) => `${status} ${path}`)).toEqual([
        "unknown spec",
      ]);
    },
  );

  it("are unknown if the name of the cluster is, or if the namespace of the pod is secret", () => {
    const { properties, ...others } = hostedCluster({}, "tenant-b");
    const nameless: Resource = {
      ...others,
      properties: { ...properties, metadata: { namespace: "clusters", name: UNKNOWN } },
    };
    const seen = (...resources: Resource[]) =>
      judge(podHostNetwork, resources).map(
        ({ status, path, message }) => `${status} ${path}: ${message.replace(/^.*?, /, "")}`,
      );
    const bad = (at: PropertyValue) => pod({ hostNetwork: true }, at);
    const reason = "the name of a hosted cluster, and thus the namespace of its control plane, is not known";
    expect(seen(nameless, bad("clusters-anything"))).toEqual([`unknown metadata.namespace: ${reason}`]);
    expect(seen(nameless, bad("default"))).toEqual([]);
    expect(seen(nameless, cluster, bad(OURS))).toEqual([
      "violated spec.hostNetwork: the pod uses the network of its node",
    ]);
    expect(seen(cluster, bad(UNKNOWN))).toEqual([]);
    expect(seen(cluster, { ...bad(UNKNOWN), secrets: ["metadata.namespace"] })).toEqual([
      expect.stringMatching(/^unknown \(secret\) metadata\.namespace: /),
    ]);
    expect(seen({ ...bad(UNKNOWN), secrets: ["metadata.namespace"] })).toEqual([]);
    expect(seen({ ...nameless, secrets: ["metadata.name"] }, bad("clusters-anything"))).toEqual([
      expect.stringMatching(/^unknown \(secret\) metadata\.name: /),
    ]);
  });

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

  it("includes init containers", () => {
    const spec = { initContainers: [{ name: "a", securityContext: { privileged: true } }], ...container({}) };
    expect(violations(podPrivileged, [cluster, pod(spec)])).toMatchObject([
      { path: "spec.initContainers[0].securityContext.privileged" },
    ]);
  });

  it("reports unknown values as unknown", () => {
    expect(unknowns(podHostNetwork, [cluster, pod({ hostNetwork: UNKNOWN })])).toMatchObject([
      { path: "spec.hostNetwork" },
    ]);
    expect(unknowns(podPrivileged, [cluster, pod({ containers: UNKNOWN })])).toHaveLength(1);
  });

  it("checks a user ID against the range of the namespace", () => {
    const KEY = "openshift.io/sa.scc.uid-range";
    const runs = (runAsUser: number) => pod({ securityContext: { runAsUser } });
    const ours = namespace({ [KEY]: "1000680000/10000" });
    expect(violations(podUser, [cluster, ours, runs(1000680000)])).toEqual([]);
    expect(violations(podUser, [cluster, ours, runs(1000689999)])).toEqual([]);
    expect(violations(podUser, [cluster, ours, runs(1000690000)])).toMatchObject([
      { message: "1000690000 is outside the namespace's user IDs 1000680000 to 1000689999" },
    ]);
    const elsewhere = resource("kubernetes:core/v1:Namespace", "other", {
      metadata: { name: "other", annotations: { [KEY]: "1000/10" } },
    });
    const texts: PropertyValue[] = ["any", "1000/10/2", "1000/", "/10", "x1000/10", 1000, UNKNOWN];
    for (const others of [
      ...[[], [namespace(UNKNOWN)], [namespace({})], [namespace(null)], [elsewhere]],
      ...texts.map((text) => [namespace({ [KEY]: text })]),
    ])
      expect(lines(podUser, cluster, runs(1001), ...others)).toEqual([
        expect.stringMatching(
          /^unknown spec\.securityContext\.runAsUser \| Pod probe: spec\.securityContext\.runAsUser, whether it is in the namespace's range of user IDs \|/,
        ),
      ]);
    const wrong = pod({ securityContext: { runAsUser: "1000680000" } });
    expect(unknowns(podUser, [cluster, ours, wrong])).toHaveLength(1);
    const bare = { ...namespace({ team: "a" }), origin: { urn: "urn:bare" } };
    expect(lines(podUser, cluster, bare, ours, runs(1000680000))).toEqual([]);
    const secret = { ...namespace(UNKNOWN), secrets: ["metadata.annotations"] };
    expect(judge(podUser, [cluster, secret, runs(1001)]).map(({ status }) => status)).toEqual([
      "unknown (secret)",
    ]);
  });

  describe("with a user ID of the pod", () => {
    const asUser = (runAsUser: PropertyValue): Properties => ({ securityContext: { runAsUser } });
    const ROOT = "violated spec.securityContext.runAsUser | the processes run as root";
    const OWN = asUser(1000680000);
    const ours = namespace({ "openshift.io/sa.scc.uid-range": "1000680000/10000" });
    const found = (lists: Properties) =>
      lines(podUser, cluster, ours, pod({ ...asUser(0), ...lists })).map((line) => line.split(" | leave")[0]);

    it.each<[string, Properties]>([
      ["container", { containers: [OWN, {}] }],
      ["init container", { initContainers: [{ securityContext: {} }], containers: [OWN] }],
      ["ephemeral container", { ephemeralContainers: [{ securityContext: null }], containers: [OWN] }],
      ["container, beside unknown init containers", { initContainers: UNKNOWN, containers: [{}] }],
    ])("judges it if a %s has none of its own", (_, lists) => {
      expect(found(lists)).toContainEqual(ROOT);
    });

    it("ignores it if each container has its own", () => {
      expect(found({ containers: [OWN] })).toEqual([]);
      expect(found({ initContainers: [OWN], containers: [OWN], ephemeralContainers: [OWN] })).toEqual([]);
      expect(found({ containers: [OWN, asUser(0)] })).toEqual([
        "violated spec.containers[1].securityContext.runAsUser | the processes run as root",
      ]);
    });

    it.each<[string, PropertyValue]>([
      ["spec.containers", UNKNOWN],
      ["spec.containers[0]", [UNKNOWN]],
      ["spec.containers[0].securityContext", [{ securityContext: UNKNOWN }]],
      ["spec.containers[0].securityContext.runAsUser", [asUser(UNKNOWN)]],
    ])("is unknown if %s is", (path, containers) => {
      expect(unknowns(podUser, [cluster, ours, pod({ ...asUser(0), containers })])).toMatchObject([{ path }]);
      expect(violations(podUser, [cluster, ours, pod({ ...asUser(0), containers })])).toEqual([]);
    });
  });

  it("checks the SELinux level against the level of the namespace", () => {
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
    for (const others of [[], [namespace({ [KEY]: UNKNOWN })]])
      expect(lines(podSelinux, cluster, labelled("s0:c1,c2"), ...others)).toEqual([
        expect.stringContaining(
          "Pod probe: spec.securityContext.seLinuxOptions.level, whether it is the level of the namespace |",
        ),
      ]);
    expect(violations(podSelinux, [cluster, pod(container({}))])).toEqual([]);
    const replaced = { seLinuxOptions: { level: "s0:c14,c24" } };
    const both = { securityContext: { seLinuxOptions: { level: "s0:c1,c2" } }, ...secured(replaced) };
    expect(violations(podSelinux, [cluster, ours, pod(both)])).toMatchObject([
      { path: "spec.securityContext.seLinuxOptions.level" },
    ]);
  });
});
