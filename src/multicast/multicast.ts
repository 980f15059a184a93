import type { Fault } from "../fault";
import { Level, type ListedRule, type Rule, unknown, violated } from "../gate/rule";
import { OCP_4_7_OVN, OVN_KUBERNETES, at } from "../requirements/documents";
import { MULTICAST } from "../requirements/probes";
import { shownText } from "../objects/places";
import { inputFaults, labelName, needed, plainSwitch } from "../objects/shape";
import { annotationAt } from "../resources/kubernetesObject";
import { stepTo } from "../resources/read";
import { type PropertyValue, UNKNOWN } from "../resources/resource";
import { isNamespace } from "../resources/resourceTypes";

const KEY = "k8s.ovn.org/multicast-enabled";
const ON = "true";

/** The annotation that lets pods of a namespace send and receive multicast. */
export const MULTICAST_ANNOTATION = { [KEY]: ON } as const;

/** The inputs of a multicast namespace, to the extent known. */
export interface MulticastInputs {
  namespace?: PropertyValue | undefined;
  enabled?: PropertyValue | undefined;
  forcePatch?: PropertyValue | undefined;
}

/** Faults of the inputs of a multicast namespace. */
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

/** Returns two pods, and the commands to run in them, that show whether multicast works between pods of a namespace. */
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

/** Formats a pod as JSON for `oc create -f -`. */
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

/** Values that people write to turn multicast off, which OVN-Kubernetes reads as intended. */
const OFF: ReadonlySet<string> = new Set(["", "false", "no", "off", "0", "disabled"]);

/** Reports namespaces whose multicast is meant to be on but is off. The rule object-invalid reports values that are not strings. */
export const multicastAnnotation: Rule = {
  id: "multicast-annotation",
  title: "Multicast annotation does not turn multicast on",
  level: Level.Warning,
  description: `Reports namespaces whose annotation ${KEY} is meant to enable multicast but is not exactly ${ON}. OVN-Kubernetes compares the text exactly: with True, yes or 1, pods of the namespace neither send nor receive multicast, without any error.`,
  documents: [
    at(OCP_4_7_OVN, "15.13.2. Enabling multicast between pods"),
    at(OVN_KUBERNETES, "go-controller/pkg/ovn/base_network_controller_multicast.go"),
  ],
  remediation: `Write "${ON}" in lowercase, or remove the annotation.`,
  single: isNamespace,
  judge: (judged) =>
    judged.ofKind(isNamespace).flatMap((resource) => {
      const value = annotationAt(resource.properties, KEY);
      const path = `metadata.annotations${stepTo(KEY)}`;
      if (value === UNKNOWN) return unknown({ resource, path });
      if (typeof value !== "string" || value === ON || OFF.has(value.trim().toLowerCase())) return [];
      return violated({
        resource: resource.origin,
        path,
        message: `is ${shownText(value)}, not "${ON}": multicast is off in the namespace`,
        fix: `write "${ON}" in lowercase, or remove the annotation if multicast is not wanted`,
      });
    }),
};

export const multicastRules: readonly ListedRule[] = [
  {
    rule: multicastAnnotation,
    violated: `
apiVersion: v1
kind: Namespace
metadata: { name: shop, annotations: { k8s.ovn.org/multicast-enabled: "True" } }
`,
    mended: { True: "true" },
  },
];
