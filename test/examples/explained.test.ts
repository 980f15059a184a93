import { describePacketExplanation } from "../../src/reachability/answers/explain/explanation";
import {
  explainWritten,
  namesOf,
  resourcesNamed,
} from "../../src/reachability/answers/explain/explainWritten";
import { readPacketQuery, explainPacket } from "../../src/reachability/answers/explain/explainPacket";
import { possibleJourneys } from "../../src/flows/journeys";
import { surroundingsOf } from "../../src/flows/surroundings";
import { flowKey, type Hop, type FlowPeer } from "../../src/flows/model";
import { hostsOf } from "../../src/flows/hops";
import { Direction, Protocol } from "../../src/requirements/vocabulary";
import { requiredFlows } from "../../src/flows/required/requiredFlows";
import { securityGroups } from "../../src/resources/securityGroups";
import type { JudgedResources } from "../../src/gate/judgedResources";
import { planQuestion } from "../../src/rules/conclusion";
import { examples } from "./example";
import { judgedExample } from "./examplePlan";

type Seen = Pick<Hop, "protocol" | "ports" | "sources" | "destinations">;

/** A host of each block of the peers, and `any` if a peer has no stated block. */
const addresses = (peers: readonly FlowPeer[]): string[] => {
  const known = peers.flatMap(({ prefixes = [] }) => prefixes.map((prefix) => prefix.last()));
  return known.length === 0 || peers.some(({ prefixes }) => !prefixes) ? ["any", ...known] : known;
};

/** The packets that a hop must allow, in the notation of explain. */
function packetsAt({ protocol, ports, sources, destinations }: Seen): string[] {
  const service = protocol === Protocol.Any ? "TCP 7" : ports ? `${protocol} ${ports.to}` : protocol;
  return addresses(sources).flatMap((source) =>
    addresses(destinations).map((destination) => `${source} -> ${destination}, ${service}`),
  );
}

describe.each(examples().map((example) => [example.name, example] as const))(
  "explain in %s",
  (_, example) => {
    let judged: JudgedResources;
    // A program can run only once in a test file.
    beforeAll(async () => {
      judged = await judgedExample(example);
      expect(judged.resources.length).toBeGreaterThan(1);
    });

    test("names the flow for a packet at each place that prove and check judge", () => {
      const missed = judged.clusters.flatMap(({ topology }) => {
        if (!topology) return [];
        const surroundings = surroundingsOf(judged.index, topology);
        const unanswered = (key: string, seen: Seen) =>
          packetsAt(seen)
            .filter((packet) => {
              const query = readPacketQuery(packet);
              if (!query) throw new Error(`${packet} cannot be read`);
              const explanation = explainPacket(query, topology, surroundings);
              const [headline] = describePacketExplanation(explanation);
              return (
                headline!.includes("no requirement") || !explanation.flows.some((flow) => flow.key === key)
              );
            })
            .map((packet) => `${key}: ${packet}`);
        const proved = possibleJourneys(topology, surroundings).flatMap(({ key, hops }) =>
          hops.flatMap((hop) => unanswered(key, hop)),
        );
        const checked = requiredFlows(topology).flatMap((flow) => {
          const own = [hostsOf(topology, flow.role)];
          const isIngress = flow.direction === Direction.Ingress;
          const ends = { sources: isIngress ? flow.peers : own, destinations: isIngress ? own : flow.peers };
          return unanswered(flowKey(flow), { ...flow, ...ends });
        });
        return [...proved, ...checked];
      });
      expect(missed).toEqual([]);
    });

    test("finds a security group by each of its names, with all of its rules", () => {
      const [topology] = judged.clusters.flatMap((cluster) => cluster.topology ?? []);
      const wrong = securityGroups(judged.index).groups.flatMap(({ resource, rules }) => {
        if (!resource || !topology || rules.length === 0) return [];
        return namesOf(resource).filter((name) => {
          const explained = resourcesNamed(judged.index, name).flatMap(
            (meant) => explainWritten(planQuestion(judged, topology), meant).places,
          );
          const urns = new Set(explained.map(({ rule }) => rule.urn));
          return !rules.every((rule) => urns.has(rule.resource.origin.urn));
        });
      });
      expect(wrong).toEqual([]);
    });
  },
);
