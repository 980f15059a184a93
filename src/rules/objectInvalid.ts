import { at, KUBERNETES } from "../requirements/documents";
import { entriesOf, readValue } from "../resources/read";
import type { PropertyValue, Resource } from "../resources/resource";
import {
  isClusterProxy,
  isHostedCluster,
  isKubernetes,
  isNetwork,
  isNodePool,
} from "../resources/resourceTypes";
import { Level, violated, type Judgement, type Rule } from "../gate/rule";

/** A Kubernetes object says something else than what the API server stores. */
export const objectInvalid: Rule = {
  id: "object-invalid",
  title: "Kubernetes object has values that the API server refuses or drops",
  level: Level.Error,
  description:
    "Equal keys in manifests, of which kubectl takes the last one without a word; null in lists of custom resources, which the API server refuses; booleans and numbers in labels, annotations, selectors and data, which YAML makes of yes, on, 1 and 0120 without quotes. In lists of built-in kinds null is stored as an empty entry, and rules judge it so: a bare - under ingress lets everybody in.",
  documents: [at(KUBERNETES, "Objects In Kubernetes")],
  remediation: "Write each key once, texts in quotes, and no entry without a value.",
  single: isKubernetes,
  judge: (judged) =>
    judged.ofKind(isKubernetes).flatMap((object) => [...repeated(object), ...nullEntries(object)]),
};

const repeated = ({ origin, repeated: paths = [] }: Resource): Judgement[] =>
  paths.map((path) =>
    violated({
      resource: origin,
      path,
      message: "is said twice in one object, and kubectl takes the last one",
      fix: "leave one of them out",
    }),
  );

/** Lists of custom resources that rules read, and in which nothing else speaks of null. */
const LISTS: readonly (readonly [kind: (type: string) => boolean, paths: readonly string[]])[] = [
  [
    isHostedCluster,
    [
      "spec.services",
      "spec.networking.machineNetwork",
      "spec.networking.clusterNetwork",
      "spec.networking.serviceNetwork",
      "spec.networking.apiServer.allowedCIDRBlocks",
      "spec.configuration.proxy.readinessEndpoints",
      "spec.tolerations",
    ],
  ],
  [isNodePool, ["spec.taints"]],
  [
    isNetwork,
    [
      "spec.clusterNetwork",
      "spec.serviceNetwork",
      "spec.additionalNetworks",
      "spec.defaultNetwork.ovnKubernetesConfig.hybridOverlayConfig.hybridClusterNetwork",
    ],
  ],
  [isClusterProxy, ["spec.readinessEndpoints"]],
];

const nullEntries = ({ origin, type, properties }: Resource): Judgement[] =>
  LISTS.flatMap(([holds, paths]) => (holds(type) ? paths : []))
    .flatMap((path) => nullsIn(readValue(properties, path), path))
    .map((path) =>
      violated({
        resource: origin,
        path,
        message: "is null, which the API server refuses in a list",
        fix: "write a value, or leave the entry out",
      }),
    );

const nullsIn = (list: PropertyValue | undefined, path: string): string[] =>
  entriesOf(list).flatMap((entry, position) => (entry === null ? [`${path}[${position}]`] : []));
