import { describeReference } from "../../requirements/documents";
import {
  internalSubnet,
  internalSubnetProperties,
  type InternalSubnetProperty,
  OVNKUBE_NODE,
} from "../../requirements/internalSubnets";
import { compareReleases, formatRelease, type Release } from "../../requirements/release";
import { defaultSubnet, subnetInForce } from "../facets";
import {
  type Draft,
  type Field,
  hostedClusterPatch,
  keyOf,
  networkOperatorPatch,
  shell,
  type Transition,
  draftOf,
} from "../drafts";
import { Disruption, StepTarget, type Check } from "../runBook";
import { inSentence } from "../../text";

const HOSTED_CLUSTER = "operatorConfiguration.clusterNetworkOperator.ovnKubernetesConfig";
const OPERATOR = "defaultNetwork.ovnKubernetesConfig";
const EFFECT =
  "the DaemonSet ovnkube-node rolls out and OVN restarts on each node, with brief network interruptions there";

/** The internal subnets that differ. */
export const movedSubnets = ({ differing, reachable }: Transition): InternalSubnetProperty[] =>
  internalSubnetProperties.filter(
    (property) => differing.includes(property) && subnetInForce(reachable, property) !== undefined,
  );

/** The first release whose HostedCluster has the subnet, if the cluster is older. */
export function subnetsFrom(transition: Transition, property: InternalSubnetProperty): Release | undefined {
  const { since } = internalSubnet(property);
  const { release } = transition.current;
  return since && release && compareReleases(release, since) < 0 ? since : undefined;
}

/** Patches the HostedCluster once for all subnets, because each patch would cause a rollout. */
export function moveSubnets(transition: Transition, properties: readonly InternalSubnetProperty[]): Draft[] {
  if (properties.length === 0) return [];
  const { current, reachable } = transition;
  const names = properties.map((property) => internalSubnet(property).name);
  return [
    draftOf({
      id: "internal-subnets",
      title: `Move ${inSentence(names, "and")}`,
      place: StepTarget.Management,
      disruption: Disruption.NetworkRestart,
      effect: EFFECT,
      facets: [...properties],
      preChecks: [
        ...releaseCheck(transition, properties),
        generation,
        nodesReady,
        ...properties.flatMap((property) => newsCheck(property)),
      ],
      patches: [hostedClusterPatch(current, fieldsOf(properties, HOSTED_CLUSTER, transition, reachable))],
      verification: [
        {
          what: "the value has arrived, ovnkube-node is rolled out on every node, and the nodes have addresses in it",
          command: shell`hypershift-network verify ${keyOf(current)} --since GENERATION`,
        },
      ],
      wayBack: wayBack(transition, properties),
      documents: documentsOf(properties),
    }),
  ];
}

/** Sets a subnet before the upgrade that introduces its range: afterwards it would already collide. */
export function presetSubnet(
  transition: Transition,
  property: InternalSubnetProperty,
  release: Release,
): Draft {
  const { name } = internalSubnet(property);
  const { reachable } = transition;
  const place = [OPERATOR, ...internalSubnet(property).field].join(".");
  return draftOf({
    id: `preset-${property}`,
    title: `Set ${name} before release ${formatRelease(release)} introduces it`,
    place: StepTarget.Hosted,
    disruption: Disruption.None,
    effect: `no release before ${formatRelease(release)} uses the subnet`,
    facets: [property],
    preChecks: [
      {
        what: "the Network operator of this release has the field; otherwise the value would be dropped",
        command: shell`oc --kubeconfig HOSTED explain network.operator.openshift.io.spec.${place}`,
      },
    ],
    patches: [networkOperatorPatch(fieldsOf([property], OPERATOR, transition, reachable))],
    verification: [
      {
        what: `the value is set: ${subnetInForce(reachable, property)}`,
        command: shell`oc --kubeconfig HOSTED get network.operator.openshift.io cluster -o jsonpath={.spec.${place}}`,
      },
    ],
    wayBack: {
      text: "before the upgrade it can be removed again; after it, it changes like any internal subnet",
      patches: [networkOperatorPatch([[place, null]])],
    },
    documents: documentsOf([property]),
  });
}

/** Without a release it is unknown whether the field exists. */
function releaseCheck({ current }: Transition, properties: readonly InternalSubnetProperty[]): Check[] {
  const since = properties.flatMap((property) => internalSubnet(property).since ?? [])[0];
  if (current.release || !since) return [];
  return [{ what: `the hosted cluster has release ${formatRelease(since)} or newer`, result: "unknown" }];
}

const generation: Check = {
  what: "note the generation of ovnkube-node, GENERATION below: only a newer one shows the new state",
  command: shell`oc --kubeconfig HOSTED get daemonset ${OVNKUBE_NODE.name} -n ${OVNKUBE_NODE.namespace} -o jsonpath={.metadata.generation}`,
};
const nodesReady: Check = { what: "every node is Ready", command: "oc --kubeconfig HOSTED get nodes" };

/** Fields that older operators drop or refuse. */
function newsCheck(property: InternalSubnetProperty): Check[] {
  const { news, field, mutable } = internalSubnet(property);
  if (news === undefined) return [];
  const once = mutable ? "" : "; once set it can never change";
  return [
    {
      what: `the operator has the field ${field.join(".")}, which HyperShift has ${news}${once}`,
      command: shell`oc explain hostedcluster.spec.${HOSTED_CLUSTER}.${field.join(".")}`,
    },
  ];
}

/** Defaults are written explicitly: removing a subnet from a HostedCluster does not move it back. */
const fieldsOf = (
  properties: readonly InternalSubnetProperty[],
  place: string,
  transition: Transition,
  target: Transition["current"],
): Field[] =>
  properties.map((property) => [
    [place, ...internalSubnet(property).field].join("."),
    target[property]?.text ??
      defaultSubnet(target, property) ??
      subnetInForce(transition.reachable, property),
  ]);

function wayBack(transition: Transition, properties: readonly InternalSubnetProperty[]) {
  const movable = properties.filter((property) => internalSubnet(property).mutable);
  const fixed = properties.filter((property) => !internalSubnet(property).mutable);
  const patches =
    movable.length === 0
      ? []
      : [
          hostedClusterPatch(
            transition.current,
            fieldsOf(movable, HOSTED_CLUSTER, transition, transition.current),
          ),
        ];
  const text =
    fixed.length === 0
      ? "write the old value, with the same interruptions"
      : `none for ${inSentence(
          fixed.map((property) => internalSubnet(property).name),
          "and",
        )}: it is set once`;
  return { text, patches };
}

const documentsOf = (properties: readonly InternalSubnetProperty[]): string[] => [
  ...new Set(properties.flatMap((property) => internalSubnet(property).documents.map(describeReference))),
];
