import { readFileSync, writeFileSync } from "node:fs";

import { ApiClient } from "./apiClient";
import type { CrdSet } from "./crds";
import type { Ec2Api } from "./ec2";
import type { KubernetesApi } from "./kubernetesApi";

/** The servers of a session. */
export interface Servers {
  readonly kubernetes: KubernetesApi;
  readonly ec2: Ec2Api;
  readonly crds: CrdSet;
}

/** Writes what another process needs to use these servers, readable only by the user. The servers end with this process. */
export function offerServers({ kubernetes, ec2, crds }: Servers, file: string): void {
  const { client, kubeconfig, auditLog } = kubernetes;
  const { url, token, certificate } = client;
  writeFileSync(
    file,
    JSON.stringify({ kubernetes: { url, token, certificate, kubeconfig, auditLog }, ec2, crds }),
    {
      mode: 0o600,
    },
  );
}

/** Servers that another process started and will stop. */
export function offeredServers(file: string): Servers {
  const { kubernetes, ec2, crds } = JSON.parse(readFileSync(file, "utf8")) as {
    kubernetes: Pick<KubernetesApi, "kubeconfig" | "auditLog"> &
      Pick<ApiClient, "url" | "token" | "certificate">;
    ec2: Omit<Ec2Api, "stop">;
    crds: CrdSet;
  };
  const { url, token, certificate, kubeconfig, auditLog } = kubernetes;
  const stop = () => Promise.resolve();
  const notMine = () => Promise.reject(new Error(`the API server of ${file} serves others too`));
  return {
    kubernetes: {
      kubeconfig,
      url,
      auditLog,
      client: new ApiClient(url, token, certificate),
      stop,
      stopApiServer: notMine,
      startApiServer: notMine,
    },
    ec2: { ...ec2, stop },
    crds,
  };
}
