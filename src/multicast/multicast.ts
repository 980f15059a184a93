import type { Fault } from "../fault";
import { MULTICAST } from "../requirements/probes";
import { inputFaults, labelName, needed, plainSwitch } from "../objects/shape";
import type { PropertyValue } from "../resources/resource";

/** The annotation of a namespace whose pods may send and receive multicast. */
export const MULTICAST_ANNOTATION = { "k8s.ovn.org/multicast-enabled": "true" } as const;

/** What is known of the inputs of a multicast namespace. */
export interface MulticastInputs {
  namespace?: PropertyValue | undefined;
  enabled?: PropertyValue | undefined;
  forcePatch?: PropertyValue | undefined;
}

/** What is wrong with the inputs of a multicast namespace. */
export const multicastFaults = (inputs: MulticastInputs): Fault[] =>
  inputFaults(
    {
      namespace: needed(labelName, "write the name of the namespace"),
      enabled: plainSwitch,
      forcePatch: plainSwitch,
    },
    inputs,
  );

const VERIFY = { app: "multicast-verify" };

/** Two pods and what to run in them, to see multicast work between pods of a namespace. */
export function multicastVerification(namespace: string, image: string) {
  const { port, timeToLive } = MULTICAST;
  const group = MULTICAST.groups.IPv4;
  return {
    receiver: podText(namespace, "mlistener", image, "dnf -y install socat hostname && sleep inf", [
      { containerPort: port, name: "mlistener", protocol: "UDP" },
    ]),
    sender: podText(namespace, "msender", image, "dnf -y install socat && sleep inf"),
    commands: [
      `POD_IP=$(oc get pods mlistener -n ${namespace} -o jsonpath='{.status.podIP}')`,
      `oc exec mlistener -n ${namespace} -i -t -- socat UDP4-RECVFROM:${port},ip-add-membership=${group}:$POD_IP,fork EXEC:hostname`,
      `CIDR=$(oc get Network.config.openshift.io cluster -o jsonpath='{.status.clusterNetwork[0].cidr}')`,
      `oc exec msender -n ${namespace} -i -t -- /bin/bash -c "echo | socat STDIO UDP4-DATAGRAM:${group}:${port},range=$CIDR,ip-multicast-ttl=${timeToLive}"`,
    ],
    expected: "mlistener",
  };
}

/** A pod as JSON, which `oc create -f -` takes. */
function podText(namespace: string, name: string, image: string, script: string, ports?: object[]): string {
  const container = { name, image, command: ["/bin/sh", "-c"], args: [script], ...(ports && { ports }) };
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace, labels: VERIFY },
    spec: { containers: [container] },
  };
  return JSON.stringify(pod, null, 2);
}
