import type { Fault } from "../fault";
import { PORT } from "../requirements/ports";
import { isUnknown, type NormalizedTopology } from "../topology/normalizedTopology";
import { isGiven, type Place } from "../resources/read";
import { NodeApiProxy, apiProxyChoice, type ApiProxyChoice } from "../topology/proxy/apiProxy";
import { noProxyEntries } from "./noProxy";
import {
  endsWithSlash,
  hasCredentials,
  hasNoPort,
  ignoredTextWarnings,
  type ProxyInputs,
  proxyPlaces,
  trustBundleWarnings,
} from "./settings";
import { proxiedWorkloads } from "../requirements/proxyFacts";

/** What the warnings read in addition to the settings of the proxy. */
export interface ProxySurroundings {
  topology: NormalizedTopology;
  /** Number of compute nodes of the cluster, if stated. */
  computeNodes?: number;
  /** The host at which nodes reach the API server from outside, if known. */
  apiServerHost?: string;
  now: Date;
}

/** Warnings: what works, but probably not as intended. They never show any part of a URL. */
export function proxyWarnings(inputs: ProxyInputs, surroundings: ProxySurroundings): Fault[] {
  return [
    ...dnsWarning(surroundings),
    ...noNodesWarning(surroundings),
    ...httpsWarning(inputs),
    ...urlWarnings(inputs, surroundings),
    ...bypassWarning(inputs, surroundings),
    ...trustBundleWarnings({ path: "trustedCa", value: inputs.trustedCa }, surroundings.now),
  ];
}

function dnsWarning({ topology }: ProxySurroundings): Fault[] {
  if (topology.dnsServerCidrs.length > 0 || isUnknown(topology, "dnsServerCidrs")) return [];
  const problem = `missing: clients of a proxy need DNS, and no input states where port ${PORT.dns} must be open for TCP and UDP`;
  return [{ path: "topology.dnsServerCidrs", problem, remedy: "write the CIDR blocks of the DNS servers" }];
}

function noNodesWarning({ computeNodes }: ProxySurroundings): Fault[] {
  if (computeNodes !== 0) return [];
  const taking = proxiedWorkloads.filter((workload) => workload.throughProxy);
  const names = taking.map(({ name }) => name).join(", ");
  const problem = `without a compute node, the control plane cannot reach the proxy: requests of ${names} fail`;
  return [{ path: "computeNodes", problem, remedy: "keep at least one compute node" }];
}

function httpsWarning(inputs: ProxyInputs): Fault[] {
  if (isGiven(proxyPlaces(inputs).httpsProxy.value)) return [];
  const problem = "missing: HTTPS bypasses the proxy, and nodes reach the API server directly";
  return [{ path: "httpsProxy", problem, remedy: "write the proxy for HTTPS, which may be the same URL" }];
}

function urlWarnings(inputs: ProxyInputs, surroundings: ProxySurroundings): Fault[] {
  const { httpProxy, httpsProxy } = proxyPlaces(inputs);
  const isTakenByNodes = choiceOf(inputs, surroundings).proxy === NodeApiProxy.ControlPlaneOperator;
  return [
    ...ignoredTextWarnings(httpProxy),
    ...proxyUrlWarnings(httpProxy),
    ...proxyUrlWarnings(httpsProxy, { isTakenByNodes }),
  ];
}

/** The circumstances of a URL. */
export interface UrlSurroundings {
  /** Whether the value is a secret. */
  isSecret?: boolean;
  /** Whether nodes reach the API server through this proxy. */
  isTakenByNodes?: boolean;
}

/** Warnings about one URL. */
export function proxyUrlWarnings(
  { path, value }: Place,
  { isSecret = false, isTakenByNodes = false }: UrlSurroundings = {},
): Fault[] {
  const findings: [boolean, Fault][] = [
    [
      hasCredentials(value) && !isSecret,
      {
        path,
        problem: "contains credentials in plain text",
        remedy: "read it from the configuration with requireSecret, or wrap it in pulumi.secret",
      },
    ],
    [
      hasNoPort(value),
      { path, problem: "has no port, so clients use the scheme's default", remedy: "write the port" },
    ],
    [
      isTakenByNodes && typeof value === "string" && value.startsWith("https:"),
      {
        path,
        problem: `begins with https://, but ${NODE_PROXY} speaks to it without TLS`,
        remedy: `let the proxy accept both on that port, or ${COVER}`,
      },
    ],
  ];
  return [
    ...findings.flatMap(([holds, finding]) => (holds ? [finding] : [])),
    ...(isTakenByNodes ? nodeProxyFaults({ path, value }) : []),
  ];
}

const NODE_PROXY = "the nodes' own proxy for the API server";
const COVER = "let noProxy cover the API server";

/**
 * Faults of a URL through which nodes reach the API server: everything after its scheme is the address that their own proxy dials.
 * (HyperShift, hypershift-operator/controllers/nodepool/haproxy.go and kubernetes-default-proxy)
 */
export function nodeProxyFaults({ path, value }: Place): Fault[] {
  const cutOff = "as a part of the address, which cannot be dialled: nodes do not reach the API server";
  return [
    ...(hasCredentials(value)
      ? [
          {
            path,
            problem: `contains credentials, and ${NODE_PROXY} takes them ${cutOff}`,
            remedy: `remove them, and let the proxy accept connections to the API server without credentials, or ${COVER}`,
          },
        ]
      : []),
    ...(endsWithSlash(value)
      ? [
          {
            path,
            problem: `ends with a slash, and ${NODE_PROXY} takes it ${cutOff}`,
            remedy: `remove the slash, or ${COVER}`,
          },
        ]
      : []),
  ];
}

function bypassWarning(inputs: ProxyInputs, surroundings: ProxySurroundings): Fault[] {
  const { bypass } = choiceOf(inputs, surroundings);
  if (bypass === undefined) return [];
  return [
    {
      path: proxyPlaces(inputs).noProxy.path,
      problem: `${bypass.length > 1 ? "the entries" : "the entry"} ${bypass.join(" and ")} ${bypass.length > 1 ? "cover" : "covers"} the API server, so nodes reach it without the proxy`,
      remedy: `remove ${bypass.length > 1 ? "them" : "the entry"} if nodes need the proxy to reach the API server`,
    },
  ];
}

function choiceOf(inputs: ProxyInputs, { topology, apiServerHost }: ProxySurroundings): ApiProxyChoice {
  const { httpsProxy, noProxy } = proxyPlaces(inputs);
  const settings = { httpsProxy: isGiven(httpsProxy.value), noProxy: noProxyEntries(noProxy), apiServerHost };
  return apiProxyChoice(topology, settings);
}
