import { prefixFaults } from "../address/parse";
import type { Fault } from "../fault";
import { Direction, Protocol } from "../requirements/vocabulary";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import { labelSelectorFaults, type PlainLabelSelector } from "../objects/labelSelector";
import { endPortFaults } from "./networkPolicyObject/relations";
import { exceptionFaults } from "./networkPolicyObject/judge";
import { isGiven, isList, isMap, type Place, type PropertyMap } from "../resources/read";
import { portFaults, shownText, subdomainNameFaults, unknownKeyFaults, wordFaults } from "../objects/places";
import { ownerOfName, type IsolationPolicy, type PolicyPort, type PolicyRule } from "./networkPolicy";

/** A network policy of the user's own, all of whose values are known and right. */
export interface PlainAdditionalPolicy {
  purpose: string;
  pods?: PlainLabelSelector;
  ingress?: readonly PlainAdditionalRule[];
  egress?: readonly PlainAdditionalRule[];
}

/** What such a policy allows. */
export interface PlainAdditionalRule {
  peers?: readonly PlainAdditionalPeer[];
  ports?: readonly { port?: number; endPort?: number; protocol: PolicyPort["protocol"] }[];
}

/** The other end of what such a policy allows. */
export interface PlainAdditionalPeer {
  pods?: PlainLabelSelector;
  namespaces?: PlainLabelSelector;
  cidr?: string;
  except?: readonly string[];
}

/** The policy as it stands among the others. */
export function additionalPolicy(name: string, policy: PlainAdditionalPolicy): IsolationPolicy {
  const { pods = {}, ingress, egress, purpose } = policy;
  return {
    name,
    pods,
    ...(ingress && { [Direction.Ingress]: ingress.map(ruleOf) }),
    ...(egress && { [Direction.Egress]: egress.map(ruleOf) }),
    purpose,
    requirements: [],
    documents: [],
    notes: [],
  };
}

const ruleOf = ({ peers, ports }: PlainAdditionalRule): PolicyRule => ({
  ...(peers && {
    peers: peers.map(({ pods, namespaces, cidr, except }) => ({
      ...(pods && { podSelector: pods }),
      ...(namespaces && { namespaceSelector: namespaces }),
      ...(cidr !== undefined && { ipBlock: { cidr, ...(except && { except }) } }),
    })),
  }),
  ...(ports && { ports }),
});

/** What is wrong with the policies of the user's own. */
export function additionalPolicyFaults({ path, value }: Place): Fault[] {
  if (!isGiven(value)) return [];
  if (value === UNKNOWN || !isMap(value))
    return [
      {
        path,
        problem: value === UNKNOWN ? "is an Output" : `${shownText(value)} is no map`,
        remedy: "write policies by their names: { name: { purpose: ..., ingress: [...] } }",
      },
    ];
  return Object.entries(value).flatMap(([name, policy]) => [
    ...nameFaults(`${path}.${name}`, name),
    ...policyFaults({ path: `${path}.${name}`, value: policy }),
  ]);
}

function nameFaults(path: string, name: string): Fault[] {
  const owner = ownerOfName(name);
  if (owner)
    return [
      {
        path,
        problem: `${name} is a policy of ${owner}, which writes it again after every change`,
        remedy: "give it another name: policies add up, so yours need not replace it",
      },
    ];
  return subdomainNameFaults({ path, value: name }, "the name of the NetworkPolicy");
}

function policyFaults({ path, value }: Place): Fault[] {
  if (!isMap(value))
    return [{ path, problem: "is no plain policy", remedy: "write purpose and ingress, egress or both" }];
  const { ingress, egress, purpose, pods } = value;
  const silent = !isGiven(ingress) && !isGiven(egress);
  return [
    ...unknownKeyFaults(path, value, ["purpose", "pods", "ingress", "egress"]),
    ...(typeof purpose === "string" && purpose !== ""
      ? []
      : [{ path: `${path}.purpose`, problem: "missing", remedy: "say who may talk to whom, and why" }]),
    ...labelSelectorFaults({ path: `${path}.pods`, value: pods }),
    ...(silent
      ? [{ path, problem: "says nothing of traffic", remedy: "write ingress, egress or both" }]
      : []),
    ...rulesFaults({ path: `${path}.ingress`, value: ingress }),
    ...rulesFaults({ path: `${path}.egress`, value: egress }),
  ];
}

const rulesFaults = (list: Place): Fault[] =>
  listFaults(list, (rule) => {
    const { path } = rule;
    const { peers, ports } = rule.value as PropertyMap;
    return [
      ...unknownKeyFaults(path, rule.value as PropertyMap, ["peers", "ports"]),
      ...listFaults({ path: `${path}.peers`, value: peers }, peerFaults, "peers"),
      ...listFaults({ path: `${path}.ports`, value: ports }, portEntryFaults, "ports"),
    ];
  });

/** The faults of a list of objects. `what` is what an empty list would leave open to all: Kubernetes takes it for no limit. */
function listFaults(
  { path, value }: Place,
  entryFaults: (entry: Place) => Fault[],
  what?: "peers" | "ports",
): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  if (!isList(value)) return [{ path, problem: `${shownText(value)} is no list`, remedy: "write a list" }];
  if (value.length === 0 && what)
    return [
      { path, problem: `is empty, which stands for all ${what}`, remedy: `leave ${what} out to mean all` },
    ];
  return value.flatMap((entry, position) => {
    const at = `${path}[${position}]`;
    if (entry === UNKNOWN) return [];
    if (!isMap(entry)) return [{ path: at, problem: "is no object", remedy: "write an object" }];
    return entryFaults({ path: at, value: entry });
  });
}

function peerFaults({ path, value }: Place): Fault[] {
  const { pods, namespaces, cidr, except } = value as PropertyMap;
  const selecting = isGiven(pods) || isGiven(namespaces);
  return [
    ...unknownKeyFaults(path, value as PropertyMap, ["pods", "namespaces", "cidr", "except"]),
    ...(selecting === isGiven(cidr)
      ? [
          {
            path,
            problem: selecting ? "is pods and addresses at once" : "selects no peer",
            remedy: "write cidr, or pods and namespaces",
          },
        ]
      : []),
    ...labelSelectorFaults({ path: `${path}.pods`, value: pods }),
    ...labelSelectorFaults({ path: `${path}.namespaces`, value: namespaces }),
    ...cidrFaults({ path: `${path}.cidr`, value: cidr }),
    ...exceptFaults({ path: `${path}.except`, value: except }, cidr),
  ];
}

const cidrFaults = ({ path, value }: Place): Fault[] =>
  isGiven(value) && value !== UNKNOWN ? prefixFaults(path, value) : [];

/** The server takes an exception only when it lies inside the block. */
function exceptFaults({ path, value }: Place, cidr: PropertyValue | undefined): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  if (!isGiven(cidr)) return [{ path, problem: "stands without cidr", remedy: "write cidr beside it" }];
  if (!isList(value)) return [{ path, problem: "is no list", remedy: "write a list of CIDR blocks" }];
  return [
    ...value.flatMap((entry, position) => cidrFaults({ path: `${path}[${position}]`, value: entry })),
    ...exceptionFaults({ path, value }, cidr),
  ];
}

function portEntryFaults({ path, value }: Place): Fault[] {
  const entry = value as PropertyMap;
  const { port = null, endPort = null, protocol } = entry;
  return [
    ...unknownKeyFaults(path, entry, ["port", "endPort", "protocol"]),
    ...wordFaults({ path: `${path}.protocol`, value: protocol }, [Protocol.Tcp, Protocol.Udp, Protocol.Sctp]),
    ...portFaults({ path: `${path}.port`, value: port }),
    ...portFaults({ path: `${path}.endPort`, value: endPort }),
    ...endPortFaults(path, { port, endPort }),
  ];
}
