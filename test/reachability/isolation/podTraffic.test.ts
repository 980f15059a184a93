import fc from "fast-check";
import { parsePrefix } from "../../../src/address/parse";
import {
  policyResource,
  selectorValue,
  type PacketPolicy,
  type PolicyPeer,
} from "../../../src/isolation/networkPolicy";
import { LabelSelectorOperator } from "../../../src/resources/kubernetesObject";
import { Proof } from "../../../src/reachability/proof/prove";
import { Direction, Protocol } from "../../../src/requirements/vocabulary";
import { NAMESPACE_LABEL, POLICY_GROUP } from "../../../src/requirements/networkPolicies";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { STORED } from "../filters/passing";
import {
  OWN,
  addresses,
  end,
  endOf,
  everyPod,
  labels,
  passes,
  policyOn,
  ports,
  selector,
  selects,
  within,
} from "./universe";
import {
  isolatesPod,
  judgeTraffic,
  labelClasses,
  type Labels,
  podsIn,
  selectsLabels,
} from "../../../src/reachability/isolation/podTraffic";

describe("M12 the verdict of network policies on pod traffic", () => {
  it.each([Direction.Ingress, Direction.Egress])(
    "matches the NetworkPolicy API, packet by packet: %s",
    (direction) => {
      fc.assert(
        fc.property(
          fc.array(policyOn(direction), { maxLength: 4 }),
          labels,
          end,
          fc.tuple(fc.constantFrom(...ports), fc.constantFrom(...ports)),
          (policies, pod, other, [one, two]) => {
            const range = { from: Math.min(one, two), to: Math.max(one, two) };
            const ends =
              "prefixes" in other
                ? addresses
                    .filter((address) => other.prefixes.some((prefix) => within(prefix.text, { address })))
                    .map((address) => ({ address }))
                : [other];
            const verdictsOn = (labelled: Labels) =>
              ends.flatMap((single) =>
                ports
                  .filter((number) => number >= range.from && number <= range.to)
                  .map((number) => passes(policies, direction, labelled, single, Protocol.Tcp, number)),
              );
            const judged = judgeTraffic(
              policies.map((policy) => ({ ...policyResource(policy, OWN), origin: STORED })),
              OWN,
              {
                direction,
                pods: { matchLabels: pod },
                end: endOf(other),
                ...("prefixes" in other && { prefixes: other.prefixes }),
                services: [{ protocol: Protocol.Tcp, ports: range }],
              },
            )!;
            const selected = everyPod.filter((labelled) => selects({ matchLabels: pod }, labelled));
            const isPassed = selected.every((labelled) => !verdictsOn(labelled).includes(false));
            expect(judged.verdict.proof).toBe(isPassed ? Proof.Proved : Proof.Refuted);
            // A pod may have any address: blocks allow it with some of them.
            if (!("prefixes" in other)) return;
            expect(judged.isCutOff).toBe(!verdictsOn(judged.pod).includes(true));
            if (judged.verdict.proof !== Proof.Refuted) return;
            const { source, destination, port: number } = judged.verdict.packet;
            const far = direction === Direction.Ingress ? source : destination;
            const address = Number(parsePrefix(`${far}/32`).prefix!.start);
            expect(passes(policies, direction, judged.pod, { address }, Protocol.Tcp, number)).toBe(false);
          },
        ),
        { numRuns: 500 },
      );
    },
  );

  it("is refuted for every protocol if a rule allows only some ports", () => {
    const traffic = {
      direction: Direction.Ingress,
      pods: {},
      end: endOf({ labels: {} }),
      services: [{ protocol: Protocol.Any }],
    };
    const peers = [{ podSelector: {} }];
    const proofOf = (rule: object) =>
      judgeTraffic([policyResource({ pods: {}, ingress: [{ peers, ...rule }] }, OWN)], OWN, traffic)?.verdict
        .proof;
    expect(proofOf({})).toBe(Proof.Proved);
    expect(proofOf({ ports: [{ protocol: Protocol.Tcp }] })).toBe(Proof.Refuted);
  });

  it("is unknown for a policy with an unknown selector, and ignores policies of other namespaces", () => {
    const deny = (podSelector: PropertyValue, namespace = OWN): Resource => ({
      origin: {},
      type: "kubernetes:networking.k8s.io/v1:NetworkPolicy",
      name: "deny",
      properties: { metadata: { name: "deny", namespace }, spec: { podSelector, policyTypes: ["Ingress"] } },
    });
    const traffic = {
      direction: Direction.Ingress,
      pods: {},
      end: endOf({ labels: {} }),
      services: [{ protocol: Protocol.Tcp }],
    };
    const proofOf = (policy: Resource) => judgeTraffic([policy], OWN, traffic)?.verdict.proof;
    expect(proofOf(deny(UNKNOWN))).toBe(Proof.Unknown);
    expect(proofOf(deny({ matchLabels: { app: UNKNOWN } }))).toBe(Proof.Unknown);
    expect(proofOf(deny({}))).toBe(Proof.Refuted);
    expect(proofOf(deny({}, "other"))).toBe(Proof.Proved);
  });
});

describe("a policy isolates", () => {
  it("the pods that it selects, in its namespace and in its directions", () => {
    const isolates = (policy: PacketPolicy, direction: Direction, namespace = OWN) =>
      isolatesPod(policyResource(policy, namespace), direction, OWN, { app: "etcd" });
    const pods = { matchLabels: { app: "etcd" } };
    expect(isolates({ pods, ingress: [] }, Direction.Ingress)).toBe(true);
    expect(isolates({ pods, ingress: [{}] }, Direction.Ingress)).toBe(true);
    expect(isolates({ pods, ingress: [] }, Direction.Egress)).toBe(false);
    expect(isolates({ pods, ingress: [] }, Direction.Ingress, "other")).toBe(false);
    expect(isolates({ pods: { matchLabels: { app: "kube" } }, ingress: [] }, Direction.Ingress)).toBe(false);
  });
});

describe("pods of other namespaces", () => {
  const letsIn = (peer: PolicyPeer, namespace: Labels) => {
    const policy = policyResource({ pods: {}, ingress: [{ peers: [peer] }] }, OWN);
    const traffic = {
      direction: Direction.Ingress,
      pods: {},
      end: podsIn(namespace, "clusters-tenant-a"),
      services: [ANYTHING],
    };
    return judgeTraffic([policy], OWN, traffic)!.verdict.proof;
  };
  const group = { [NAMESPACE_LABEL.policyGroup]: POLICY_GROUP.monitoring };
  const named = { [NAMESPACE_LABEL.name]: "dns" };

  it("have the stated labels, and possibly others", () => {
    expect(letsIn({ namespaceSelector: { matchLabels: group } }, group)).toBe(Proof.Proved);
    expect(letsIn({ namespaceSelector: { matchLabels: { ...group, team: "a" } } }, group)).toBe(
      Proof.Unknown,
    );
    expect(letsIn({ namespaceSelector: {}, podSelector: { matchLabels: { app: "a" } } }, group)).toBe(
      Proof.Unknown,
    );
    expect(letsIn({ namespaceSelector: { matchLabels: group } }, {})).toBe(Proof.Unknown);
  });

  it("belong to no policy group if the namespace is stated by name", () => {
    expect(letsIn({ namespaceSelector: { matchLabels: named } }, named)).toBe(Proof.Proved);
    expect(letsIn({ namespaceSelector: { matchLabels: group } }, named)).toBe(Proof.Refuted);
  });

  it("do not include pods of the policy's own namespace, unless it is named", () => {
    expect(letsIn({ podSelector: {} }, named)).toBe(Proof.Refuted);
    expect(letsIn({ podSelector: {} }, group)).toBe(Proof.Refuted);
    expect(letsIn({ podSelector: {} }, { [NAMESPACE_LABEL.name]: OWN })).toBe(Proof.Proved);
  });
});

const OUTSIDE = { kind: "addresses" } as const;
const ANYTHING = { protocol: Protocol.Any };

describe("classes of labels", () => {
  it("cover every set of labels that selectors distinguish", () => {
    fc.assert(
      fc.property(fc.array(selector, { maxLength: 4 }), (selectors) => {
        const values = selectors.map(selectorValue);
        const way = (labelled: Labels) => values.map((value) => selectsLabels(value, labelled)).join();
        expect(new Set(labelClasses(values)!.map(way))).toEqual(new Set(everyPod.map(way)));
      }),
    );
  });

  it("use the fewest labels that make the difference", () => {
    const { Exists, NotIn } = LabelSelectorOperator;
    expect(labelClasses([])).toEqual([{}]);
    expect(labelClasses([{ matchLabels: { app: "etcd" } }])).toEqual([{}, { app: "etcd" }]);
    // A value that no selector names gets a name that no selector uses.
    const named = { matchExpressions: [{ key: "app", operator: NotIn, values: ["other"] }] };
    const there = { matchExpressions: [{ key: "app", operator: Exists }] };
    expect(labelClasses([named, there])).toEqual([{}, { app: "other" }, { app: "others" }]);
  });

  it("are undefined if there would be too many, and traffic is then not judged", () => {
    const many = Array.from({ length: 15 }, (_, i) => ({ matchLabels: { [`key-${i}`]: "a" } }));
    expect(labelClasses(many)).toBeUndefined();
    const policies = many.map((pods) => policyResource({ pods, ingress: [] }, OWN));
    const traffic = { direction: Direction.Ingress, pods: {}, end: OUTSIDE, services: [ANYTHING] };
    expect(judgeTraffic(policies, OWN, traffic)).toBeUndefined();
  });
});

describe("labels of namespaces that objects state", () => {
  const proofOf = (stated: Labels | undefined, policy: PolicyPeer) =>
    judgeTraffic([policyResource({ pods: {}, ingress: [{ peers: [policy] }] }, OWN)], OWN, {
      direction: Direction.Ingress,
      pods: {},
      end: podsIn({ [NAMESPACE_LABEL.name]: "shop" }, OWN),
      services: [ANYTHING],
      ...(stated && {
        labelsOf: (name) =>
          name === "shop" ? { labels: stated, complete: true, mayHave: () => false } : undefined,
      }),
    })?.verdict.proof;

  it("decide if a policy selects by them", () => {
    const shop = { namespaceSelector: { matchLabels: { team: "shop" } } };
    expect(proofOf(undefined, shop)).toBe(Proof.Unknown);
    expect(proofOf({ team: "shop" }, shop)).toBe(Proof.Proved);
    expect(proofOf({ team: "other" }, shop)).toBe(Proof.Refuted);
  });
});

it("a block may match pods with unknown addresses unless it is too small for all of them", () => {
  const proofOf = (cidr: string) =>
    judgeTraffic([policyResource({ pods: {}, ingress: [{ peers: [{ ipBlock: { cidr } }] }] }, OWN)], OWN, {
      direction: Direction.Ingress,
      pods: {},
      end: podsIn({ team: "shop" }, OWN),
      services: [ANYTHING],
    })?.verdict.proof;
  expect(proofOf("10.0.0.0/8")).toBe(Proof.Unknown);
  expect(proofOf("10.0.0.1/32")).toBe(Proof.Refuted);
});
