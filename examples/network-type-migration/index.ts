/**
 * A cluster of OpenShift 4.7 on its way from OpenShift SDN to OVN-Kubernetes. The phase is a setting of the stack: each is
 * carried out by a `pulumi up`, and refused where the cluster is not ready for it. It needs such a cluster.
 *
 *   pulumi up                                                  the first phase, which changes nothing that runs
 *   pulumi config set phase pausePools && pulumi up            the next one
 *
 * After changeNetworkType restart every node; the output `toDo` has the command. The phases that begin with rollBack lead
 * back from wherever it is.
 */
import * as pulumi from "@pulumi/pulumi";

import { MigrationPhase, NetworkTypeMigration } from "hypershift-network";

const config = new pulumi.Config();

const migration = new NetworkTypeMigration("network-type", {
  // A phase that does not exist is refused, with those that do.
  phase: config.get<MigrationPhase>("phase") ?? MigrationPhase.Begin,
  // Say so when it is true: etcd, and `oc get Network.config.openshift.io cluster -o yaml`.
  backupsTaken: true,
  smallestNodeMtu: 1500,
});

export const written = migration.written;
export const toDo = migration.toDo;
export const wayBack = migration.wayBack;
export const toTranslate = migration.translations;
