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
    expect(said(hostedCluster({ nodeSelector: { pool: "a" } }), node({ [KEY]: OWN }))).toBe("");
    expect(said(hostedCluster(), patch({ nodeSelector: { [KEY]: OWN } }), node({ [KEY]: OWN }))).toBe("");
  });

  it("M12 distinguishes clusters of the same name by namespace and management cluster", () => {
    const others = node({ [KEY]: "others-tenant-a" });
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
