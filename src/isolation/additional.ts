import type { Fault } from "../fault";
import { labelSelector, type PlainLabelSelector } from "../objects/labelSelector";
import { subdomainNameFaults } from "../objects/places";
import {
  block,
  byKey,
  list,
  needed,
  object,
  ONE_AT_LEAST,
  plain,
  port,
  type Shape,
  text,
  word,
} from "../objects/shape";
import { Direction, Protocol } from "../requirements/vocabulary";
import { isGiven, type PropertyMap } from "../resources/read";
import { exceptionFaults, endPortFaults } from "../objects/networkPolicy/relations";
import { ownerOfName, type IsolationPolicy, type PolicyPort, type PolicyRule } from "./networkPolicy";

/** A user's own network policy, after validation: all values are known and valid. */
export interface PlainAdditionalPolicy {
  purpose: string;
  pods?: PlainLabelSelector;
  ingress?: readonly PlainAdditionalRule[];
  egress?: readonly PlainAdditionalRule[];
}

/** Traffic that such a policy allows. */
export interface PlainAdditionalRule {
  peers?: readonly PlainAdditionalPeer[];
  ports?: readonly { port?: number; endPort?: number; protocol: PolicyPort["protocol"] }[];
}

/** The other end of the traffic that such a policy allows. */
export interface PlainAdditionalPeer {
  pods?: PlainLabelSelector;
  namespaces?: PlainLabelSelector;
  cidr?: string;
  except?: readonly string[];
}

/** Returns the user's policy in the form of this package's policies. */
export function additionalPolicy(name: string, policy: PlainAdditionalPolicy): IsolationPolicy {
  const { pods, ingress, egress, purpose } = policy;
  return {
    name,
    pods: pods ?? {},
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
      ...(isGiven(cidr) && { ipBlock: { cidr, ...(except && { except }) } }),
    })),
  }),
  ...(ports && { ports }),
});

const BY_NAME = "write policies by their names: { name: { purpose: ..., ingress: [...] } }";

/** An empty list would open everything that it should limit, because Kubernetes reads it as no limit. */
const limiting = (what: "peers" | "ports", entry: Shape): Shape =>
  list(entry, { size: ONE_AT_LEAST, remedy: `write ${what}, or leave the list out to mean all ${what}` });

const peer = object(
  {
    pods: labelSelector,
    namespaces: labelSelector,
    cidr: block,
    except: list(block, { remedy: "write a list of CIDR blocks" }),
  },
  { relations: [onePeer, exceptionsInside] },
);
const policyPort = object(
  { protocol: needed(word([Protocol.Tcp, Protocol.Udp, Protocol.Sctp])), port, endPort: port },
  { relations: [endPortFaults] },
);
const rules = list(object({ peers: limiting("peers", peer), ports: limiting("ports", policyPort) }));

const wayOut = "write purpose and ingress, egress or both";
const policy = object(
  {
    purpose: plain(
      needed(text({ size: ONE_AT_LEAST, remedy: "state who may connect to whom, and why" })),
      "state who may connect to whom, and why, as a plain value",
    ),
    pods: labelSelector,
    ingress: rules,
    egress: rules,
  },
  { remedy: wayOut, relations: [ofTraffic] },
);

/** The user's own policies, keyed by name. */
export const additionalPolicies = plain(
  byKey(plain(policy, `${wayOut}, as a plain value`), {
    keyFaults: nameFaults,
    remedy: BY_NAME,
  }),
  BY_NAME,
);

function nameFaults(path: string, name: string): Fault[] {
  const owner = ownerOfName(name);
  if (owner)
    return [
      {
        path,
        problem: `${name} is a policy of ${owner}, which restores it after every change`,
        remedy: "give it another name: policies are additive, so yours need not replace it",
      },
    ];
  return subdomainNameFaults({ path, value: name });
}

function ofTraffic(path: string, { ingress, egress }: PropertyMap): Fault[] {
  if (isGiven(ingress) || isGiven(egress)) return [];
  return [{ path, problem: "has neither ingress nor egress", remedy: "write ingress, egress or both" }];
}

function onePeer(path: string, { pods, namespaces, cidr }: PropertyMap): Fault[] {
  const selecting = isGiven(pods) || isGiven(namespaces);
  if (selecting !== isGiven(cidr)) return [];
  const problem = selecting ? "selects both pods and addresses" : "selects no peer";
  return [{ path, problem, remedy: "write cidr, or pods and namespaces" }];
}

/** The API server accepts an exception only if it is inside the block. */
function exceptionsInside(path: string, { cidr, except }: PropertyMap): Fault[] {
  const at = `${path}.except`;
  if (isGiven(except) && !isGiven(cidr))
    return [{ path: at, problem: "is set without cidr", remedy: "add cidr" }];
  return exceptionFaults({ path: at, value: except }, cidr);
}
