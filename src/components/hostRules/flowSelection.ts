import { serviceProperty } from "../../requirements/publishedServices";
import type { Fault } from "../../fault";
import { closest } from "../../topology/normalize/values";
import { flowKey, type RequiredFlow } from "../../flows/model";
import { NODE_PORTS } from "../../requirements/ports";
import { EndpointAccess, LoadBalancerTargets, Platform, PublishingType } from "../../requirements/vocabulary";
import { type NormalizedOrFaults, normalizeTopology } from "../../topology/normalizeTopology";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { onceForEach, isRecord } from "../../collections";
import { plannedTopology } from "../../topology/addressBlocks";
import { UNKNOWN } from "../../resources/resource";
import type { PlannedRule } from "./plannedRule";
import { publicFaults, type ResolvedPeer } from "./rulePeers";
import { isGiven } from "../../resources/read";

/** Which flows get rules. */
export interface FlowChoice {
  /** Keys of flows that get rules only when asked for. */
  enabledRules?: readonly string[];
  /** Keys of flows that get no rules. */
  disabledRules?: readonly string[];
}

/** The flows that get rules: all but the opt-in ones that were not asked for and those that were disabled. */
function chosenFlows(
  flows: readonly RequiredFlow[],
  { enabledRules, disabledRules }: FlowChoice,
): RequiredFlow[] {
  const enabled = new Set(enabledRules);
  const disabled = new Set(disabledRules);
  return flows.filter((flow) => (!flow.optIn || enabled.has(flowKey(flow))) && !disabled.has(flowKey(flow)));
}

/**
 * What is wrong with a choice. `possible` are the flows of the topology with all its phases, so that a key stays valid
 * when the bootstrap phase ends.
 */
export function choiceFaults(possible: readonly RequiredFlow[], choice: FlowChoice): Fault[] {
  const optIn = possible.filter((flow) => flow.optIn).map(flowKey);
  const usual = possible.filter((flow) => !flow.optIn).map(flowKey);
  return [
    ...keyFaults("enabledRules", choice.enabledRules, optIn, usual, "names rules that are made anyway"),
    ...keyFaults(
      "disabledRules",
      choice.disabledRules,
      usual,
      optIn,
      "names rules that are only made when enabled",
    ),
  ];
}

/** What is wrong with a choice whatever the topology is: keys that no hosted cluster has. */
function strangeKeyFaults(everyKey: () => ReadonlySet<string>, choice: FlowChoice): Fault[] {
  const lists = Object.entries({ enabledRules: choice.enabledRules, disabledRules: choice.disabledRules });
  const every = lists.some(([, keys]) => Array.isArray(keys)) ? everyKey() : new Set<string>();
  return lists.flatMap(([list, keys]: [string, unknown]) => {
    if (keys === undefined || keys === null) return [];
    if (!Array.isArray(keys)) return [noList(list)];
    return keys.flatMap((key: unknown, index) => {
      if (typeof key === "string" && every.has(key)) return [];
      const given = typeof key === "string" ? key : JSON.stringify(key);
      const meant = closestKey(given, every);
      const remedy = meant ? `did you mean ${meant}?` : "use keys that the output `rules` has as flows";
      return [{ path: `${list}[${index}]`, problem: `${given} names no rule`, remedy }];
    });
  });
}

/** The key that was probably meant: of the same role and direction, with a name that is almost the same. */
function closestKey(given: string, every: ReadonlySet<string>): string | undefined {
  const place = given.slice(0, given.lastIndexOf("/") + 1);
  const names = [...every].filter((key) => key.startsWith(place)).map((key) => key.slice(place.length));
  const meant = closest(given.slice(place.length), names);
  return meant && `${place}${meant}`;
}

const noList = (path: string): Fault => ({
  path,
  problem: "is not a list",
  remedy: "write a list of rule keys: [<role>/<direction>/<key>]",
});

function keyFaults(
  list: string,
  keys: unknown,
  valid: readonly string[],
  pointless: readonly string[],
  why: string,
): Fault[] {
  if (keys === undefined || keys === null) return [];
  if (!Array.isArray(keys)) return [noList(list)];
  return keys.flatMap((key: unknown, index) => {
    if (valid.some((known) => known === key)) return [];
    const path = `${list}[${index}]`;
    const given = typeof key === "string" ? key : JSON.stringify(key);
    if (pointless.some((known) => known === key))
      return [{ path, problem: `${given} ${why}`, remedy: "remove it" }];
    return [
      { path, problem: `${given} names no rule of this topology`, remedy: `use one of ${valid.join(", ")}` },
    ];
  });
}

/** The keys of the flows that some hosted cluster has: what a key can be while the topology at hand is wrong. */
export function everyFlowKey(
  flowsOf: (topology: NormalizedTopology) => readonly RequiredFlow[],
): ReadonlySet<string> {
  const clusters = everyTopology().flatMap((raw) => normalizeTopology(raw).readable ?? []);
  return new Set(clusters.flatMap((topology) => flowsOf(topology).map(flowKey)));
}

/** Every platform with each way of publishing, of access and of load balancing. Some are refused; keys they have all the same. */
function everyTopology(): object[] {
  const strategies = [...Object.values(PublishingType).map((type) => () => ({ type })), pinned];
  return Object.values(Platform).flatMap((platform) =>
    strategies.flatMap((strategy) =>
      [EndpointAccess.PublicAndPrivate, undefined].flatMap((endpointAccess) =>
        Object.values(LoadBalancerTargets).map((loadBalancerTargets) => ({
          name: "any",
          platform,
          endpointAccess,
          loadBalancerTargets,
          proxy: { httpProxy: ANY_PROXY, httpsProxy: ANY_PROXY },
          services: Object.fromEntries(
            Object.values(serviceProperty).map((service, position) => [service, strategy(position)]),
          ),
        })),
      ),
    ),
  );
}

const ANY_PROXY = "http://proxy.example.com:3128";

const pinned = (position: number) => ({
  type: PublishingType.NodePort,
  nodePort: NODE_PORTS.from + position,
});

/** How a component gets from a topology to the flows that its rules are about. */
export interface FlowSource extends FlowChoice {
  /** What is wrong with its other inputs. */
  inputFaults: readonly Fault[];
  /** What is wrong with its other inputs for this topology. */
  mismatches?: (topology: NormalizedTopology) => Fault[];
  /** Why a topology is none for this component. */
  refusals?: (topology: NormalizedTopology) => Fault[];
  /** The flows that are its business. */
  flowsOf: (topology: NormalizedTopology) => RequiredFlow[];
  /** The ends of a flow, with the peers of its rules. */
  resolve: (flow: RequiredFlow, topology: NormalizedTopology) => ResolvedPeer[];
}

/** The flows that get rules, with their peers, or why there are none. */
export interface FlowPlan {
  /** The topology with its defaults; absent where the inputs have faults. */
  topology?: NormalizedTopology;
  /** The flows that get rules. */
  flows: readonly RequiredFlow[];
  resolved: readonly ResolvedPeer[];
  /** Everything that is wrong with the inputs. */
  faults: readonly Fault[];
  /** What the topology says in a way that is probably not meant. */
  notes: readonly string[];
}

/**
 * The topology among the inputs of a component, with the addresses in it as far as they are `known`; of the others resources are
 * planned by their keys. URLs of proxies that are not plain have none: they are judged when they are known, and plan nothing.
 * The inputs are the component's own copy, of which plans are made several times: where all of it is plain it is read once.
 */
export function topologyAmong(
  inputs: { readonly topology?: unknown },
  known: { readonly topology?: unknown },
): NormalizedOrFaults {
  const { topology } = inputs;
  const { addresses, proxy } = isRecord(known.topology) ? known.topology : {};
  const planning = isRecord(topology) && isRecord(proxy) ? plainProxy(topology.proxy, proxy) : proxy;
  if (!isGiven(addresses) && planning === proxy) return plainTopology(inputs);
  const withProxy = (settings: unknown) =>
    normalizeTopology(
      plannedTopology({
        ...(topology as object),
        ...(isGiven(addresses) && { addresses }),
        ...(isRecord(settings) && { proxy: settings }),
      }),
    );
  const planned = withProxy(planning);
  return planning === proxy ? planned : { ...planned, faults: withProxy(proxy).faults };
}

/** The settings of a proxy that are plain, and UNKNOWN for the others; the same object where all are plain. */
function plainProxy(given: unknown, known: Readonly<Record<string, unknown>>): unknown {
  const isEventual = (name: string) => isRecord(given) && isRecord(given[name]);
  if (!Object.keys(known).some(isEventual)) return known;
  return Object.fromEntries(
    Object.entries(known).map(([name, value]) => [name, isEventual(name) ? UNKNOWN : value]),
  );
}

const plainTopology = onceForEach(({ topology }: { readonly topology?: unknown }): NormalizedOrFaults =>
  normalizeTopology(topology),
);

/** Lets the user choose among the flows of a topology and finds their peers. */
export function planFlows({ topology, faults, warnings }: NormalizedOrFaults, source: FlowSource): FlowPlan {
  const refused = (wrong: readonly Fault[]): FlowPlan => ({
    flows: [],
    resolved: [],
    faults: wrong,
    notes: [],
  });
  const mismatches = topology ? (source.mismatches?.(topology) ?? []) : [];
  const wrong = [...faults, ...source.inputFaults, ...mismatches];
  if (!topology) return refused([...wrong, ...strangeKeyFaults(() => everyFlowKey(source.flowsOf), source)]);
  const refusals = source.refusals?.(topology) ?? [];
  if (refusals.length > 0) return refused([...wrong, ...refusals]);
  // A key stays valid when the bootstrap phase ends.
  const choice = choiceFaults(
    source.flowsOf(topology.bootstrap ? topology : { ...topology, bootstrap: true }),
    source,
  );
  if (wrong.length > 0) return refused([...wrong, ...choice]);
  const flows = chosenFlows(source.flowsOf(topology), source);
  const resolved = flows.flatMap((flow) => source.resolve(flow, topology));
  return {
    topology,
    flows,
    resolved,
    faults: [...choice, ...publicFaults(resolved)],
    notes: warnings.map(({ path, problem, remedy }) => `${path} ${problem}; ${remedy}`),
  };
}

/** One rule for each peer of one end of a flow. */
export function rulesOf({ flow, peers }: ResolvedPeer): PlannedRule[] {
  const { role, direction, protocol, ports, requirement, view, purpose, documents, notes } = flow;
  return peers.map((peer) => ({
    role,
    direction,
    protocol,
    ...(ports && { ports }),
    peer,
    flows: [flowKey(flow)],
    requirements: [requirement],
    views: [view],
    purposes: [purpose],
    documents,
    notes,
  }));
}
