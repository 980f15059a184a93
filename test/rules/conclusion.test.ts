import { NO_CONFIGURATION } from "../../src/gate/configuration";
import { JudgedResources } from "../../src/gate/judgedResources";
import { flowsOfPlan, outcomesOfPlan, wholeTopology } from "../../src/gate/refutedFlows";
import { verdictOf } from "../../src/gate/verdict";
import { answerPlan } from "../../src/reachability/answers/answerPlan";
import { rules } from "../../src/rules";
import { conclusionsOf, flowRules, planQuestion } from "../../src/rules/conclusion";
import type { Resource } from "../../src/resources/resource";
import { group, hostedCluster, networking, type Properties, resource, tags, tcp } from "./builders";

const cluster = (name: string, machines: string, more: Properties = {}): Resource =>
  hostedCluster({ networking: networking(machines, more) }, name);
const tenants = [cluster("tenant-a", "10.0.0.0/16"), cluster("tenant-b", "10.1.0.0/16")];
const kubernetes = (
  type: string,
  metadata: { name: string; namespace?: string },
  spec: Properties,
): Resource => resource(`kubernetes:${type}`, metadata.name, { metadata: { ...metadata }, spec });
const b = { namespace: "clusters-tenant-b" };

/** The outcomes of the flows of each cluster, computed without their paths and with them. */
function both(resources: readonly Resource[]) {
  const judged = new JudgedResources(resources);
  const topologies = judged.clusters.map((one) => wholeTopology(one)!);
  return {
    asked: topologies.map((topology) => outcomesOfPlan(judged, topology)),
    found: topologies.map((topology) =>
      flowsOfPlan(judged, topology).map(({ proof, journey: { key, optional } }) => ({
        key,
        proof,
        ...(optional && { optional }),
      })),
    ),
  };
}

describe("the outcomes of flows", () => {
  test("are found once for clusters of the same shape without filters", () => {
    const { asked, found } = both(tenants);
    expect(asked).toEqual(found);
    expect(asked[1]).toBe(asked[0]);
  });

  test.each<[string, Resource[]]>([
    [
      "a NetworkPolicy is in the namespace of one cluster",
      [
        kubernetes(
          "networking.k8s.io/v1:NetworkPolicy",
          { name: "nothing", ...b },
          { podSelector: {}, policyTypes: ["Ingress"] },
        ),
      ],
    ],
    [
      "an AdminNetworkPolicy selects the pods of one cluster",
      [
        kubernetes(
          "policy.networking.k8s.io/v1alpha1:AdminNetworkPolicy",
          { name: "nothing" },
          {
            priority: 5,
            subject: { namespaces: { matchLabels: { "kubernetes.io/metadata.name": b.namespace } } },
            ingress: [{ action: "Deny", from: [{ namespaces: {} }] }],
          },
        ),
      ],
    ],
    [
      "an EgressFirewall is in the namespace of one cluster",
      [
        kubernetes(
          "k8s.ovn.org/v1:EgressFirewall",
          { name: "default", ...b },
          { egress: [{ type: "Deny", to: { cidrSelector: "0.0.0.0/0" } }] },
        ),
      ],
    ],
    [
      "a security group belongs to one cluster",
      [group("workers", [tcp(443, "10.1.0.0/16")], { tags: tags("workers", "tenant-b") })],
    ],
    [
      "a network ACL belongs to one cluster",
      [
        resource("aws:ec2/networkAcl:NetworkAcl", "acl", {
          ingress: [],
          egress: [],
          tags: tags("workers", "tenant-b"),
        }),
      ],
    ],
    [
      "nodes encrypt the traffic of pods",
      [
        kubernetes(
          "operator.openshift.io/v1:Network",
          { name: "cluster" },
          { defaultNetwork: { ovnKubernetesConfig: { ipsecConfig: { mode: "Full" } } } },
        ),
      ],
    ],
    ["one cluster restricts access to its API server", []],
  ])("are found separately if %s", (_, more) => {
    const lists = { apiServer: { allowedCIDRBlocks: ["192.0.2.0/24"] } };
    const clusters = more.length > 0 ? tenants : [tenants[0]!, cluster("tenant-b", "10.1.0.0/16", lists)];
    const { asked, found } = both([...clusters, ...more]);
    expect(asked).toEqual(found);
    expect(asked[1]).not.toBe(asked[0]);
  });
});

describe("what an exemption accepts", () => {
  const denying = kubernetes(
    "policy.networking.k8s.io/v1alpha1:AdminNetworkPolicy",
    { name: "deny" },
    {
      priority: 5,
      subject: { namespaces: {} },
      ingress: [{ name: "all", action: "Deny", from: [{ namespaces: {} }] }],
    },
  );
  const inFile = (file: string, { origin: _, ...one }: Resource): Resource => ({
    ...one,
    origin: { file, line: 1 },
  });
  const firewall = kubernetes(
    "k8s.ovn.org/v1:EgressFirewall",
    { name: "default", namespace: "shop" },
    { egress: [{ type: "Deny", to: { cidrSelector: "0.0.0.0/0" } }] },
  );
  const namesakes = (...policies: Resource[]) =>
    ["east", "west"].flatMap((folder) =>
      [tenants[0]!, ...policies].map((one) => inFile(`${folder}/${one.name}.yaml`, one)),
    );

  /** For each cluster the numbers of refuted and exempted flows: in `check`, and in `prove`. */
  function counts(resources: readonly Resource[], names: readonly string[]) {
    const exemptions = names.flatMap((name) =>
      flowRules.map(({ id }) => ({ path: `${id} ${name}`, rule: id, resource: name, reason: "known" })),
    );
    const judged = new JudgedResources(resources, { ...NO_CONFIGURATION, exemptions });
    const checked = conclusionsOf(judged, verdictOf(judged, rules)).map(({ cluster, counts: found }) => ({
      cluster,
      refuted: found.refuted,
      exempted: found.exempted,
    }));
    const proved = judged.clusters.map(({ key, topology }) => {
      const { refuted, exempted } = answerPlan(planQuestion(judged, topology!)).summary;
      return { cluster: key, refuted, exempted };
    });
    expect(checked).toEqual(proved);
    return checked.map(({ cluster, refuted, exempted }) => `${cluster}: ${refuted} ${exempted}`);
  }

  test.each([
    ["a policy of administrators", denying],
    ["an egress firewall", firewall],
  ])("of two clusters of one name is what it names, for %s", (_, policy) => {
    const plan = namesakes(policy);
    const [east, west] = counts(plan, []).map((text) => Number(/: (\d+) /.exec(text)![1]));
    expect(east).toBeGreaterThan(0);
    expect(counts(plan, [])).toEqual([
      `clusters/tenant-a (east): ${east} 0`,
      `clusters/tenant-a (west): ${west} 0`,
    ]);
    expect(counts(plan, ["east/*"])).toEqual([
      `clusters/tenant-a (east): 0 ${east}`,
      `clusters/tenant-a (west): ${west} 0`,
    ]);
    expect(counts(plan, ["east/*", "west/*"])).toEqual([
      `clusters/tenant-a (east): 0 ${east}`,
      `clusters/tenant-a (west): 0 ${west}`,
    ]);
  });

  test("is the same for all clusters whose flows one policy drops", () => {
    for (const plan of [
      [...namesakes(), inFile("deny.yaml", denying)],
      [...tenants, denying],
    ])
      expect(counts(plan, ["*deny*"]).map((text) => text.replace(/^.*: /, ""))).toEqual([
        expect.stringMatching(/^0 [1-9]/),
        expect.stringMatching(/^0 [1-9]/),
      ]);
  });
});
