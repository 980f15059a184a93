import { Direction } from "../../src/requirements/vocabulary";
import { answerPlan } from "../../src/reachability/answers/answerPlan";
import type { FlowCounts, PlanAnswer } from "../../src/reachability/answers/answer";
import { countFlows } from "../../src/reachability/answers/describeAnswer";
import { identityOf, ruleOf } from "../../src/reachability/answers/places";
import { certificateOf, plannedResources } from "../../src/reachability/certificate/certificate";
import { checkCertificate } from "../../src/reachability/certificate/check";
import type { JudgedJourney } from "../../src/reachability/path/judge";
import { Proof } from "../../src/reachability/proof/prove";
import type { PropertyValue, Resource } from "../../src/resources/resource";
import { normalizeTopology } from "../../src/topology/normalizeTopology";
import type { NormalizedTopology } from "../../src/topology/normalizedTopology";
import { JudgedResources } from "../../src/gate/judgedResources";
import { rules } from "../../src/rules";
import { verdictOf } from "../../src/gate/verdict";
import { Status, type Finding } from "../../src/gate/rule";
import { conclusionsOf, flowRules, planQuestion } from "../../src/rules/conclusion";
import { flowsOfPlan } from "../../src/gate/refutedFlows";
import type { RawTopology } from "../../src/topology/topologyOfHostedCluster";
import { configuredNames, written } from "./forms";
import { filtersOf, type Filters } from "./filters";
import { objectsOf, writtenObjects, type Objects } from "./objects";
import type { Case } from "./case";
import type { Configuration } from "../../src/gate/configuration";

/** The results of the commands for one plan. */
export interface Verdicts {
  judged: JudgedResources;
  topology: NormalizedTopology;
  /** The answer of `prove`. */
  answer: PlanAnswer;
  /** Every flow at every place. */
  flows: readonly JudgedJourney[];
  /** Findings of `check` about flows that are dropped, and about excess. */
  findings: readonly Finding[];
  /** The counts in the report. */
  counts: FlowCounts | undefined;
}

/** Rules about flows that are dropped, and about open ports. */
const asked = [...flowRules, ...rules.filter(({ id }) => id === "port-excess")];

/** All filters of a case. */
export interface Made extends Filters, Objects {}

/** The filters and the normalized topology of a case, or the faults. */
export function filtersAnd(given: Case): { filters: Made; topology: NormalizedTopology } | string[] {
  const { topology } = normalizeTopology(given.topology);
  const filters = filtersOf(given);
  if (!topology) return ["the topology has faults"];
  if ("faults" in filters) return [...filters.faults];
  const { faults, ...objects } = objectsOf(given, topology);
  return faults.length > 0 ? [...faults] : { filters: { ...filters, ...objects }, topology };
}

/** Builds a plan of these filters and runs the commands on it. */
export function verdictsOn(given: Case, filters: Made, topology: NormalizedTopology): Verdicts {
  const resources = [
    ...written(given, filters, topology),
    ...writtenObjects(filters, topology),
    ...hostedCluster(given),
  ];
  const judged = new JudgedResources(resources, configurationOf(given));
  const [cluster] = judged.clusters;
  if (!cluster?.topology) throw new Error("the plan has no hosted cluster");
  const verdict = verdictOf(judged, asked);
  return {
    judged,
    topology: cluster.topology,
    answer: answerPlan(planQuestion(judged, cluster.topology)),
    flows: flowsOfPlan(judged, cluster.topology),
    findings: verdict.findings.filter(({ status }) => status === Status.Violated),
    counts: conclusionsOf(judged, verdict)[0]?.counts,
  };
}

/** A patch that only states which CIDR blocks public load balancers admit. */
function hostedCluster({ allowedCIDRBlocks, topology: { name } }: Case): Resource[] {
  if (!allowedCIDRBlocks) return [];
  const type = "kubernetes:hypershift.openshift.io/v1beta1:HostedClusterPatch";
  const properties: Record<string, PropertyValue> = {
    metadata: { name, namespace: "clusters" },
    spec: { networking: { apiServer: { allowedCIDRBlocks } } },
  };
  return [{ origin: { urn: `urn:pulumi:stack::project::${type}::${name}` }, type, name, properties }];
}

const configurationOf = ({ topology, form }: Case): Configuration => ({
  clusters: [
    {
      path: "hostedClusters[0]",
      topology: topology as unknown as RawTopology,
      securityGroups: form.configured ? configuredNames : {},
    },
  ],
  levels: {},
});

/** Each flow with its verdict: `workers-dns proved`. */
export const proofsOf = ({ answer }: Verdicts): string[] =>
  answer.flows.map(({ key, proof }) => `${key} ${proof}`);

/** The refuted flows, without those that are optional. */
export const refutedBy = ({ answer }: Verdicts): string[] =>
  answer.flows
    .filter(({ proof, optional }) => proof === Proof.Refuted && !optional)
    .map(({ key }) => key)
    .sort();

/** The flows that findings of `check` name. */
export function foundBy({ answer, findings }: Verdicts): string[] {
  const optional = answer.flows.flatMap((flow) => (flow.optional ? [flow.key] : []));
  const named = findings.filter(({ rule }) => rule !== "port-excess").flatMap(({ flow = [] }) => flow);
  return [...new Set(named)].filter((key) => !optional.includes(key)).sort();
}

/** Every group rule that `prove` reports as excess, with its direction. */
export const excessBy = ({ answer }: Verdicts): string[] =>
  answer.excess
    .flatMap(({ rule, places }) =>
      rule
        ? places.flatMap(({ direction, guard }) =>
            guard.startsWith("security groups") ? [`${identityOf(rule)} ${direction}`] : [],
          )
        : [],
    )
    .sort();

/** Every group rule that `check` reports as excess, in the same form. */
export const excessFound = ({ findings, judged }: Verdicts): string[] =>
  findings
    .filter(({ rule }) => rule === "port-excess")
    .map(({ resource: origin, path }) => {
      const resource = judged.index.at(origin.urn)!;
      const isRule = resource.type.endsWith("Rule");
      const { type: word } = resource.properties;
      const type = isRule ? `${resource.type} ${typeof word === "string" ? word : ""}` : path;
      const direction = /egress/i.test(type) ? Direction.Egress : Direction.Ingress;
      return `${identityOf(ruleOf({ resource, path: isRule ? "" : path }))} ${direction}`;
    })
    .sort();

/** The counts of flows for each verdict of `prove`. */
export const countsOf = ({ answer }: Verdicts): FlowCounts => countFlows(answer.flows);

/** The flows with a certificate, and the faults that the checker finds in it. */
export function certified({ flows, judged, topology, answer }: Verdicts): {
  keys: string[];
  faults: string[];
} {
  const certificate = certificateOf(answer.cluster, flows);
  const { index, configuredGroups } = judged;
  const { plan } = plannedResources(judged.resources, { index, topology, configuredGroups });
  return {
    keys: certificate.flows.map(({ journey }) => journey),
    faults: checkCertificate(certificate, plan),
  };
}
