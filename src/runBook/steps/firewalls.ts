import { surroundingLists, type NormalizedTopology } from "../../topology/normalizedTopology";
import { flowsClosed, flowsOpened } from "../flowRows";
import { Disruption, Place, type FlowRow } from "../runBook";
import type { Draft, Way } from "./draft";

/** What the wanted topology needs beyond today's, before anything else; joining nodes have steps of their own. */
export function openFlows(way: Way): Draft[] {
  const { current, reachable } = way;
  const flows = flowsOpened(current, { ...reachable, bootstrap: current.bootstrap });
  if (flows.length === 0) return [];
  const settings = settingsOf(way, (property) => union(current, reachable, property));
  return [
    {
      id: "open-flows",
      title: "Open what the wanted state needs",
      place: Place.Firewalls,
      disruption: Disruption.None,
      effect: "rules are added, and none is taken away",
      facets: [],
      preChecks: [],
      patches: [],
      actions: firewallActions("Add rules for the flows below", settings),
      flows,
      ...(settings && { settings }),
      verification: [proofCheck("every flow below is proved, and every flow of today still is")],
      wayBack: { text: "take the rules out again", patches: [] },
      documents: documentsOf(flows),
    },
  ];
}

/** What today's topology needs and the wanted one does not, after everything else. */
export function closeFlows(way: Way): Draft[] {
  const { current, reachable } = way;
  const flows = flowsClosed(current, { ...reachable, bootstrap: current.bootstrap });
  if (flows.length === 0) return [];
  const settings = settingsOf(way, (property) => reachable[property].map(({ text }) => text));
  return [
    {
      id: "close-flows",
      title: "Close what the wanted state does not need",
      place: Place.Firewalls,
      disruption: Disruption.Closes,
      effect: "whoever still uses one of the flows below is cut off",
      facets: [],
      preChecks: [{ what: "nobody uses the flows below any more: look at flow logs" }],
      patches: [],
      actions: firewallActions("Take the rules for the flows below out", settings),
      flows,
      ...(settings && { settings }),
      verification: [proofCheck("every flow of the wanted topology is proved")],
      wayBack: { text: "add the rules again: nothing else depends on them", patches: [] },
      documents: documentsOf(flows),
    },
  ];
}

const proofCheck = (what: string) => ({
  what,
  command: "pulumi preview --json --show-sames | hypershift-network prove - --config hypershift-network.yaml",
});

function firewallActions(first: string, settings: Settings | undefined): string[] {
  return [
    `${first}, in firewalls that this package does not make as well.`,
    ...(settings ? ["Write the settings below into the topology and apply them with `pulumi up`."] : []),
  ];
}

type List = (typeof surroundingLists)[number];
type Settings = Readonly<Record<string, unknown>>;

/** The lists that differ, as they stand during a step. */
function settingsOf(
  { differing }: Way,
  valueOf: (property: List) => readonly string[],
): Settings | undefined {
  const changed = surroundingLists.filter((property) => differing.includes(property));
  if (changed.length === 0) return undefined;
  return Object.fromEntries(
    changed.map((property) => {
      const value = valueOf(property);
      return [property, value.length > 0 ? value : null];
    }),
  );
}

function union(current: NormalizedTopology, wanted: NormalizedTopology, property: List): string[] {
  const texts = (topology: NormalizedTopology) => topology[property].map(({ text }) => text);
  return [...new Set([...texts(current), ...texts(wanted)])];
}

const documentsOf = (flows: readonly FlowRow[]): string[] => [
  ...new Set(flows.flatMap(({ documents }) => documents)),
];
