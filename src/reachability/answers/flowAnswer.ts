import type { NormalizedTopology } from "../../topology/normalizedTopology";
import type { FlowPeer, MissingInput } from "../../flows/model";
import type { ResourceIndex } from "../../resources/resourceIndex";
import { reasonOf } from "../../resources/oneObject";
import type { UnknownValue } from "../../resources/resource";
import { Action } from "../filters/filter";
import type { JudgedGuard, JudgedJourney } from "../path/judge";
import type { Packet } from "../packets/example";
import { Proof, type ProofResult } from "../proof/prove";
import { describeReference } from "../../requirements/documents";
import type {
  AssumedFlow,
  AssumptionAnswer,
  FlowAnswer,
  ProvedFlow,
  RefutedFlow,
  Refutation,
  UnknownAnswer,
  UnknownFlow,
} from "./answer";
import { documentsOf, rowsBehind } from "./describeAnswer";
import {
  directionAt,
  identityOf,
  otherPodsAt,
  packetLines,
  placeOf,
  type PlainPacket,
  podsAt,
  ruleOf,
  serviceText,
  type Written,
  writtenAt,
  type WrittenRule,
} from "./places";
import { repairOf } from "./repair/repairOf";
import { leverOf, PlannedRepairs } from "./repair/repair";

/** Returns the answer for one journey. Its repairs are compatible with the `planned` ones, and are added to them. */
export function flowAnswer(
  judged: JudgedJourney,
  topology: NormalizedTopology,
  planned = new PlannedRepairs(),
  index?: ResourceIndex,
): FlowAnswer {
  const { key, title, from, service, phase, optional, hops } = judged.journey;
  const rows = hops.flatMap((hop) => rowsBehind(topology, judged.journey, hop));
  return {
    key,
    title,
    from,
    ...(service && { service }),
    phase,
    ...(optional && { optional }),
    requirements: [...new Set(rows.map(({ id }) => id))],
    documents: documentsOf(rows),
    ...outcome(judged, topology, planned, index),
  };
}

function outcome(
  judged: JudgedJourney,
  topology: NormalizedTopology,
  planned: PlannedRepairs,
  index?: ResourceIndex,
): ProvedFlow | AssumedFlow | RefutedFlow | UnknownFlow {
  switch (judged.proof) {
    case Proof.Proved:
      return { proof: Proof.Proved, rules: coveringRules(judged) };
    case Proof.Assumed:
      return { proof: Proof.Assumed, rules: coveringRules(judged), assumptions: assumptionsOf(judged) };
    case Proof.Refuted: {
      const refutations: Refutation[] = [];
      for (const guard of judged.guards)
        if (guard.verdict.proof === Proof.Refuted) {
          const found = refutation(judged, guard, guard.verdict, topology, planned, index);
          planned.add(found.repair);
          refutations.push(found);
        }
      return { proof: Proof.Refuted, refutations };
    }
    case Proof.Unknown:
      return {
        proof: Proof.Unknown,
        values: unknownAnswers(
          judged.guards.flatMap(({ verdict }) => (verdict.proof === Proof.Unknown ? verdict.values : [])),
        ),
        missing: distinctInputs(judged.missing),
        unguarded: [...new Set(judged.unguarded.map(placeOf))],
      };
  }
}

const assumptionsOf = ({ assumptions }: JudgedJourney): AssumptionAnswer[] => {
  const answers = assumptions.map(({ hop, by }) => ({
    place: placeOf(hop),
    by: by.id,
    name: by.name,
    releases: by.releases,
    documents: by.documents.map(describeReference),
    toProof: by.toProof,
  }));
  return [...new Map(answers.map((answer) => [`${answer.place} ${answer.by}`, answer])).values()];
};

function coveringRules({ guards }: JudgedJourney): WrittenRule[] {
  const rules = guards.flatMap(({ verdict }) =>
    verdict.proof === Proof.Proved
      ? verdict.cover.flatMap(({ clause }) => (clause ? [ruleOf(clause)] : []))
      : [],
  );
  return [...new Map(rules.map((rule) => [identityOf(rule), rule])).values()];
}

function refutation(
  { journey }: JudgedJourney,
  judged: JudgedGuard,
  { packet, dropped, decision }: Extract<ProofResult, { proof: Proof.Refuted }>,
  topology: NormalizedTopology,
  planned: PlannedRepairs,
  index?: ResourceIndex,
): Refutation {
  const { hop, guard, asked } = judged;
  const rows = rowsBehind(topology, journey, hop);
  const { rules, obstacle } = repairOf(judged, topology, planned);
  const lever = index && leverOf(judged, topology, index);
  const denying = decision?.action === Action.Deny ? decision.clause : undefined;
  const holder = denying ? writtenAt(denying.resource) : holderOf(judged);
  return {
    place: placeOf(hop),
    ...(hop.kind === "hosts" && hop.flow && { hop: hop.flow.key }),
    guard: guard.name,
    asked,
    packet: plainPacket(judged, packet),
    dropped: packetLines(dropped, directionAt(hop), otherPodsAt(hop, directionAt(hop))),
    ...(denying && { rule: ruleOf(denying) }),
    ...(holder && { holder }),
    repair: rules,
    ...(lever !== undefined && { lever }),
    ...(obstacle !== undefined && { obstacle }),
    ...(judged.passedBy && {
      note: `${judged.passedBy.name} may allow it, but this plan must allow it itself`,
    }),
    requirements: rows.map(({ id }) => id),
    documents: documentsOf(rows),
  };
}

/** The resource that a missing rule would have to be in. */
function holderOf({ guard: { standing } }: JudgedGuard): Written | undefined {
  switch (standing?.kind) {
    case "securityGroups": {
      const group = standing.groups.find(({ resource }) => resource)?.resource;
      return group && writtenAt(group);
    }
    case "networkAcl":
      return standing.acl.resource && writtenAt(standing.acl.resource);
    case "allowList":
      return writtenAt(standing.listedBy);
    default:
      return undefined;
  }
}

function plainPacket({ hop, asked }: JudgedGuard, { source, destination, ...rest }: Packet): PlainPacket {
  const [from, to] = asked === "calls" ? [hop.sources, hop.destinations] : [hop.destinations, hop.sources];
  const named = (peers: readonly FlowPeer[], address: string) =>
    peers.length > 0 && peers.every(({ prefixes }) => prefixes) ? address : "any address";
  const pods = podsAt(hop);
  const [sender, receiver] =
    asked === "calls" ? [pods.source, pods.destination] : [pods.destination, pods.source];
  return {
    source: sender ?? named(from, source),
    destination: receiver ?? named(to, destination),
    service: serviceText(rest),
  };
}

/** Unknown values as plain data, without duplicates. */
export function unknownAnswers(values: readonly UnknownValue[]): UnknownAnswer[] {
  const answers = values.map((value) => {
    const reason = reasonOf(value);
    return { resource: writtenAt(value.resource), path: value.path, ...(reason !== undefined && { reason }) };
  });
  return [...new Map(answers.map((answer) => [JSON.stringify(answer), answer])).values()];
}

const distinctInputs = (inputs: readonly MissingInput[]): MissingInput[] => [
  ...new Map(inputs.map((input) => [`${input.input} ${input.why}`, input])).values(),
];
