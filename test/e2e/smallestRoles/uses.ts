import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { repositoryRoot } from "../../../local/repository";
import type { Session } from "../../../local/session";
import { PROBE_LABELS, ProbeManager } from "../../../src/probes/frame";
import { TRUST_BUNDLE_KEY } from "../../../src/proxy/settings";
import { certificate } from "../../objects/certificate";
import { applied, namespaced } from "../applied";
import { hostedClusterObject } from "../hostedCluster";
import { HostedNetwork } from "../probes/hostedNetwork";
import type { ProbeWorld } from "../probes/probeWorld";
import { componentUses, type Use } from "./componentUses";
import { migrated } from "./migrated";
import { provedTwice } from "./provedTwice";

const command = join(repositoryRoot, "dist", "src", "cli", "main.js");
const JOIN = "100.99.0.0/16";
const TENANT = "/apis/hypershift.openshift.io/v1beta1/namespaces/clusters/hostedclusters/tenant-a";
const ROUTER = "/apis/network.operator.openshift.io/v1/namespaces/shop/egressrouters/egress";
const PROBES = "hypershift-network-verify";
const [VERIFIED, NOT_VERIFIED, UNREAD] = [0, 1, 2];

/** The uses of the roles, by file in rbac/, on a session's API server that acts as every cluster and simulates its nodes. */
export function usesOf(session: Session, world: ProbeWorld): Record<string, Use> {
  /** The exit status, unless a cluster could not be read. */
  const cli = (...args: string[]): Promise<number> =>
    new Promise((resolve, reject) =>
      execFile(process.execPath, [command, ...args], (failure, _, error) => {
        if (failure?.code === UNREAD) reject(new Error(error));
        else resolve(Number(failure?.code ?? 0));
      }),
    );
  const managedBy = (management: string, ...options: string[]) =>
    cli("verify", "clusters/tenant-a", "--management-kubeconfig", management, ...options);
  /** Verifies a hosted cluster as its user; an administrator reads the management cluster. */
  const verify = (user: string, ...options: string[]) =>
    managedBy(session.kubeconfig, "--hosted-kubeconfig", user, ...options);

  /** A hosted cluster whose management cluster and own cluster are the same API server. */
  async function hostedClusterRuns(spec: object = {}): Promise<void> {
    const ipv4 = { internalJoinSubnet: JOIN };
    const operatorConfiguration = { clusterNetworkOperator: { ovnKubernetesConfig: { ipv4 } } };
    await applied(session, TENANT, hostedClusterObject({ operatorConfiguration, ...spec }));
    // Another use may have left some.
    await session.kubernetes.request("DELETE", "/api/v1/nodes");
    await session.kubernetes.request("DELETE", "/apis/operator.openshift.io/v1/networks/cluster");
    await new HostedNetwork(session).runs(JOIN);
  }

  return {
    ...componentUses(session),
    "check-live.yaml": {
      run: async (user) => {
        const check = () => cli("check", "--live", "--kubeconfig", user);
        await session.kubernetes.request("DELETE", TENANT);
        await check();
        // A cluster with HostedClusters is read differently: as a management cluster.
        await applied(session, "/api/v1/namespaces/clusters/configmaps/proxy-ca", {
          ...{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "proxy-ca" } },
          data: { [TRUST_BUNDLE_KEY]: certificate },
        });
        await hostedClusterRuns({ additionalTrustBundle: { name: "proxy-ca" } });
        await check();
        const wanted = join(session.stateFolder, "wanted.json");
        writeFileSync(wanted, JSON.stringify(hostedClusterObject()));
        await cli("plan", wanted, "--live", "--kubeconfig", user);
      },
    },
    "migration.yaml": { run: (user) => migrated(session, user) },
    "verify-management.yaml": {
      run: async (user) => {
        await hostedClusterRuns();
        const name = "tenant-a-admin-kubeconfig";
        await applied(session, `/api/v1/namespaces/clusters/secrets/${name}`, {
          ...{ apiVersion: "v1", kind: "Secret", metadata: { name } },
          data: { kubeconfig: readFileSync(session.kubeconfig).toString("base64") },
        });
        await applied(session, `${TENANT}/status`, {
          ...{ apiVersion: "hypershift.openshift.io/v1beta1", kind: "HostedCluster" },
          ...{ metadata: { name: "tenant-a" }, status: { kubeconfig: { name } } },
        });
        expect(await managedBy(user, "--no-probes")).toBe(VERIFIED);
        expect(await managedBy(user, "--bootstrap")).toBe(NOT_VERIFIED);
      },
    },
    "verify-hosted.yaml": {
      run: async (user) => {
        await hostedClusterRuns();
        expect(await verify(user, "--no-probes")).toBe(VERIFIED);
      },
    },
    "verify-probes.yaml": {
      beside: ["verify-hosted.yaml"],
      run: async (user) => {
        await hostedClusterRuns();
        expect(await verify(user, "--timeout", "600")).toBe(VERIFIED);
      },
    },
    "verify-flows.yaml": {
      beside: ["verify-probes.yaml"],
      run: async (user) => {
        await hostedClusterRuns();
        // It is not stated where most of the endpoints are.
        expect(await verify(user, "--flows", "--namespace", PROBES, "--timeout", "600")).toBe(NOT_VERIFIED);
      },
    },
    "verify-multicast.yaml": {
      run: async (user) => {
        await hostedClusterRuns();
        await namespaced(session, "shop", { annotations: { "k8s.ovn.org/multicast-enabled": "true" } });
        // Left by a verification of pods in that namespace whose process was killed.
        const service = "/api/v1/namespaces/shop/services/verify-earlier";
        await applied(session, service, {
          ...{ apiVersion: "v1", kind: "Service", spec: { ports: [{ port: 80 }] } },
          metadata: { name: "verify-earlier", labels: { [PROBE_LABELS.managedBy]: ProbeManager.Command } },
        });
        expect(await verify(user, "--multicast", "shop", "--timeout", "600")).toBe(VERIFIED);
        expect((await session.kubernetes.request("GET", service)).status).toBe(404);
      },
    },
    "verify-egress-router.yaml": {
      run: async (user) => {
        await hostedClusterRuns();
        const looks = () => verify(user, "--egress-router", "shop/egress", "--timeout", "0");
        await applied(session, ROUTER, {
          ...{ apiVersion: "network.operator.openshift.io/v1", kind: "EgressRouter" },
          metadata: { name: "egress" },
          spec: {
            mode: "Redirect",
            addresses: [{ ip: "192.168.12.99/24", gateway: "192.168.12.1" }],
            networkInterface: { macvlan: { mode: "Bridge" } },
            redirect: { fallbackIP: "203.0.113.7" },
          },
        });
        // Its pod is not created, so that events are read.
        expect(await looks()).toBe(NOT_VERIFIED);
        await session.kubernetes.request("DELETE", ROUTER);
        expect(await looks()).toBe(NOT_VERIFIED);
      },
    },
    "ovn-subnet-verification.yaml": {
      run: (user, account) => provedTwice(session, world, user, account),
    },
  };
}
