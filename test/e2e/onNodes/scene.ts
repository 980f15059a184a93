import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { repositoryRoot } from "../../../local/repository";
import type { Session } from "../../../local/session";
import { applied, namespaced } from "../applied";
import { hostedClusterObject } from "../hostedCluster";
import { kubeconfigWithRoles } from "../roles";
import { openHostedCluster, type HostedCluster } from "./hostedCluster";
import { sharedSession } from "../sharedSession";

const command = join(repositoryRoot, "dist", "src", "cli", "main.js");

/** The user namespace in which the tests create what they check. */
export const PLACE = "hypershift-network-e2e";
/** The path of the HostedCluster, in the management cluster. */
export const TENANT = "/apis/hypershift.openshift.io/v1beta1/namespaces/clusters/hostedclusters/tenant-a";

/** The outcome of a check of verify. */
export interface Check {
  id: string;
  status: string;
  found: string;
}

/** The status and output of the command. */
export interface Run {
  status: number;
  out: string;
  error: string;
}

/** What verify found, by check id. */
export interface Verification {
  status: number;
  checks: ReadonlyMap<string, Check>;
}

/** A hosted cluster, and the API server of a session that is its management cluster. */
export class Scene {
  private constructor(
    readonly folder: string,
    readonly session: Session,
    readonly cluster: HostedCluster,
    private readonly management: string,
  ) {}

  static async open(): Promise<Scene> {
    const folder = mkdtempSync(join(tmpdir(), "nodes-"));
    const session = await sharedSession(join(folder, "state"));
    try {
      const cluster = await openHostedCluster(join(folder, "nodes"));
      await namespaced(session, "clusters");
      const ipv4 = { internalJoinSubnet: cluster.internalJoinSubnet };
      const operatorConfiguration = { clusterNetworkOperator: { ovnKubernetesConfig: { ipv4 } } };
      await applied(session, TENANT, hostedClusterObject({ operatorConfiguration }));
      const management = await kubeconfigWithRoles(session, "management", "verify-management.yaml");
      return new Scene(folder, session, cluster, management);
    } catch (error) {
      await session.stop();
      throw error;
    }
  }

  /** Cleans up the hosted cluster, and fails if something is left. */
  async close(): Promise<void> {
    try {
      await this.cluster.close();
    } finally {
      await this.session.stop();
      rmSync(this.folder, { recursive: true, force: true });
    }
  }

  /** Runs the command as users do. */
  run(...args: string[]): Promise<Run> {
    return new Promise((resolve) =>
      execFile(process.execPath, [command, ...args], (failure, out, error) =>
        resolve({ status: failure ? Number(failure.code) : 0, out, error }),
      ),
    );
  }

  /** Verifies the hosted cluster as a user. */
  async verify(kubeconfig: string, ...options: string[]): Promise<Verification> {
    const args = ["clusters/tenant-a", "--management-kubeconfig", this.management];
    args.push("--hosted-kubeconfig", kubeconfig, "--format", "json");
    if (!options.includes("--timeout")) args.push("--timeout", `${this.cluster.timeoutSeconds}`);
    const { status, out, error } = await this.run("verify", ...args, ...options);
    if (out === "") throw new Error(error);
    const { checks } = JSON.parse(out) as { checks: Check[] };
    return { status, checks: new Map(checks.map((check) => [check.id, check])) };
  }
}
