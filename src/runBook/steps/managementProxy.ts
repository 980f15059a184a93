import { CLUSTER_PROXY, mergedNoProxy } from "../../proxy/management";
import { D3, at, describeReference } from "../../requirements/documents";
import { Platform } from "../../requirements/vocabulary";
import { readText, readValue } from "../../resources/read";
import type { Resource } from "../../resources/resource";
import { nodePoolsOf } from "../../gate/guestCluster";
import { isProxyInUse, isSecondaryAlone, managementProxies } from "../../proxy/rules/proxies";
import { withoutCredentials } from "../facets";
import { visibleJson } from "../../text";
import { Disruption, Place, type Check, type Patch } from "../runBook";
import { shell } from "../patches";
import type { Draft, Way } from "./draft";

/**
 * The secondary network of nodes without the default pod network goes past the management cluster's proxy: its API servers send
 * requests to nodes through it otherwise. Where the inputs do not hold that Proxy, a person looks, as soon as such nodes or another
 * network come.
 */
export function passManagementProxy(way: Way): Draft[] {
  const networks = networksOf(way, "wanted");
  if (networks.length === 0) return [];
  const [proxy] = managementProxies(way.change.current.judged);
  if (!proxy) {
    const known = new Set(networksOf(way, "current"));
    const added = networks.filter((network) => !known.has(network));
    return added.length === 0 ? [] : [draft(added, [], { text: WAY_BACK, patches: [] })];
  }
  const before = readValue(proxy.properties, "spec.noProxy") ?? "";
  if (!isProxyInUse(proxy) || typeof before !== "string") return [];
  const { noProxy, missing } = mergedNoProxy(before, networks);
  if (missing.length === 0) return [];
  const wayBack = { text: WAY_BACK, patches: [patchOf(proxy, before)] };
  return [draft(missing, [patchOf(proxy, noProxy)], wayBack)];
}

const WAY_BACK = "take the entries out again, which rolls the nodes again";
const READ = "oc get proxy cluster -o jsonpath={.spec.noProxy}";

/** The machine networks of a side, where some of its nodes are only on a secondary network. */
function networksOf({ current, reachable, change }: Way, side: "current" | "wanted"): string[] {
  const topology = side === "current" ? current : reachable;
  const pools = nodePoolsOf(change[side].judged, topology);
  if (topology.platform !== Platform.KubeVirt || !pools.some(({ resource }) => isSecondaryAlone(resource)))
    return [];
  return topology.machineNetwork.map(({ text }) => text);
}

function draft(missing: readonly string[], patches: Patch[], wayBack: Draft["wayBack"]): Draft {
  const text = missing.join(",");
  const isWritten = patches.length > 0;
  return {
    id: "management-proxy",
    title: "Let the secondary network past the management cluster's proxy",
    place: Place.Management,
    disruption: Disruption.NodesRollOut,
    effect:
      "the nodes of the management cluster restart one after the other, because its proxy is part of their configuration; control planes on them move",
    facets: [],
    preChecks: [
      ...(isWritten ? [] : [isUsed]),
      { what: "no MachineConfigPool of the management cluster is degraded or updating", command: POOLS },
      { what: "noProxy was not changed since: it is a shared object", command: READ },
    ],
    patches,
    actions: isWritten
      ? []
      : [
          `add ${text} to spec.noProxy of Proxy cluster, beside the entries of others: ManagementClusterProxy does`,
        ],
    verification: [
      {
        what: `${text} is among what the cluster uses`,
        command: "oc get proxy cluster -o jsonpath={.status.noProxy}",
      },
      { what: "every MachineConfigPool is updated", command: POOLS },
    ],
    wayBack,
    documents: [
      describeReference(
        at(
          D3,
          "Management cluster that uses a proxy and a hosted cluster with a secondary network and no default pod network",
        ),
      ),
    ],
  };
}

const POOLS = "oc get machineconfigpools";
const isUsed: Check = {
  what: "the management cluster uses a proxy; without one there is nothing to do",
  command: "oc get proxy cluster -o jsonpath={.spec.httpProxy}{.spec.httpsProxy}",
};

/** With the version that was read, where the object says it: the server refuses the patch when the object was changed since. */
function patchOf({ properties }: Resource, noProxy: string): Patch {
  const resourceVersion = readText(properties, "metadata.resourceVersion");
  const isKnown = typeof resourceVersion === "string";
  const shown = withoutCredentials(noProxy);
  const body = { ...(isKnown && { metadata: { resourceVersion } }), spec: { noProxy: shown } };
  const { apiVersion, kind, name } = CLUSTER_PROXY;
  const command = shell`oc patch proxy.config.openshift.io ${name} --type=merge -p ${visibleJson(body)}`;
  const incomplete = shown !== noProxy && { incomplete: true as const };
  return { type: "merge", apiVersion, kind, name, body, command, ...incomplete };
}
