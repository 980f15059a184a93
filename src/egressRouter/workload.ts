import type { EgressRouterProtocol } from "./egressRouter";

/** The label by which Deployment and Service find the pod. */
export const routerLabels = (name: string) => ({ name });

/** The pod waits and does nothing: its network does the work. */
export function routerPodSpec(name: string, image: string, command?: readonly string[] | null) {
  return {
    containers: [
      {
        name,
        image,
        ...(command && { command: [...command] }),
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
      },
    ],
  };
}

/** A port of the Service, all of whose values are known and right. */
export interface PlainServicePort {
  name?: string;
  port: number;
  protocol: EgressRouterProtocol;
}

/** A port as the Service holds it; each has a name, as several ports need. */
export const servicePort = ({ name, port, protocol }: PlainServicePort) => ({
  name: name ?? `${protocol.toLowerCase()}-${port}`,
  protocol,
  port,
});
