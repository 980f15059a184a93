import { readPrefix } from "../../address";
import { hasCredentials } from "../../proxy/settings";
import { proxyFragment, wholeProxy } from "../../proxy/fragment";
import { at, OCP_PROXY, describeReference, HYPERSHIFT } from "../../requirements/documents";
import { holdsUnknown, isMap, type PropertyMap, readText, readValue } from "../../resources/read";
import type { NormalizedTopology, PlainProxy } from "../../topology/normalizedTopology";
import { maskedCredentials } from "../facets";
import {
  differingOf,
  type Draft,
  hostedClusterPatch,
  keyOf,
  shell,
  type Transition,
  draftOf,
} from "../drafts";
import { type Check, Disruption, type Patch, StepTarget } from "../runBook";
import { noUpdate } from "./upgrade";
import { apiProxyChoice } from "../../topology/proxy/apiProxy";
import { CLUSTER_PROXY, mergedNoProxy } from "../../proxy/management";
import { Platform } from "../../requirements/vocabulary";
import type { Resource } from "../../resources/resource";
import { objectOf } from "../../gate/clusters";
import { isSecondaryAlone, nodePoolsOf } from "../../gate/guestCluster";
import { isProxyInUse, managementProxies } from "../../proxy/rules/proxies";
import { listedIn, visibleJson } from "../../text";

const FIELD = "configuration.proxy";

/** Adds, changes or removes the proxy, including its exceptions. */
export function changeProxy(transition: Transition): Draft[] {
  const facets = differingOf(transition, "proxy");
  if (facets.length === 0) return [];
  const { current, reachable } = transition;
  const onlyNoProxy = facets.every((facet) => facet === "proxy.noProxy");
  return [
    draftOf({
      id: "proxy",
      title: titleOf(transition, onlyNoProxy),
      place: StepTarget.Management,
      disruption: Disruption.NodesRollOut,
      effect:
        "every NodePool rolls out, because the proxy is part of the nodes' configuration: nodes are replaced or updated in place; pods of the control plane restart",
      facets,
      preChecks: preChecks(transition, onlyNoProxy),
      patches: [patchOf(current, reachable.proxy)],
      verification: [
        {
          what: "the hosted cluster has it: the status of its Proxy shows the same values, with the entries that HyperShift adds",
          command: "oc --kubeconfig HOSTED get proxy cluster -o yaml",
        },
        noUpdate(current, "UpdatingConfig"),
      ],
      wayBack: {
        text: "write the old value, which rolls the NodePools out again",
        patches: [formerPatch(transition)],
      },
      documents: [
        describeReference(at(OCP_PROXY, "Control plane workloads that need to access external services")),
        describeReference(at(HYPERSHIFT, "hypershift-operator/controllers/nodepool (globalConfigString)")),
      ],
    }),
  ];
}

function titleOf({ current, reachable }: Transition, onlyNoProxy: boolean): string {
  if (onlyNoProxy) return "Change what bypasses the proxy";
  if (!current.proxy) return "Add the proxy";
  return reachable.proxy ? "Change the proxy" : "Remove the proxy";
}

function preChecks(transition: Transition, onlyNoProxy: boolean): Check[] {
  const { reachable } = transition;
  return [
    ...(reachable.proxy && !onlyNoProxy
      ? [
          {
            what: "nodes and pods of the control plane reach the proxy, and through it registries and the API server",
            command: "oc --kubeconfig HOSTED debug node/NODE -- curl -sS -x PROXY https://quay.io/v2/",
          },
        ]
      : []),
    ...(reachable.proxy?.httpsProxy?.startsWith("https:")
      ? [{ what: "nodes trust the proxy's certificate: ProxyConfig writes the trust bundle (trustedCa)" }]
      : []),
    ...apiProxyCheck(transition),
    ...addedNetworks(transition),
  ];
}

/** What listens on the nodes in front of the API server depends on the proxy. */
function apiProxyCheck({ current, reachable }: Transition): Check[] {
  const [before, after] = [current, reachable].map((topology) => choiceOf(topology));
  if (before!.proxy === after!.proxy) return [];
  return [
    {
      what: `nodes will reach the API server by ${after!.proxy}, until now by ${before!.proxy}: ${after!.reason}`,
    },
  ];
}

const choiceOf = (topology: NormalizedTopology) =>
  apiProxyChoice(topology, {
    httpsProxy: topology.proxy?.httpsProxy !== undefined,
    noProxy: entries(topology.proxy),
  });

/** Pods of the control plane reach a secondary network by bypassing the management cluster's proxy, an object shared with others. */
function addedNetworks({ current, reachable }: Transition): Check[] {
  const known = new Set(entries(current.proxy));
  const added = entries(reachable.proxy).filter((entry) => readPrefix(entry) && !known.has(entry));
  if (added.length === 0) return [];
  const text = added.join(",");
  return [
    {
      what: `${text} is also in the noProxy of the management cluster, if its pods reach that network: ManagementClusterProxy adds it next to the entries of others`,
      command: "oc get proxy cluster -o jsonpath={.spec.noProxy}",
    },
  ];
}

const entries = (proxy: PlainProxy | undefined): string[] =>
  [...listedIn(proxy?.noProxy ?? "")].filter((entry) => entry !== "");

/** If the whole proxy is removed: as the object has it, including its trust bundle; else as the topology states it. */
function formerPatch({ current, reachable, change }: Transition): Patch {
  const former = readValue(change.current.object, `spec.${FIELD}`);
  if (reachable.proxy || !isMap(former) || holdsUnknown(former)) return patchOf(current, current.proxy);
  return shownPatch(current, former);
}

/** A patch with credentials masked, and marked as incomplete if there are any. */
function shownPatch(topology: NormalizedTopology, proxy: PropertyMap): Patch {
  const shown = Object.entries(proxy).map(([key, value]) => [
    key,
    typeof value === "string" ? maskedCredentials(value) : value,
  ]);
  const patch = hostedClusterPatch(topology, [[FIELD, Object.fromEntries(shown)]]);
  const hidesSome = [proxy.httpProxy, proxy.httpsProxy, proxy.noProxy].some(
    (setting) => typeof setting === "string" && hasCredentials(setting),
  );
  return hidesSome ? { ...patch, incomplete: true } : patch;
}

/** Writes all settings at once; missing settings are written as empty, and without a proxy the whole field is removed. */
function patchOf(topology: NormalizedTopology, proxy: PlainProxy | undefined): Patch {
  if (!proxy) return hostedClusterPatch(topology, [[FIELD, null]]);
  const { configuration } = wholeProxy(proxyFragment(proxy));
  return shownPatch(topology, { ...configuration.proxy });
}

/**
 * The secondary network of nodes without the default pod network must bypass the management cluster's proxy: otherwise its API servers
 * send requests to nodes through it. If the inputs do not contain that Proxy, a person checks it when such nodes or networks are added.
 */
export function passManagementProxy(transition: Transition): Draft[] {
  const networks = networksOf(transition, "wanted");
  if (networks.length === 0) return [];
  const { judged } = transition.change.current;
  const own = judged.clusters.find(
    ({ topology }) => topology && keyOf(topology) === keyOf(transition.current),
  );
  const [proxy] = managementProxies(judged, own && objectOf(own));
  if (!proxy) {
    const known = new Set(networksOf(transition, "current"));
    const added = networks.filter((network) => !known.has(network));
    return added.length === 0 ? [] : [managementDraft(added, [], { text: WAY_BACK, patches: [] })];
  }
  const before = readValue(proxy.properties, "spec.noProxy") ?? "";
  if (!isProxyInUse(proxy) || typeof before !== "string") return [];
  const { noProxy, missing } = mergedNoProxy(before, networks);
  if (missing.length === 0) return [];
  const wayBack = { text: WAY_BACK, patches: [managementPatch(proxy, before)] };
  return [managementDraft(missing, [managementPatch(proxy, noProxy)], wayBack)];
}

const WAY_BACK = "remove the entries again, which rolls the nodes again";
const READ = "oc get proxy cluster -o jsonpath={.spec.noProxy}";

/** The machine networks of one state, if some of its nodes are only on a secondary network. */
function networksOf({ current, reachable, change }: Transition, side: "current" | "wanted"): string[] {
  const topology = side === "current" ? current : reachable;
  const pools = nodePoolsOf(change[side].judged, topology);
  if (topology.platform !== Platform.KubeVirt || !pools.some(({ resource }) => isSecondaryAlone(resource)))
    return [];
  return topology.machineNetwork.map(({ text }) => text);
}

function managementDraft(missing: readonly string[], patches: Patch[], wayBack: Draft["wayBack"]): Draft {
  const text = missing.join(",");
  const isWritten = patches.length > 0;
  return draftOf({
    id: "management-proxy",
    title: "Exclude the secondary network from the management cluster's proxy",
    place: StepTarget.Management,
    disruption: Disruption.NodesRollOut,
    effect:
      "the nodes of the management cluster restart one after the other, because its proxy is part of their configuration; control planes on them move",
    preChecks: [
      ...(isWritten ? [] : [isUsed]),
      { what: "no MachineConfigPool of the management cluster is degraded or updating", command: POOLS },
      { what: "noProxy has not changed since: it is a shared object", command: READ },
    ],
    patches,
    actions: isWritten
      ? []
      : [
          `add ${text} to spec.noProxy of Proxy cluster, next to the entries of others: ManagementClusterProxy does this`,
        ],
    verification: [
      {
        what: `${text} is among the entries that the cluster uses`,
        command: "oc get proxy cluster -o jsonpath={.status.noProxy}",
      },
      { what: "every MachineConfigPool is updated", command: POOLS },
    ],
    wayBack,
    documents: [
      describeReference(
        at(
          OCP_PROXY,
          "Management cluster that uses a proxy and a hosted cluster with a secondary network and no default pod network",
        ),
      ),
    ],
  });
}

const POOLS = "oc get machineconfigpools";
const isUsed: Check = {
  what: "the management cluster uses a proxy; without one there is nothing to do",
  command: "oc get proxy cluster -o jsonpath={.spec.httpProxy}{.spec.httpsProxy}",
};

/** Includes the resource version, if known: the server then refuses the patch if the object has changed. */
function managementPatch({ properties }: Resource, noProxy: string): Patch {
  const resourceVersion = readText(properties, "metadata.resourceVersion");
  const isKnown = typeof resourceVersion === "string";
  const shown = maskedCredentials(noProxy);
  const body = { ...(isKnown && { metadata: { resourceVersion } }), spec: { noProxy: shown } };
  const { apiVersion, kind, name } = CLUSTER_PROXY;
  const command = shell`oc patch proxy.config.openshift.io ${name} --type=merge -p ${visibleJson(body)}`;
  const incomplete = shown !== noProxy && { incomplete: true as const };
  return { type: "merge", apiVersion, kind, name, body, command, ...incomplete };
}
