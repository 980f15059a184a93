import { EGRESS_FIREWALL_NAME } from "../../requirements/names";
import { countFaults, egressRuleFaults } from "../judge";
import { refusedNameFaults, wildcardFaults } from "../warnings";
import { OCP_4_7_OVN, OVN_KUBERNETES, at } from "../../requirements/documents";
import {
  holdsUnknown,
  isFilled,
  isList,
  read,
  readText,
  readValue,
  unknownPlaces,
} from "../../resources/read";
import { UNKNOWN, type Resource } from "../../resources/resource";
import { textOfSpec } from "../../resources/oneObject";
import { isEgressFirewall, isPatch } from "../../resources/resourceTypes";
import {
  Level,
  describeResource,
  secretOnly,
  unknown,
  violated,
  violatedBy,
  type Judgement,
  type Rule,
} from "../../gate/rule";
import { isOlder, otherNetworkProblem } from "../../objects/egressCluster";
import { grouped, onceForEach } from "../../collections";
import {
  egressFirewalls,
  exemptBlocks,
  shareCluster,
  wholeTopology,
  type JudgedFirewall,
} from "../../gate/refutedFlows";
import { rulesOfFirewall } from "../../reachability/filters/egressFirewall";
import { EGRESS_SINCE, WILDCARD_GATE } from "../../requirements/egressSupport";
import { UNPUBLISHED_RELEASE } from "../../requirements/platforms";
import { compareReleases, formatRelease } from "../../requirements/release";
import type { Maybe } from "../../resources/kubernetesObject";
import { LIMIT, limitSources } from "../../requirements/limits";
import {
  FIREWALL_CODE,
  firewallNameFaults,
  firewallSpecFaults,
  nodeRuleFaults,
  viewsOfEntries,
  withConsequence,
} from "../../objects/egressFirewallRules";
import { Surplus } from "../../reachability/firstMatch/surplus";
import { type JudgedCluster, objectOf } from "../../gate/clusters";
import { type SurplusRule, fewestRules, surplusRules } from "../../reachability/egressFirewall/analyse";
import { firstOf, plural } from "../../text";
import type { Fault } from "../../fault";
import { NAME_PATH, objectNameFaults } from "../../gate/clusterFaults";
import { objectKeyFaults, ownLabelFaults } from "../../objects/places";

/** An EgressFirewall whose name the API refuses. */
export const egressFirewallName: Rule = {
  id: "egress-firewall-name",
  title: "Egress firewall is not named default",
  level: Level.Error,
  description: `Reports EgressFirewall objects that are not named ${EGRESS_FIREWALL_NAME}. The API accepts only this name, so a namespace has at most one. If a program sets no name, Pulumi generates one.`,
  documents: [
    at(OCP_4_7_OVN, "15.5.1.1. Limitations of an egress firewall"),
    at(OVN_KUBERNETES, "EgressFirewall CRD, metadata.name"),
  ],
  remediation: `Write ${EGRESS_FIREWALL_NAME} as metadata.name.`,
  single: isEgressFirewall,
  judge: (judged) =>
    judged.ofKind(isEgressFirewall).flatMap((firewall) => {
      const name = readValue(firewall.properties, "metadata.name");
      if (name === UNKNOWN) return [unknown({ resource: firewall, path: "metadata.name" })];
      return firewallNameFaults(name).map((fault) => violatedBy(firewall, fault));
    }),
};

/** Two EgressFirewall objects for one namespace. */
export const egressFirewallDuplicate: Rule = {
  id: "egress-firewall-duplicate",
  title: "Namespace has more than one egress firewall",
  level: Level.Error,
  description:
    "Reports EgressFirewall objects in one namespace of one cluster. They have one name and are one object: one of them overwrites the other, or is refused. Which of them other rules should judge is unknown; identical copies are a note. If there are several clusters and nothing states where the objects belong, they are counted as unknown. Patches are not separate objects.",
  documents: [at(OCP_4_7_OVN, "15.5.1.1. Limitations of an egress firewall")],
  remediation: "Write the rules of both into one object, in the order in which they are to match.",
  judge: (judged) => {
    const objects = egressFirewalls(judged).filter(({ firewall }) => !isPatch(firewall.type));
    const byNamespace = grouped(objects, ({ namespace }) => namespace);
    return objects.flatMap((one) => judgeAmong(one, objects, byNamespace));
  },
};

/** Each of the two objects reports the other, so their order makes no difference. */
function judgeAmong(
  one: JudgedFirewall,
  all: readonly JudgedFirewall[],
  byNamespace: ReadonlyMap<string | undefined, readonly JudgedFirewall[]>,
): Judgement[] {
  const { firewall, namespace } = one;
  const path = "metadata.namespace";
  const isNear = (other: JudgedFirewall) => other !== one && mayShareCluster(one, other);
  if (namespace === undefined) return all.some(isNear) ? [unknown({ resource: firewall, path })] : [];
  const other = byNamespace.get(namespace)!.find(isNear);
  if (!other) {
    const unplaced = byNamespace.get(undefined) ?? [];
    return unplaced.filter(isNear).flatMap((candidate) => secretOnly({ resource: candidate.firewall, path }));
  }
  if (one.clusters.length > 1 || other.clusters.length > 1) {
    const reason = `${describeResource(other.firewall)} also governs ${namespace}, and no input states whether it is in the same cluster`;
    return [unknown({ resource: firewall, path, reason })];
  }
  return [
    violated({
      resource: firewall.origin,
      path,
      message: `${namespace} has another egress firewall: ${describeResource(other.firewall)}`,
      ...(saySame(byNamespace.get(namespace)!) && { level: Level.Note }),
    }),
  ];
}

/** Whether the objects are copies of one object, which do no harm. */
const saySame = onceForEach(
  (all: readonly JudgedFirewall[]): boolean =>
    new Set(all.map(({ firewall }) => textOfSpec(firewall))).size === 1,
);

const mayShareCluster = (a: JudgedFirewall, b: JudgedFirewall): boolean =>
  a.controlPlanes.length > 0 === b.controlPlanes.length > 0 &&
  (a.clusters.length === 0 || b.clusters.length === 0 || shareCluster(a.clusters, b.clusters));

/** An EgressFirewall with more rules than OVN-Kubernetes supports. */
export const egressFirewallLimit: Rule = {
  id: "egress-firewall-limit",
  title: "Egress firewall has more rules than OVN-Kubernetes supports",
  level: Level.Error,
  description: `Reports EgressFirewall objects with more than ${LIMIT.egressFirewallRules} rules, OVN-Kubernetes' maximum. The finding states how few rules allow exactly the same traffic. A list that is not known is counted by egress-firewall-rule-invalid.`,
  documents: [limitSources.egressFirewallRules],
  remediation: "Join neighbouring CIDR blocks, and remove rules that no traffic reaches.",
  single: isEgressFirewall,
  judge: (judged) => judged.ofKind(isEgressFirewall).flatMap(judgeLength),
};

function judgeLength(firewall: Resource): Judgement[] {
  const rules = rulesOfFirewall(firewall);
  return countFaults("spec.egress", rules.views.length).map((fault) => {
    const fewest = fewestRules(rules, []);
    const fix =
      fewest === undefined
        ? fault.remedy
        : `${fault.remedy}: the same traffic needs only ${plural(fewest, "rule")}${fewest <= LIMIT.egressFirewallRules ? "" : ", which is still too many: deny or allow wider blocks"}`;
    return violatedBy(firewall, fault, { fix });
  });
}

/** An EgressFirewall with a rule that the API server refuses, or that does not do what it seems to. */
export const egressFirewallRuleInvalid: Rule = {
  id: "egress-firewall-rule-invalid",
  title: "Egress firewall rule is invalid",
  level: Level.Error,
  description:
    "Reports EgressFirewall rules that are not valid, and the consequences. The API server refuses an object with a rule that has no type, not exactly one destination, or a port without protocol.",
  details: [
    "If OVN-Kubernetes cannot read a CIDR block, which needs a mask, or a node selector, it applies none of the object's rules, Deny rules included.",
    "The API's loose patterns accept other words: a rule of the type Allowed drops its traffic, and the protocol TCPX matches nothing. An address written as a DNS name matches nothing either. A node selector that contradicts itself also matches nothing, which is a warning.",
    "The feature gate DNSNameResolver, a Technology Preview, decides on names: without it, OVN-Kubernetes applies no object with a wildcard; with it, none with a name that has only one label, or a label that begins or ends with a hyphen. This is a warning if nothing states whether the gate is enabled.",
    `Also reports unknown properties, namespaces and labels that the API server refuses, rules for nodes in hosted clusters before ${formatRelease(EGRESS_SINCE.firewallNodeSelector.release)}, and EgressFirewall objects in hosted clusters with another network type, which have no such objects.`,
  ],
  documents: [
    at(OCP_4_7_OVN, "15.5.2.1. EgressFirewall rules"),
    at(OVN_KUBERNETES, "go-controller/pkg/ovn/egressfirewall.go"),
    at(OVN_KUBERNETES, "go-controller/pkg/util/egressfirewall.go"),
  ],
  remediation: "Correct the rule: the finding states what happens until then.",
  single: isEgressFirewall,
  judge: (judged) => [
    ...judged
      .ofKind(isEgressFirewall)
      .flatMap((firewall) => [...judgeNamespace(firewall), ...judgeRules(firewall)]),
    ...egressFirewalls(judged).flatMap((one) => [
      ...judgeNetworkType(one),
      ...judgeNodeRules(one),
      ...judgeNames(one),
    ]),
  ],
};

/** Other network types than OVN-Kubernetes have no EgressFirewall objects, so none of the rules applies. */
function judgeNetworkType({ firewall, clusters, cluster }: JudgedFirewall): Judgement[] {
  const [only, ...others] = clusters;
  if (cluster !== "hosted" || !only || others.length > 0) return [];
  const problem = otherNetworkProblem(wholeTopology(only));
  return problem === undefined
    ? []
    : [
        violated({
          resource: firewall.origin,
          path: "kind",
          message: `${only.key}: ${problem}`,
          fix: "leave it out, and write network policies",
        }),
      ];
}

/** Rules for nodes in hosted clusters whose releases all lack them. */
const judgeNodeRules = ({ firewall, rules: { views }, release }: JudgedFirewall): Judgement[] =>
  views
    .flatMap((view) => nodeRuleFaults(view, release))
    .map((fault) => violatedBy(firewall, fault, { message: withConsequence(fault, views.length) }));

/** Names are an error if every candidate cluster is known to refuse them, and a warning if that is not stated. */
function judgeNames({ firewall, rules, clusters, cluster }: JudgedFirewall): Judgement[] {
  // A plan does not state which feature gates are enabled in the management cluster.
  const gates = cluster === "hosted" ? clusters.map(hasNameResolver) : [undefined];
  const all = (wanted: boolean) => gates.length > 0 && gates.every((one) => one === wanted);
  const judged = (faults: readonly Fault[], refusing: boolean) =>
    all(!refusing)
      ? []
      : faults.map((fault) => violatedBy(firewall, fault, !all(refusing) && { level: Level.Warning }));
  return [...judged(wildcardFaults(rules.views), false), ...judged(refusedNameFaults(rules.views), true)];
}

/** Whether a hosted cluster is known to have DNSNameResolver, which reads wildcards; undefined if the input does not state it. */
function hasNameResolver(cluster: JudgedCluster): Maybe {
  const object = objectOf(cluster);
  const features = readValue(object?.properties, "spec.configuration.featureGate");
  if (!object || holdsUnknown(features)) return undefined;
  const release = wholeTopology(cluster)?.release;
  if (isOlder(release, EGRESS_SINCE.firewallWildcards)) return false;
  const set = readText(features, "featureSet");
  const custom = read(features, "customNoUpgrade.enabled[]").map(({ value }) => value);
  if (set === "CustomNoUpgrade" ? custom.includes(WILDCARD_GATE) : isFilled(set) && PREVIEWS.has(set))
    return true;
  return release && compareReleases(release, UNPUBLISHED_RELEASE) < 0 ? false : undefined;
}

/** Feature sets that enable the gates of Technology Previews. */
const PREVIEWS: ReadonlySet<string> = new Set(["TechPreviewNoUpgrade", "DevPreviewNoUpgrade"]);

/** A namespace that the API server refuses. The name has a rule of its own. */
const judgeNamespace = (firewall: Resource): Judgement[] =>
  objectNameFaults(firewall, "firewall").filter(({ path }) => path === NAME_PATH.namespace);

function judgeRules(firewall: Resource): Judgement[] {
  const path = "spec.egress";
  const { properties, type } = firewall;
  const value = readValue(properties, path);
  const beside = [
    ...objectKeyFaults(firewall),
    ...ownLabelFaults(firewall),
    ...firewallSpecFaults(readValue(properties, "spec")),
  ];
  const isPatched = value === undefined && isPatch(type);
  const isEmpty = isList(value) && value.length === 0;
  const views = viewsOfEntries(value);
  // OVN-Kubernetes ignores host bits, for example: another rule reports them.
  const faults = isPatched || isEmpty ? [] : egressRuleFaults({ path, value }, views);
  return [
    ...(value === UNKNOWN ? [unknown({ resource: firewall, path })] : []),
    ...views.flatMap((view) =>
      [...unknownPlaces(view.value, view.path)].map((place) => unknown({ resource: firewall, path: place })),
    ),
    ...(isEmpty ? [withoutRules(firewall, path)] : []),
    ...[...beside, ...faults.filter(({ rule }) => rule === undefined)].map((fault) =>
      violatedBy(firewall, fault, {
        message: withConsequence(fault, views.length),
        ...(fault.code === FIREWALL_CODE.idle && { level: Level.Warning }),
      }),
    ),
  ];
}

/** OVN-Kubernetes applies an object without rules, and pods reach what they reached before. */
const withoutRules = ({ origin }: Resource, path: string): Judgement =>
  violated({
    resource: origin,
    path,
    message: "has no rules, so all traffic is allowed",
    fix: "write one, or leave the firewall out",
    level: Level.Warning,
  });

/** A rule of an egress firewall that has no effect. */
export const egressFirewallShadowed: Rule = {
  id: "egress-firewall-shadowed",
  title: "Egress firewall rule has no effect",
  level: Level.Warning,
  description:
    "Reports EgressFirewall rules that no traffic reaches, because earlier rules or the cluster network match all of it, and rules whose removal changes nothing. The first match wins: an Allow after a wider Deny opens nothing. All reported rules can be removed together. DNS names and nodes may have any address, so rules for them make no other rule ineffective.",
  documents: [at(OCP_4_7_OVN, "15.5.1.2. Matching order for egress firewall policy rules")],
  remediation: "Put the rule before those that match its traffic, or remove it.",
  judge: (judged) => egressFirewalls(judged).flatMap(judgeShadows),
};

function judgeShadows({ firewall, rules, clusters, cluster }: JudgedFirewall): Judgement[] {
  const exempt = cluster === "hosted" ? blocksOfAll(clusters) : [];
  const surplus = surplusRules(rules, exempt);
  const fewest = surplus.length > 0 ? fewestRules(rules, exempt) : undefined;
  const size = fewest === undefined ? "" : `; ${fewest} of ${rules.views.length} rules would be enough`;
  return surplus.map((one) => {
    const fix = wayOut(one);
    return violated({
      resource: firewall.origin,
      path: one.path,
      message: `${WORDS[one.why](one)}${size}`,
      ...(fix !== undefined && { fix }),
    });
  });
}

/** The fix for one rule. The general fix, another place in the list, helps only if other rules match the traffic first. */
function wayOut({ why, isExempt }: SurplusRule): string | undefined {
  if (isExempt) return "remove it: traffic within the cluster network is for a NetworkPolicy";
  return why === Surplus.Redundant ? "remove it, or keep it for readers of the list" : undefined;
}

/** The exempt blocks. They are certain only if there is a single candidate cluster. */
function blocksOfAll(clusters: readonly JudgedCluster[]) {
  const [only, ...others] = clusters;
  return only && others.length === 0 ? exemptBlocks(wholeTopology(only)) : [];
}

const WORDS: Readonly<Record<Surplus, (rule: SurplusRule) => string>> = {
  [Surplus.Shadowed]: ({ isExempt, by }) =>
    isExempt
      ? "covers only the cluster network, which egress firewalls never match"
      : `is never reached: ${firstOf(by, 3)} before it ${by.length === 1 ? "matches" : "match"} all of its traffic`,
  [Surplus.Redundant]: () =>
    "changes nothing: without it, later rules or the end of the list have the same effect",
};
