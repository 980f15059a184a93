import type { PropertyValue, Resource } from "../../src/resources/resource";
import { isHostedCluster } from "../../src/resources/resourceTypes";
import { JudgedResources } from "../../src/gate/judgedResources";
import { makeRunBook } from "../../src/runBook/makeRunBook";
import type { ClusterState } from "../../src/runBook/drafts";
import type { RawTopology } from "../../src/topology/topologyOfHostedCluster";
import type { RunBook } from "../../src/runBook/runBook";
import { namesOfCluster } from "../../src/topology/normalizedTopology";
import { normalizeTopology } from "../../src/topology/normalizeTopology";
import { NO_CONFIGURATION } from "../../src/gate/configuration";

export const base = {
  name: "tenant-a",
  platform: "None",
  release: "4.20",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  managementClusterCidrs: ["10.1.0.0/16"],
} as const;

/** One state of a hosted cluster, as the command line creates it. */
export function side(raw: object, resources: readonly Resource[] = []): ClusterState {
  const all = { ...base, ...raw } as unknown as RawTopology;
  const { readable: topology, faults } = normalizeTopology(all);
  const judged = new JudgedResources(resources, NO_CONFIGURATION, [
    {
      key: `${topology!.namespace}/${topology!.name}`,
      name: topology!.name,
      namespace: topology!.namespace,
      isNamed: true,
      names: namesOfCluster(topology!),
      raw: all,
      topology: topology!,
      faults,
      sources: [],
      partial: false,
      locate: (path) => ({ resource: {}, path }),
    },
  ]);
  const object = resources.find(({ type }) => isHostedCluster(type))?.properties as PropertyValue | undefined;
  return { topology: topology!, raw: all, faults, ...(object && { object }), judged };
}

/** The run book from one topology to another. */
export const runBook = (current: object, wanted: object, resources: readonly Resource[] = []): RunBook =>
  makeRunBook({ current: side(current), wanted: side(wanted, resources) });

export const stepIds = ({ steps }: RunBook): string[] => steps.map(({ id }) => id);
export const answers = ({ changes }: RunBook): string[][] =>
  changes.map(({ property, answer, steps }) => [property, answer, ...steps]);
