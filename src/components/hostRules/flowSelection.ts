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
  /** Keys of flows that get rules only on request. */
  enabledRules?: readonly string[];
  /** Keys of flows that get no rules. */
  disabledRules?: readonly string[];
}

/** The flows that get rules: all except opt-in flows that were not requested and flows that were disabled. */
function chosenFlows(
  flows: readonly RequiredFlow[],
  { enabledRules, disabledRules }: FlowChoice,
): RequiredFlow[] {
  const enabled = new Set(enabledRules);
  const disabled = new Set(disabledRules);
  return flows.filter((flow) => (!flow.optIn || enabled.has(flowKey(flow))) && !disabled.has(flowKey(flow)));
}

/**
 * Faults of a choice. `possible` are the flows of the topology with all its phases, so that a key stays valid when the
 * bootstrap phase ends.
 */
export function choiceFaults(possible: readonly RequiredFlow[], choice: FlowChoice): Fault[] {
  const optIn = possible.filter((flow) => flow.optIn).map(flowKey);
  const usual = possible.filter((flow) => !flow.optIn).map(flowKey);
  return [
    ...keyFaults(
      "enabledRules",
      choice.enabledRules,
      optIn,
      usual,
      "names rules that are created by default",
    ),
    ...keyFaults(
      "disabledRules",
      choice.disabledRules,
      usual,
      optIn,
      "names rules that are only created if enabled",
    ),
  ];
}

/** Faults of a choice that do not depend on the topology: keys that no hosted cluster has. */
function strangeKeyFaults(everyKey: () => ReadonlySet<string>, choice: FlowChoice): Fault[] {
  const lists = Object.entries({ enabledRules: choice.enabledRules, disabledRules: choice.disabledRules });
  const every = lists.some(([, keys]) => Array.isArray(keys)) ? everyKey() : new Set<string>();
  return lists.flatMap(([list, keys]) =>
    faultsOfKeys(list, keys, every, (given) => {
      const meant = closestKey(given, every);
      const remedy = meant ? `did you mean ${meant}?` : "use keys that the output `rules` lists as flows";
      return { problem: `${given} names no rule`, remedy };
    }),
  );
}

/** One fault for each key of a list that is not valid. */
function faultsOfKeys(
  list: string,
  keys: unknown,
  valid: ReadonlySet<unknown>,
  faultOf: (given: string) => Omit<Fault, "path">,
): Fault[] {
  if (!isGiven(keys)) return [];
  if (!Array.isArray(keys)) {
    const remedy = "write a list of rule keys: [<role>/<direction>/<key>]";
    return [{ path: list, problem: "is not a list", remedy }];
  }
  return keys.flatMap((key: unknown, index) => {
    const given = typeof key === "string" ? key : JSON.stringify(key);
    return valid.has(key) ? [] : [{ path: `${list}[${index}]`, ...faultOf(given) }];
  });
}

/** The key that was probably meant: of the same role and direction, with a similar name. */
function closestKey(given: string, every: ReadonlySet<string>): string | undefined {
  const place = given.slice(0, given.lastIndexOf("/") + 1);
  const names = [...every].filter((key) => key.startsWith(place)).map((key) => key.slice(place.length));
  const meant = closest(given.slice(place.length), names);
  return meant && `${place}${meant}`;
}

function keyFaults(
  list: string,
  keys: unknown,
  valid: readonly string[],
  pointless: readonly string[],
  why: string,
): Fault[] {
  return faultsOfKeys(list, keys, new Set(valid), (given) =>
    pointless.includes(given)
      ? { problem: `${given} ${why}`, remedy: "remove it" }
      : { problem: `${given} names no rule of this topology`, remedy: `use one of ${valid.join(", ")}` },
  );
}

/** The keys of the flows that any hosted cluster can have, to judge keys while the topology has faults. */
export function everyFlowKey(
  flowsOf: (topology: NormalizedTopology) => readonly RequiredFlow[],
): ReadonlySet<string> {
  const clusters = everyTopology().flatMap((raw) => normalizeTopology(raw).readable ?? []);
  return new Set(clusters.flatMap((topology) => flowsOf(topology).map(flowKey)));
}

/**
 * Every platform with each publishing type, access mode and load balancer target. Some combinations are refused, but they have
 * keys all the same.
 */
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

/** How a component gets from a topology to the flows for which it creates rules. */
export interface FlowSource extends FlowChoice {
  /** The faults of its other inputs. */
  inputFaults: readonly Fault[];
  /** The faults of its other inputs for this topology. */
  mismatches?: (topology: NormalizedTopology) => Fault[];
  /** Why the component does not accept a topology. */
  refusals?: (topology: NormalizedTopology) => Fault[];
  /** The flows for which the component is responsible. */
  flowsOf: (topology: NormalizedTopology) => RequiredFlow[];
  /** The ends of a flow, with the peers of its rules. */
  resolve: (flow: RequiredFlow, topology: NormalizedTopology) => ResolvedPeer[];
}

/** The flows that get rules, with their peers, or the faults that prevent them. */
export interface FlowPlan {
  /** The topology with its defaults; absent if the inputs have faults. */
  topology?: NormalizedTopology;
  /** The flows that get rules. */
  flows: readonly RequiredFlow[];
  resolved: readonly ResolvedPeer[];
  /** All faults of the inputs. */
  faults: readonly Fault[];
  /** Settings of the topology that are probably not intended. */
  notes: readonly string[];
}

/**
 * The topology among the inputs of a component, with the addresses that are `known`; for the other addresses, resources are
 * planned by their keys. Proxy URLs that are not plain plan nothing and are judged when they are known. The inputs are the
 * component's own copy, and several plans use them: if they are plain, they are read only once.
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

/** The settings of a proxy, with UNKNOWN for those that are not plain; the same object if all are plain. */
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

/** Selects the flows of a topology that the user chose, and finds their peers. */
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
