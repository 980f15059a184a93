import { existsSync } from "node:fs";
import { join } from "node:path";
import * as ec2 from "@pulumi/aws/ec2";
import * as pulumi from "@pulumi/pulumi";
import { readPrefix } from "../../address";
import { checked, missingInputFaults, ownOutputs, plainnessFaults } from "../../components/checked";
import { gated, givenPart } from "../../components/settled";
import type { Fault } from "../../fault";
import { isWithin, outOf } from "../../plan/files";
import { readLedgerFile } from "../../plan/fleetFiles";
import { placeOf } from "../../plan/inputs";
import { isGiven, type PropertyMap } from "../../resources/read";
import type {
  ClusterNetworkEntry,
  MachineNetworkEntry,
  ServiceNetworkEntry,
} from "../../topology/hostedClusterTopology";
import { noFindings, readObject, readText } from "../../topology/normalize/values";
import { DEFAULT_NAMESPACE } from "../../topology/normalizeTopology";
import { type FleetClusterName, keyOfCluster, readClusterName, readName } from "../document";
import { type LedgerEntry, ledgerPath, topologyRanges } from "../ledger";

/** The cluster of a fleet, and the ledger that contains its ranges. */
export interface HostedClusterAddressPlanArgs {
  /**
   * The ledger of the fleet: the folder that `hypershift-network plan --fleet FILE --write` fills, with one committed file per cluster.
   * A plain path, relative to the folder of the program. Only the file of the cluster is read, and no file is written: a preview
   * allocates nothing. Changing the path changes nothing by itself.
   */
  ledger: string;
  /** Name of the HostedCluster. A plain value. A cluster without a file in the ledger is refused. A change replaces allocations in IPAM. */
  cluster: string;
  /** Its namespace. A plain value. Defaults to `clusters`. */
  namespace?: string;
  /** Its management cluster, as named in the fleet. A plain value. Defaults to none, as in fleets that name none. */
  managementCluster?: string;
  /**
   * Pools of AWS VPC IPAM that record the chosen IPv4 blocks, each as an allocation of that CIDR block. Which kinds have a pool must be
   * plain. Defaults to none. Changing a pool replaces the allocation. (Amazon VPC IPAM, Allocate CIDRs)
   */
  ipamPools?: HostedClusterIpamPools;
}

/** Pools of AWS VPC IPAM: `ipam-pool-...`. */
export interface HostedClusterIpamPools {
  /** The pool for the machine network. Not needed if a VPC is created with that block from the pool. Defaults to none. */
  machineNetwork?: pulumi.Input<string>;
  /** The pool for the cluster network. Defaults to none. */
  clusterNetwork?: pulumi.Input<string>;
  /** The pool for the service network. Defaults to none. */
  serviceNetwork?: pulumi.Input<string>;
}

/** The ranges of a hosted cluster, by the names of its topology; ranges that the fleet does not plan are absent. */
export interface HostedClusterRanges {
  /** Address ranges of the machines. */
  machineNetwork?: MachineNetworkEntry[];
  /** Address ranges of the pods. */
  clusterNetwork?: ClusterNetworkEntry[];
  /** Address ranges of the services. */
  serviceNetwork?: ServiceNetworkEntry[];
  /** OVN-Kubernetes join subnet. */
  internalJoinSubnet?: string;
  /** OVN-Kubernetes transit switch subnet. */
  internalTransitSwitchSubnet?: string;
}

/**
 * The address ranges of one hosted cluster, read from the ledger of its fleet: `new HostedClusterLandingZone(name, { topology: { name,
 * platform, ...plan.ranges } })`. It allocates nothing: `hypershift-network plan --fleet FILE --write` does, and you commit the file.
 * With `ipamPools`, the blocks are recorded in AWS VPC IPAM.
 */
export class HostedClusterAddressPlan extends pulumi.ComponentResource {
  /** Address ranges of the machines. Absent if the fleet plans none. */
  public readonly machineNetwork?: pulumi.Output<MachineNetworkEntry[]>;
  /** Address ranges of the pods. Absent if the fleet plans none. */
  public readonly clusterNetwork?: pulumi.Output<ClusterNetworkEntry[]>;
  /** Address ranges of the services. Absent if the fleet plans none. */
  public readonly serviceNetwork?: pulumi.Output<ServiceNetworkEntry[]>;
  /** OVN-Kubernetes join subnet. Absent if the fleet plans none. */
  public readonly internalJoinSubnet?: pulumi.Output<string>;
  /** OVN-Kubernetes transit switch subnet. Absent if the fleet plans none. */
  public readonly internalTransitSwitchSubnet?: pulumi.Output<string>;
  /** Ids of the allocations in IPAM, by CIDR block. Absent without `ipamPools`. */
  public readonly ipamAllocationIds?: pulumi.Output<Record<string, string>>;

  constructor(name: string, args: HostedClusterAddressPlanArgs, opts?: pulumi.ComponentResourceOptions) {
    super("hypershift-network:index:HostedClusterAddressPlan", name, args, opts);
    const inputs = { ...args };
    const check = checked(this, `HostedClusterAddressPlan ${name}`, inputs, (known) => [
      ...PLAIN.flatMap((input) => plainnessFaults(input, inputs[input])),
      ...judgeAddressPlan(known as PropertyMap).faults,
    ]);
    const given = givenPart(inputs);
    const { entry = { ranges: [] } } = judgeAddressPlan({ ...inputs, ipamPools: null });
    entries.set(this, entry);
    const { ranges } = this;
    Object.assign(
      this,
      Object.fromEntries(
        Object.entries(ranges).map(([kind, range]) => [kind, pulumi.output(range as unknown)]),
      ),
    );
    const allocations = POOLED.flatMap((kind) => {
      const ipamPoolId = given.ipamPools?.[kind];
      if (!isGiven(ipamPoolId)) return [];
      return blocksOf(ranges, kind).map((cidr, position) => {
        const description = `${kind} of ${keyOfCluster(nameOf(given as unknown as PropertyMap).name!)}`;
        const allocation = new ec2.VpcIpamPoolCidrAllocation(
          `${name}-${kind}-${position}`,
          { ipamPoolId, cidr, description },
          gated(this, check),
        );
        return { cidr, id: allocation.id };
      });
    });
    if (allocations.length > 0)
      this.ipamAllocationIds = check.apply(() =>
        pulumi
          .all(allocations.map(({ id }) => id))
          .apply((ids) => Object.fromEntries(allocations.map(({ cidr }, at) => [cidr, ids[at]!]))),
      );
    this.registerOutputs(ownOutputs(this));
  }

  /** The same ranges as plain values, for a topology: known before any resource is created. Programs in other languages read the file. */
  get ranges(): HostedClusterRanges {
    return topologyRanges(entries.get(this)!);
  }
}

/** The ledger entry of each component: the schema analyzer would treat a class field as an output. */
const entries = new WeakMap<HostedClusterAddressPlan, Pick<LedgerEntry, "ranges">>();

const PLAIN = ["ledger", "cluster", "namespace", "managementCluster"] as const;

/** The kinds whose ranges may be in IPAM: ranges of other kinds exist only inside the cluster. */
const POOLED = ["machineNetwork", "clusterNetwork", "serviceNetwork"] as const;

/** The blocks of a kind that can be recorded in IPAM: those of IPv4. */
const blocksOf = (ranges: HostedClusterRanges, kind: (typeof POOLED)[number]): string[] =>
  (ranges[kind] ?? []).map(({ cidr }) => cidr).filter((cidr) => readPrefix(cidr)?.family === 4);

const REQUIRED = {
  ledger: "write the folder that hypershift-network plan --fleet FILE --write fills",
  cluster: "write the name of the HostedCluster",
};

/** The ledger entry of a cluster, and all faults of the inputs. */
function judgeAddressPlan(known: PropertyMap): { entry?: LedgerEntry; faults: Fault[] } {
  const { name, faults: ofName } = nameOf(known);
  const { pools, faults: ofPools } = poolsOf(known.ipamPools);
  const faults = [...missingInputFaults(known, REQUIRED), ...ofName, ...ofPools];
  const folder = known.ledger;
  if (name === undefined || typeof folder !== "string" || faults.length > 0) return { faults };
  const { entry, faults: ofFile } = entryIn(folder, name);
  if (!entry) return { faults: ofFile };
  const ranges = topologyRanges(entry);
  return {
    entry,
    faults: pools
      .filter((kind) => blocksOf(ranges, kind).length === 0)
      .map((kind) => ({
        path: `ipamPools.${kind}`,
        problem: "the cluster has no IPv4 block of this kind in the ledger",
        remedy: "leave the pool out",
      })),
  };
}

function nameOf({ cluster, namespace, managementCluster, ledger }: PropertyMap): {
  name?: FleetClusterName;
  faults: Fault[];
} {
  const findings = noFindings("");
  readText(findings, "ledger", ledger);
  const name = isGiven(cluster) ? readClusterName(findings, "cluster", cluster) : undefined;
  const within = readName(findings, "namespace", namespace) ?? DEFAULT_NAMESPACE;
  const around = readName(findings, "managementCluster", managementCluster);
  const { faults } = findings;
  if (name === undefined) return { faults };
  return {
    name: { ...(around !== undefined && { managementCluster: around }), namespace: within, name },
    faults,
  };
}

/** The kinds that have a pool. */
function poolsOf(value: PropertyMap[string] | undefined): {
  pools: (typeof POOLED)[number][];
  faults: Fault[];
} {
  const findings = noFindings("ipamPools");
  const raw = readObject(findings, "", value, POOLED) ?? {};
  const pools = POOLED.filter((kind) => isGiven(raw[kind]));
  for (const kind of pools) readText(findings, kind, raw[kind]);
  return { pools, faults: findings.faults };
}

/** Reads the file of a cluster. */
function entryIn(folder: string, name: FleetClusterName): { entry?: LedgerEntry; faults: Fault[] } {
  const file = join(folder, ...ledgerPath(name));
  const key = keyOfCluster(name);
  if (!existsSync(file)) {
    const remedy = `add it to the fleet, run hypershift-network plan --fleet FILE --write, and commit ${file}`;
    return { faults: [{ path: "cluster", problem: `the ledger ${folder} has no file for ${key}`, remedy }] };
  }
  if (!isWithin(folder, file)) {
    const { problem, remedy } = outOf(folder, file);
    return { faults: [{ path: "ledger", problem: `${file} ${problem}`, remedy }] };
  }
  const { entry, faults } = readLedgerFile(file);
  if (!entry)
    return {
      faults: faults.map((fault) => ({
        path: "ledger",
        problem: `${placeOf(fault)} ${fault.problem}`,
        remedy: fault.remedy,
      })),
    };
  if (keyOfCluster(entry) === key) return { entry, faults: [] };
  const problem = `${file} has the ranges of ${keyOfCluster(entry)}, not of ${key}`;
  return {
    faults: [{ path: "ledger", problem, remedy: "give the file the name that plan --fleet --write gave it" }],
  };
}
