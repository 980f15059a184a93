import { parse, parseAllDocuments } from "yaml";

import { ruleExamples } from "../../src/rules";
import { CONFIGURATIONS, FURTHER } from "./furtherSamples";
import { isMap, type Json, type JsonObject } from "./json";

/** A resource as files and the engine represent it. */
export interface FuzzedResource {
  type: string;
  name: string;
  properties: JsonObject;
  /** The component that created it. */
  parent?: { type: string; name: string };
  /** The name of the program's Kubernetes provider that creates it. Default: the default provider. */
  provider?: string;
}

/** A valid input, or an input that violates one rule. */
export interface Sample {
  name: string;
  resources: readonly FuzzedResource[];
  /** The content of hypershift-network.yaml; empty if there is none. */
  configuration: JsonObject;
}

/** The hosted cluster of all examples: release 4.20 on AWS, private, published by Route. */
const HOSTED_CLUSTER: JsonObject = {
  apiVersion: "hypershift.openshift.io/v1beta1",
  kind: "HostedCluster",
  metadata: { name: "tenant-a", namespace: "clusters" },
};
const SPEC: JsonObject = {
  release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" },
  platform: { type: "AWS", aws: { region: "us-east-1", endpointAccess: "Private" } },
  services: ["APIServer", "OAuthServer", "Konnectivity", "Ignition"].map((service) => ({
    service,
    servicePublishingStrategy: { type: service === "APIServer" ? "LoadBalancer" : "Route" },
  })),
};
const NETWORKING: JsonObject = {
  networkType: "OVNKubernetes",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  clusterNetwork: [{ cidr: "10.132.0.0/14" }],
  serviceNetwork: [{ cidr: "172.31.0.0/16" }],
};

const hostedCluster = ({ networking, ...spec }: JsonObject): FuzzedResource => ({
  type: "kubernetes:hypershift.openshift.io/v1beta1:HostedCluster",
  name: "tenant-a",
  properties: {
    ...HOSTED_CLUSTER,
    spec: { ...SPEC, networking: { ...NETWORKING, ...(networking as JsonObject) }, ...spec },
  },
});

/** The examples of the rules, each in its violated and its fixed form, and inputs of further kinds. */
export function samples(): Sample[] {
  const examples = Object.entries(ruleExamples);
  return [
    ...examples.flatMap(([id, { violated, mended, configuration = "" }]) => [
      { name: `${id} violated`, resources: resourcesOf(violated), configuration: settings(configuration) },
      { name: `${id} mended`, resources: resourcesOf(mended), configuration: settings(configuration) },
    ]),
    ...Object.entries(FURTHER).map(([name, text]) => ({
      name,
      resources: resourcesOf(text),
      configuration: settings(CONFIGURATIONS[name] ?? ""),
    })),
  ];
}

const settings = (text: string): JsonObject => (parse(text) ?? {}) as JsonObject;

/** The resources of a text in the format of the rules' examples, in addition to the hosted cluster that all of them share. */
function resourcesOf(text: string): FuzzedResource[] {
  const documents = parseAllDocuments(text).map((document) => document.toJS() as JsonObject);
  const isPart = (document: JsonObject) => !("type" in document) && !("kind" in document);
  const spec = Object.assign({}, ...documents.filter(isPart)) as JsonObject;
  const others = documents.filter((document) => !isPart(document));
  return [hostedCluster(spec), ...others.map(resourceOf)];
}

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

function resourceOf(
  { type, name, properties, parent, ...object }: JsonObject,
  position: number,
): FuzzedResource {
  if (typeof type === "string")
    return {
      type: engineType(type),
      name: textOf(name),
      properties: properties as JsonObject,
      ...(isMap(parent) && { parent: { type: textOf(parent.type), name: textOf(parent.name) } }),
    };
  const version = textOf(object.apiVersion);
  const group = version.includes("/") ? version : `core/${version}`;
  const own = textOf((object.metadata as JsonObject).name);
  return {
    type: `kubernetes:${group}:${textOf(object.kind)}`,
    name: `${own}-${position}`,
    properties: object,
  };
}

/** Returns `aws:ec2/securityGroup:SecurityGroup` for `aws:ec2:SecurityGroup`. */
function engineType(type: string): string {
  if (!type.startsWith("aws:")) return type;
  const [pack, module, name] = type.split(":") as [string, string, string];
  return `${pack}:${module}/${name.charAt(0).toLowerCase()}${name.slice(1)}:${name}`;
}
