import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { type ApiAnswer, ApiClient } from "../../../local/servers/apiClient";
import type { Session } from "../../../local/session";

interface KubeObject {
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    deletionTimestamp?: string;
    managedFields?: { manager: string; operation: string; subresource?: string }[];
  };
  spec?: Record<string, unknown>;
}

const NAMESPACES = "/api/v1/namespaces";
/** What the program creates, in the order in which it can be deleted. */
const KINDS = {
  HostedCluster: "/apis/hypershift.openshift.io/v1beta1/hostedclusters",
  EgressFirewall: "/apis/k8s.ovn.org/v1/egressfirewalls",
  Namespace: NAMESPACES,
};
/** The namespaces that the API server creates itself, some of them a while after its start. */
const isItsOwn = ({ metadata }: KubeObject) => /^(kube-.*|default)$/.test(metadata.name);

/** The Kubernetes API of a session, read and emptied of what the program creates. */
export class KubernetesWorld {
  private readonly client: ApiClient;

  constructor(session: Session) {
    const { clusters, users } = JSON.parse(readFileSync(session.kubeconfig, "utf8")) as {
      clusters: { cluster: { server: string; "certificate-authority-data": string } }[];
      users: { user: { token: string } }[];
    };
    const cluster = clusters[0]?.cluster;
    const certificate = Buffer.from(cluster?.["certificate-authority-data"] ?? "", "base64").toString("utf8");
    this.client = new ApiClient(cluster?.server ?? "", users[0]?.user.token ?? "", certificate);
  }

  /** Every object with its content. More than one field manager would mean a second creator; an adopted object may have none. */
  async objects(): Promise<string[]> {
    const found = await Promise.all(
      Object.entries(KINDS).map(async ([kind, path]) =>
        (await this.list(path)).filter(not(isItsOwn)).map(({ metadata, spec }) => {
          const { namespace = "", name, labels, deletionTimestamp, managedFields = [] } = metadata;
          const makers = managedFields.filter(({ subresource }) => !subresource).length;
          const going = deletionTimestamp ? "going " : "";
          return `${going}${kind} ${namespace}/${name} ${JSON.stringify({ labels, spec })}${makers > 1 ? ` of ${makers} managers` : ""}`;
        }),
      ),
    );
    return found.flat().sort();
  }

  async spec(kind: keyof typeof KINDS, name: string): Promise<Record<string, unknown>> {
    const found = (await this.list(KINDS[kind])).find(({ metadata }) => metadata.name === name);
    if (found?.spec === undefined) throw new Error(`there is no ${kind} ${name}`);
    return found.spec;
  }

  async empty(): Promise<void> {
    for (const path of [KINDS.HostedCluster, KINDS.EgressFirewall]) {
      for (const { metadata } of await this.list(path)) {
        const [root, kind] = [path.slice(0, path.lastIndexOf("/")), path.slice(path.lastIndexOf("/"))];
        must(
          await this.client.request(
            "DELETE",
            `${root}/namespaces/${metadata.namespace}${kind}/${metadata.name}`,
          ),
        );
      }
    }
    for (const namespace of (await this.list(NAMESPACES)).filter(not(isItsOwn))) {
      const path = `${NAMESPACES}/${namespace.metadata.name}`;
      // Without a finalizer it goes immediately, and it is already empty.
      const body = { ...namespace, apiVersion: "v1", kind: "Namespace", spec: { finalizers: [] } };
      must(await this.client.request("PUT", `${path}/finalize`, body));
      must(await this.client.request("DELETE", path));
    }
  }

  private async list(path: string): Promise<KubeObject[]> {
    let answer = await this.client.request("GET", path);
    // Right after its start the server knows the custom kinds, but has not read their objects yet.
    for (let turn = 0; answer.status === 429 && turn < 30; turn++) {
      await sleep(1000);
      answer = await this.client.request("GET", path);
    }
    return (must(answer) as { items: KubeObject[] }).items;
  }
}

const not =
  <T>(is: (value: T) => boolean) =>
  (value: T): boolean =>
    !is(value);

function must({ status, body }: ApiAnswer): unknown {
  if (status >= 300) throw new Error(`the API server answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
