import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { dedicatedNodes } from "../../../src/dedicatedNodes/rules";
import { hostedCluster, judge, linesOf, resource, urnOf, type Properties } from "../../rules/builders";

const KEY = "hypershift.openshift.io/cluster";
const DOCUMENTED = "hypershift.openshift.io/hosted-cluster";
const OWN = "clusters-tenant-a";
const node = (labels: PropertyValue, taints: PropertyValue = [], name = "node-1") =>
  resource("kubernetes:core/v1:Node", name, { metadata: { name, labels }, spec: { taints } });
const taint = (key: string, value: string, effect = "NoSchedule") => ({ key, value, effect });
const confined = (more: Properties = {}) => hostedCluster({ nodeSelector: { [KEY]: OWN }, ...more });
const patch = (spec: Properties) =>
  resource("kubernetes:hypershift.openshift.io/v1beta1:HostedClusterPatch", "patch", {
    metadata: { name: "tenant-a", namespace: "clusters" },
    spec,
  });
/** A HostedCluster of the same name in another namespace. */
const elsewhere = (spec: Properties = {}): Resource => {
  const { properties, ...others } = hostedCluster({ nodeSelector: { [KEY]: "others-tenant-a" }, ...spec });
  return {
    ...others,
    origin: { urn: urnOf(others.type, "others") },
    properties: { ...properties, metadata: { name: "tenant-a", namespace: "others" } },
  };
};
const by = (provider: string, object: Resource): Resource => ({
  ...object,
  origin: { urn: `${object.origin.urn}-${provider}` },
  provider: urnOf("pulumi:providers:kubernetes", provider),
});
const said = (...resources: Resource[]) => linesOf(judge(dedicatedNodes, resources));

const write = (value: string) =>
  `write ${KEY}=${value}:NoSchedule, or add a toleration to spec.tolerations of the HostedCluster`;
const byNone = (place: string, text: string) =>
  `violated ${place} | no pod of clusters/tenant-a tolerates ${text}, although the node is dedicated to it | ${write(OWN)}`;

describe("dedicated-nodes", () => {
  it("M12 accepts nodes with label and taint of a cluster that selects them", () => {
    expect(said(confined(), node({ [KEY]: OWN }, [taint(KEY, OWN)]))).toBe("");
    expect(said(hostedCluster(), node({ zone: "a" }, [taint("gpu", "true")]))).toBe("");
    expect(said(confined(), node(null, null))).toBe("");
  });

  it("M12 has no finding for nodes whose hosted cluster is not in the stack", () => {
    expect(said(node({ [KEY]: OWN }, [taint(DOCUMENTED, OWN)]))).toBe("");
    expect(said(node(UNKNOWN, [taint(DOCUMENTED, OWN)]))).toBe("");
    expect(said(node({ [KEY]: UNKNOWN }))).toBe("");
    expect(said(patch({}), node({ [KEY]: OWN }))).toBe("");
    expect(said(hostedCluster({ platform: { type: UNKNOWN } }), node({ [KEY]: OWN }))).toBe("");
    expect(said(confined(), node({ [KEY]: "clusters-tenant-b" }))).toBe("");
  });

  it.each(["tenant-a", "clusters/tenant-a"])(
    "M12 finds the value %s, which is not a namespace of a control plane",
    (value) => {
      const found = (place: string) =>
        `violated ${place} | ${value} is not a namespace of a hosted control plane: no pod of clusters/tenant-a prefers or tolerates it | write ${OWN}`;
      expect(said(confined(), node({ [KEY]: value }))).toBe(found(`metadata.labels.${KEY}`));
      expect(said(confined(), node({ zone: "a" }, [taint(KEY, value)]))).toBe(found("spec.taints"));
    },
  );

  it.each([
    ["the documented key", taint(DOCUMENTED, OWN), `${DOCUMENTED}=${OWN}:NoSchedule`],
    ["an effect that no pod tolerates", taint(KEY, OWN, "NoExecute"), `${KEY}=${OWN}:NoExecute`],
    ["another cluster's value", taint(KEY, "clusters-tenant-b"), `${KEY}=clusters-tenant-b:NoSchedule`],
    ["another key", taint("gpu", ""), "gpu:NoSchedule"],
  ])("M12 finds a taint with %s", (_, wrong, text) => {
    const taints = [taint(KEY, OWN), wrong];
    expect(said(confined(), node({ [KEY]: OWN }, taints))).toBe(byNone("spec.taints[1]", text));
    const tolerations = [{ key: wrong.key, operator: "Exists" }];
    expect(said(confined({ tolerations }), node({ [KEY]: OWN }, taints))).toBe("");
    expect(said(confined(), patch({ tolerations }), node({ [KEY]: OWN }, taints))).toBe("");
    const preferred = { ...wrong, effect: "PreferNoSchedule" };
    expect(said(confined(), node({ [KEY]: OWN }, [preferred]))).toBe("");
  });

  it.each([
    "node.kubernetes.io/unschedulable",
    "node.kubernetes.io/not-ready",
    "node.cloudprovider.kubernetes.io/uninitialized",
    "ToBeDeletedByClusterAutoscaler",
  ])("M12 ignores the taint %s, which is the state of a node", (key) => {
    const states = [taint(key, ""), taint(key, "", "NoExecute")];
    expect(said(confined(), node({ [KEY]: OWN }, [taint(KEY, OWN), ...states]))).toBe("");
    expect(said(confined({ tolerations: UNKNOWN }), node({ [KEY]: OWN }, states))).toBe("");
    expect(said(confined(), node({ [KEY]: OWN }, [...states, taint("gpu", "")]))).toBe(
      byNone("spec.taints[2]", "gpu:NoSchedule"),
    );
  });

  it("M12 finds a taint with the documented key on a node without a known owner", () => {
    const wrong = [taint(DOCUMENTED, "tenant-a")];
    const tolerant = { tolerations: [{ operator: "Exists" }] };
    const found = `violated spec.taints[0] | no hosted control plane of the stack tolerates ${DOCUMENTED}=tenant-a:NoSchedule | write the taint with the key ${KEY}, or list it in spec.tolerations of the HostedCluster`;
    expect(said(hostedCluster(), node({}, wrong))).toBe(found);
    expect(said(hostedCluster(), node({ [KEY]: "clusters-tenant-b" }, wrong))).toBe(found);
    expect(said(hostedCluster(tolerant), node({}, wrong))).toBe("");
    expect(said(hostedCluster(), elsewhere({ tolerations: UNKNOWN }), node({}, wrong))).toBe("");
    expect(said(hostedCluster(), node({}, [taint(DOCUMENTED, "tenant-a", "PreferNoSchedule")]))).toBe("");
  });

  it("M12 finds a cluster that does not select its nodes, or selects nodes of others", () => {
    const missing = `violated spec.nodeSelector | missing, although Node node-1 is dedicated to clusters/tenant-a: its pods prefer that node and run on others too | write ${KEY}: ${OWN}`;
    expect(said(hostedCluster(), node({ [KEY]: OWN }))).toBe(missing);
    expect(said(hostedCluster({ nodeSelector: {} }), node({}, [taint(KEY, OWN)]))).toBe(missing);
    expect(said(hostedCluster({ nodeSelector: { [KEY]: "clusters-tenant-b" } }))).toBe(
      `violated spec.nodeSelector.${KEY} | clusters-tenant-b is not the namespace of this control plane: its pods go to nodes that are not dedicated to it | write ${OWN}`,
    );
    expect(said(hostedCluster({ nodeSelector: { pool: "a" } }), node({ [KEY]: OWN, pool: "a" }))).toBe("");
    expect(said(hostedCluster(), patch({ nodeSelector: { [KEY]: OWN } }), node({ [KEY]: OWN }))).toBe("");
  });

  describe("with a selector of other labels", () => {
    const own = node({ [KEY]: OWN, pool: "a" }, [taint(KEY, OWN)]);
    const pooled = (more: Properties = {}) => hostedCluster({ nodeSelector: { pool: "a" }, ...more });
    const other = (taints?: PropertyValue, labels: PropertyValue = { pool: "a" }) =>
      node(labels, taints, "node-2");
    const shared = `violated spec.nodeSelector | also selects Node node-2, which is not dedicated to clusters/tenant-a: pods of the control plane run there too | write ${KEY}: ${OWN}`;
    const open = (name: string) => [
      `unknown HostedCluster tenant-a: spec.nodeSelector, whether its pods run on Node ${name}`,
    ];
    const counted = (...resources: Resource[]) =>
      judge(dedicatedNodes, resources).map(({ status, message }) => `${status} ${message}`);
    const live = (object: Resource, live = "nodes/node-1"): Resource => ({
      ...object,
      origin: { live, runsIn: "cluster/one" },
    });

    it("M12 finds one that also selects a node on which the pods run", () => {
      expect(said(pooled(), own, other())).toBe(shared);
      expect(said(pooled(), own, other([taint("node.kubernetes.io/unschedulable", "")]))).toBe(shared);
      expect(said(pooled(), own, other([], { [KEY]: "clusters-tenant-b", pool: "a" }))).toBe(shared);
      expect(said(pooled({ tolerations: [{ operator: "Exists" }] }), own, other([taint("gpu", "")]))).toBe(
        shared,
      );
    });

    it("M12 accepts one that selects no other node on which the pods run", () => {
      expect(said(pooled(), own)).toBe("");
      expect(said(pooled(), own, other([], { pool: "b" }))).toBe("");
      expect(said(pooled(), own, other([taint("gpu", "")]))).toBe("");
      expect(said(hostedCluster({ nodeSelector: { pool: "a", [KEY]: OWN } }), own, other())).toBe("");
      expect(said(pooled(), patch({ nodeSelector: { [KEY]: OWN } }), own, other())).toBe("");
      const there = live(other([], { zone: "a" }), "nodes/node-2");
      expect(said(live(pooled(), "hostedclusters/tenant-a"), live(own), there)).toBe("");
      expect(said(by("one", pooled()), by("one", own), by("two", other()))).toBe("");
    });

    it("M12 does not know about a node with unknown taints or labels, or in another folder", () => {
      expect(counted(pooled(), own, other(UNKNOWN))).toEqual(open("node-2"));
      expect(counted(pooled(), own, other([], { zone: "a" }))).toEqual(open("node-2"));
      expect(counted(pooled({ tolerations: UNKNOWN }), own, other([taint("gpu", "")]))).toContainEqual(
        open("node-2")[0],
      );
      // More tolerations do not take away the usual one.
      const shared = other([taint("hypershift.openshift.io/control-plane", "true")]);
      expect(said(pooled({ tolerations: UNKNOWN }), own, shared)).toContain("also selects Node node-2");
      const inFile = (object: Resource, file: string): Resource => ({ ...object, origin: { file } });
      const here = [inFile(pooled(), "in/a/hc.yaml"), inFile(own, "in/a/nodes.yaml")];
      expect(counted(...here, inFile(other(), "in/b/nodes.yaml"))).toEqual(open("node-2"));
    });

    it("M12 finds one that does not select the dedicated nodes", () => {
      const lost = `violated spec.nodeSelector | does not select Node node-1, although it is dedicated to clusters/tenant-a: no pod of the control plane runs there | write only labels that the node has, such as ${KEY}`;
      expect(said(pooled(), node({ [KEY]: OWN, pool: "b" }))).toBe(lost);
      expect(said(pooled(), node({ [KEY]: OWN, pool: "b" }), other())).toBe(lost);
      expect(said(pooled(), live(node({ [KEY]: OWN })))).toBe(lost);
      expect(said(confined(), live(node({ zone: "a" }, [taint(KEY, OWN)])))).toBe(
        lost.replace(/write .*/, `label the node with ${KEY}=${OWN}`),
      );
      expect(said(pooled(), node({ [KEY]: OWN, pool: "b" }), node({ [KEY]: OWN, pool: "a" }, [], "n"))).toBe(
        "",
      );
    });

    it("M12 does not know about labels that others may add, unless a patch of the node states them", () => {
      const bare = node({ [KEY]: OWN });
      const labels = resource("kubernetes:core/v1:NodePatch", "labels", {
        metadata: { name: "node-1", labels: { pool: "a" } },
      });
      expect(counted(pooled(), bare)).toEqual(open("node-1"));
      expect(said(pooled(), bare, labels)).toBe("");
      expect(said(pooled(), live(bare), labels)).toBe("");
      expect(counted(pooled(), patch({ nodeSelector: { pool: "b" } }), own)).toEqual(open("node-1"));
      expect(counted(hostedCluster({ nodeSelector: { pool: UNKNOWN } }), own)).toEqual(open("node-1"));
    });
  });

  it("M12 distinguishes clusters of the same name by namespace and management cluster", () => {
    const others = node({ [KEY]: "others-tenant-a" }, [], "node-2");
    expect(said(confined(), elsewhere(), node({ [KEY]: OWN }), others)).toBe("");
    const open = by("stage", hostedCluster());
    expect(said(by("production", confined()), open, by("production", node({ [KEY]: OWN })))).toBe("");
    const wrong = node({ [KEY]: OWN }, [taint("gpu", "true")]);
    const tolerant = confined({ tolerations: [{ operator: "Exists" }] });
    expect(said(by("production", confined()), by("stage", tolerant), by("stage", wrong))).toBe("");
  });

  it("M12 counts unknown labels, taints, tolerations and selectors", () => {
    const counted = (...resources: Resource[]) =>
      judge(dedicatedNodes, resources).map(({ status, path, message }) => `${status} ${path}: ${message}`);
    const whose = "which hosted control plane the node is for";
    expect(counted(confined(), node(UNKNOWN))).toEqual([
      `unknown metadata.labels: Node node-1: metadata.labels, ${whose}`,
    ]);
    expect(counted(confined(), node({ [KEY]: UNKNOWN }))).toEqual([
      `unknown metadata.labels.${KEY}: Node node-1: metadata.labels.${KEY}, ${whose}`,
    ]);
    expect(counted(confined(), node({ [KEY]: OWN }, UNKNOWN))).toEqual([
      "unknown spec.taints: Node node-1: spec.taints",
    ]);
    const half: Properties = { key: "gpu", effect: UNKNOWN };
    expect(counted(confined(), node({ [KEY]: OWN }, [taint(KEY, OWN), half]))).toEqual([
      "unknown spec.taints[1]: Node node-1: spec.taints[1]",
    ]);
    expect(said(hostedCluster(), node({}, UNKNOWN))).toBe("");
    const tainted = node({ [KEY]: OWN }, [taint("gpu", "true")]);
    expect(counted(confined({ tolerations: UNKNOWN }), tainted)).toEqual([
      "unknown spec.tolerations: HostedCluster tenant-a: spec.tolerations, whether the control plane tolerates the taints of its nodes",
    ]);
    expect(said(confined({ tolerations: UNKNOWN }), node({ [KEY]: OWN }))).toBe("");
    const selectors: PropertyValue[] = [UNKNOWN, { [KEY]: UNKNOWN }];
    for (const nodeSelector of selectors) {
      expect(counted(hostedCluster({ nodeSelector }), node({ [KEY]: OWN }))).toEqual([
        "unknown spec.nodeSelector: HostedCluster tenant-a: spec.nodeSelector",
      ]);
      expect(said(hostedCluster({ nodeSelector }))).toBe("");
    }
  });

  it("M12 ignores taints without a key", () => {
    expect(said(confined(), node({ [KEY]: OWN }, [{ effect: "NoSchedule" }, "gpu"]))).toBe("");
  });
});
