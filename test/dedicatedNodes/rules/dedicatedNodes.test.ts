import { UNKNOWN, type PropertyValue } from "../../../src/resources/resource";
import { dedicatedNodes } from "../../../src/dedicatedNodes/rules";
import { hostedCluster, resource, unknowns, violations, type Properties } from "../../rules/builders";

const KEY = "hypershift.openshift.io/cluster";
const DOCUMENTED = "hypershift.openshift.io/hosted-cluster";
const OWN = "clusters-tenant-a";
const node = (labels: PropertyValue, taints: PropertyValue = [], name = "node-1") =>
  resource("kubernetes:core/v1:Node", name, { metadata: { name, labels }, spec: { taints } });
const taint = (key: string, value: string, effect = "NoSchedule") => ({ key, value, effect });
const confined = (more: Properties = {}) => hostedCluster({ nodeSelector: { [KEY]: OWN }, ...more });
const found = (...resources: ReturnType<typeof node>[]) =>
  violations(dedicatedNodes, resources).map(({ path }) => path);

describe("dedicated-nodes", () => {
  it("M12 takes nodes with label and taint of a cluster that selects them", () => {
    expect(found(confined(), node({ [KEY]: OWN }, [taint(KEY, OWN)]))).toEqual([]);
    expect(found(hostedCluster(), node({ zone: "a" }, [taint("gpu", "true")]))).toEqual([]);
    expect(found(node({ [KEY]: OWN }, [taint(DOCUMENTED, OWN)]))).toEqual([]);
  });

  it.each(["tenant-a", "clusters/tenant-a"])("M12 finds the value %s", (value) => {
    expect(violations(dedicatedNodes, [confined(), node({ [KEY]: value })])).toMatchObject([
      { path: `metadata.labels.${KEY}`, fix: `write ${OWN}` },
    ]);
  });

  it.each([
    ["the key of the documents", taint(DOCUMENTED, OWN)],
    ["an effect that no pod tolerates", taint(KEY, OWN, "NoExecute")],
    ["another cluster's value", taint(KEY, "clusters-tenant-b")],
    ["some other key", taint("gpu", "true")],
  ])("M12 finds a taint with %s", (_, wrong) => {
    expect(found(confined(), node({ [KEY]: OWN }, [wrong]))).toEqual(["spec.taints[0]"]);
    const tolerations = [{ key: wrong.key, operator: "Exists" }];
    expect(found(confined({ tolerations }), node({ [KEY]: OWN }, [wrong]))).toEqual([]);
  });

  it("M12 finds the key of the documents on a node without a label", () => {
    const wrong = node({}, [taint(DOCUMENTED, "tenant-a")]);
    expect(found(hostedCluster(), wrong)).toEqual(["spec.taints[0]"]);
    expect(found(hostedCluster({ tolerations: [{ operator: "Exists" }] }), wrong)).toEqual([]);
  });

  it("M12 finds a cluster that does not select its nodes, or selects others'", () => {
    expect(found(hostedCluster(), node({ [KEY]: OWN }))).toEqual(["spec.nodeSelector"]);
    const other = hostedCluster({ nodeSelector: { [KEY]: "clusters-tenant-b" } });
    expect(found(other)).toEqual([`spec.nodeSelector.${KEY}`]);
    expect(found(hostedCluster({ nodeSelector: { pool: "a" } }), node({ [KEY]: OWN }))).toEqual([]);
  });

  it("M12 reads a selector that a patch writes", () => {
    const patch = resource("kubernetes:hypershift.openshift.io/v1beta1:HostedClusterPatch", "selector", {
      metadata: { name: "tenant-a", namespace: "clusters" },
      spec: { nodeSelector: { [KEY]: OWN } },
    });
    expect(found(hostedCluster(), patch, node({ [KEY]: OWN }))).toEqual([]);
  });

  it("M12 counts unknown labels, tolerations and selectors", () => {
    const paths = (...resources: ReturnType<typeof node>[]) =>
      unknowns(dedicatedNodes, resources).map(({ path }) => path);
    expect(paths(confined(), node(UNKNOWN))).toEqual(["metadata.labels"]);
    const tainted = node({ [KEY]: OWN }, [taint("gpu", "true")]);
    expect(paths(confined({ tolerations: UNKNOWN }), tainted)).toEqual(["spec.tolerations"]);
    expect(paths(hostedCluster({ nodeSelector: UNKNOWN }), node({ [KEY]: OWN }))).toEqual([
      "spec.nodeSelector",
    ]);
    expect(found(confined({ tolerations: UNKNOWN }), tainted)).toEqual([]);
  });
});
