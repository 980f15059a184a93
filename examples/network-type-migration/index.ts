/**
 * Migrates an OpenShift 4.7 cluster from OpenShift SDN to OVN-Kubernetes. The phase is a setting of the stack: each phase is one
 * `pulumi up`, which is refused if the cluster is not ready for it. It needs such a cluster.
 *
 *   pulumi up                                                  the first phase, which changes nothing that runs
 *   pulumi config set phase pausePools && pulumi up            the next one
 *
 * After changeNetworkType, restart every node; the output `toDo` has the command. The phases that begin with rollBack lead
 * back from every phase.
 */
import * as pulumi from "@pulumi/pulumi";

import { MigrationPhase, NetworkTypeMigration } from "hypershift-network";

const config = new pulumi.Config();

const migration = new NetworkTypeMigration("network-type", {
  // An unknown phase is rejected, with a list of the valid ones.
  phase: config.get<MigrationPhase>("phase") ?? MigrationPhase.Begin,
  // Set this only once you have backups of etcd and of `oc get Network.config.openshift.io cluster -o yaml`.
  backupsTaken: true,
  smallestNodeMtu: 1500,
});

export const written = migration.written;
export const toDo = migration.toDo;
export const wayBack = migration.wayBack;
export const toTranslate = migration.translations;
