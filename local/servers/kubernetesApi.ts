import { generateKeyPairSync, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { rareCollections } from "../environment";
import type { KubernetesTools } from "../toolchain/kubernetes";
import { ApiClient } from "./apiClient";
import { finishNamespaces } from "./namespaces";
import { onFreePort } from "./ports";
import { supervise, type Supervised, type SuperviseOptions } from "./supervised";
import { waitUntilReady } from "./ready";

/** A Kubernetes API on loopback: etcd and kube-apiserver, without nodes; the only controller is the one that deletes namespaces. */
export interface KubernetesApi {
  /** Credentials for it, readable only by the user. */
  readonly kubeconfig: string;
  /** Its address. */
  readonly url: string;
  readonly client: ApiClient;
  /** Path of the audit log: one JSON audit event for each request of a service account, with its result. */
  readonly auditLog: string;
  /** Stops kube-apiserver and leaves etcd running. */
  stopApiServer(): Promise<void>;
  /** Starts kube-apiserver again at the same address with the same credentials. */
  startApiServer(): Promise<void>;
  /** Stops kube-apiserver and etcd. */
  stop(): Promise<void>;
}

export interface KubernetesApiOptions {
  readonly tools: KubernetesTools;
  /** Holds etcd's data, certificates, tokens and logs; a later start with the same folder finds the same objects. */
  readonly folder: string;
  /** The port to use if it is free. */
  readonly wantedPort?: number;
}

/** Takes seconds on a quiet machine, minutes on a busy one; the wait stops when the server has ended. */
const API_SERVER_PATIENCE_MS = 300_000;
/** etcd listens on socket files with these names in its folder, which keeps other users of the machine out. */
const ETCD_CLIENTS = "localhost:1";
const ETCD_PEERS = "localhost:2";
const AUDIT_LOG = "audit.log";
const AUDIT_POLICY = "audit-policy.json";
/** Logs only service accounts: administrators, such as a session's user, may do everything, which shows nothing about required rights. */
const auditPolicy = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  omitStages: ["RequestReceived"],
  rules: [{ level: "Metadata", userGroups: ["system:serviceaccounts"] }, { level: "None" }],
};

/** Starts etcd and kube-apiserver, and waits until the API answers. */
export async function startKubernetesApi(options: KubernetesApiOptions): Promise<KubernetesApi> {
  const { folder } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const etcd = startEtcd(options);
  try {
    return await onFreePort(options.wantedPort, (port) => startBefore(etcd, options, port));
  } catch (error) {
    await etcd.stop();
    throw error;
  }
}

async function startBefore(
  etcd: Supervised,
  options: KubernetesApiOptions,
  port: number,
): Promise<KubernetesApi> {
  const { folder } = options;
  const token = writeCredentials(folder);
  writePrivate(join(folder, AUDIT_POLICY), JSON.stringify(auditPolicy));
  let apiServer = startApiServerProcess(options, port);
  const client = await firstContact(folder, port, token, apiServer);
  const kubeconfig = join(folder, "kubeconfig");
  writePrivate(kubeconfig, kubeconfigFor(client));
  const stopFinishing = finishNamespaces(client);
  return {
    kubeconfig,
    url: client.url,
    client,
    auditLog: join(folder, AUDIT_LOG),
    stopApiServer: () => apiServer.stop(),
    startApiServer: async () => {
      apiServer = startApiServerProcess(options, port);
      await untilReady(client, apiServer);
    },
    stop: async () => {
      await stopFinishing();
      await apiServer.stop();
      await etcd.stop();
    },
  };
}

const serverIn = (folder: string, name: string): SuperviseOptions => ({
  name,
  folder,
  cwd: folder,
  env: { ...process.env, ...rareCollections() },
});

function startEtcd({ tools, folder }: KubernetesApiOptions): Supervised {
  [ETCD_CLIENTS, ETCD_PEERS].forEach((socket) => rmSync(join(folder, socket), { force: true }));
  return supervise(
    tools.etcd,
    [
      "--data-dir=etcd",
      `--listen-client-urls=unix://${ETCD_CLIENTS}`,
      `--advertise-client-urls=unix://${ETCD_CLIENTS}`,
      `--listen-peer-urls=unix://${ETCD_PEERS}`,
      `--initial-advertise-peer-urls=http://${ETCD_PEERS}`,
      `--initial-cluster=default=http://${ETCD_PEERS}`,
      // A crash of the machine may lose the last objects of a rehearsal; waiting for the disk would cost seconds per run.
      "--unsafe-no-fsync",
      "--log-level=warn",
    ],
    serverIn(folder, "etcd"),
  );
}

function startApiServerProcess({ tools, folder }: KubernetesApiOptions, port: number): Supervised {
  return supervise(
    tools.apiServer,
    [
      `--etcd-servers=unix://${ETCD_CLIENTS}`,
      "--bind-address=127.0.0.1",
      "--advertise-address=127.0.0.1",
      "--endpoint-reconciler-type=none",
      `--secure-port=${port}`,
      "--cert-dir=certificates",
      "--token-auth-file=tokens.csv",
      "--authorization-mode=RBAC",
      `--audit-policy-file=${AUDIT_POLICY}`,
      `--audit-log-path=${AUDIT_LOG}`,
      "--audit-log-maxbackup=1",
      "--anonymous-auth=false",
      "--service-account-key-file=service-account.key",
      "--service-account-signing-key-file=service-account.key",
      "--service-account-issuer=https://kubernetes.default.svc",
      "--service-cluster-ip-range=10.255.0.0/24",
      // Without controllers namespaces get no service account, and this plugin would reject pods because of that.
      "--disable-admission-plugins=ServiceAccount",
      // Without a garbage collector a foreground deletion, Pulumi's default, would never finish.
      "--enable-garbage-collector=false",
      "--allow-privileged=true",
      "--profiling=false",
    ],
    serverIn(folder, "kube-apiserver"),
  );
}

/** Generates new keys at every start; returns the administrator's token. */
function writeCredentials(folder: string): string {
  const token = randomBytes(32).toString("base64url");
  rmSync(join(folder, "certificates"), { recursive: true, force: true });
  mkdirSync(join(folder, "certificates"), { mode: 0o700 });
  writePrivate(join(folder, "tokens.csv"), `${token},admin,admin,"system:masters"\n`);
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  writePrivate(
    join(folder, "service-account.key"),
    privateKey.export({ type: "sec1", format: "pem" }).toString(),
  );
  return token;
}

const END_OF_CERTIFICATE = "-----END CERTIFICATE-----\n";

/** kube-apiserver signs its own certificate when it starts: waits for the certificate, then for the API. */
async function firstContact(
  folder: string,
  port: number,
  token: string,
  server: Supervised,
): Promise<ApiClient> {
  const certificate = join(folder, "certificates", "apiserver.crt");
  // The file exists before its content is complete.
  await waitUntilReady("kube-apiserver", server, API_SERVER_PATIENCE_MS, () =>
    Promise.resolve(
      existsSync(certificate) && readFileSync(certificate, "utf8").endsWith(END_OF_CERTIFICATE),
    ),
  );
  const client = new ApiClient(`https://127.0.0.1:${port}`, token, readFileSync(certificate, "utf8"));
  await untilReady(client, server);
  return client;
}

function untilReady(client: ApiClient, server: Supervised): Promise<void> {
  const isThere = (path: string) =>
    client.request("GET", path).then(
      ({ status }) => status === 200,
      () => false,
    );
  // The last object that the server creates by itself, a while after it is ready: nobody must mistake it for a new one.
  const last = "/api/v1/namespaces/default/services/kubernetes";
  return waitUntilReady(
    "kube-apiserver",
    server,
    API_SERVER_PATIENCE_MS,
    async () => (await isThere("/readyz")) && (await isThere("/api/v1/namespaces/default")) && isThere(last),
  );
}

function kubeconfigFor(client: ApiClient): string {
  const name = "hypershift-network";
  return JSON.stringify(
    {
      apiVersion: "v1",
      kind: "Config",
      clusters: [
        {
          name,
          cluster: {
            server: client.url,
            "certificate-authority-data": Buffer.from(client.certificate ?? "").toString("base64"),
          },
        },
      ],
      users: [{ name, user: { token: client.token } }],
      contexts: [{ name, context: { cluster: name, user: name } }],
      "current-context": name,
    },
    null,
    2,
  );
}

function writePrivate(file: string, content: string): void {
  rmSync(file, { force: true });
  writeFileSync(file, content, { mode: 0o600 });
}
