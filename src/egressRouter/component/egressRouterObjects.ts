import * as apiextensions from "@pulumi/kubernetes/apiextensions";
import * as core from "@pulumi/kubernetes/core/v1";
import * as apps from "@pulumi/kubernetes/apps/v1";
import * as pulumi from "@pulumi/pulumi";
import {
  DIGEST_ANNOTATION,
  configDigest,
  networkAttachmentConfig,
  networksAnnotation,
  EGRESS_ROUTER_API_VERSION,
  EGRESS_ROUTER_KIND,
  EgressRouterWorkload,
  NETWORK_ATTACHMENT_API_VERSION,
  NETWORK_ATTACHMENT_KIND,
  networkInterface,
  redirectRule,
  routerLabels,
  routerPodSpec,
  servicePort,
  type PlainEgressRouter,
  type PlainMacvlan,
  type PlainRedirectRule,
  type PlainServicePort,
} from "../egressRouter";
import { NETWORKS_ANNOTATION } from "../surroundings";
import { isGiven } from "../../resources/read";
import type { Release } from "../../requirements/release";
import type { EgressRouterArgs } from "./egressRouterArgs";
import { gated, marksOf } from "../../components/settled";
import { whenKnown } from "../../components/checked";

/** What the child resources of one router have in common. */
export interface RouterFrame {
  /** Name of the component. */
  name: string;
  parent: pulumi.Resource;
  check: pulumi.Output<unknown>;
  objectName: pulumi.Input<string>;
  /** The canonical address with its prefix length. */
  address: pulumi.Input<string>;
  release: Release | undefined;
}

const IMAGE = "registry.redhat.io/openshift3/ose-pod";

/** Creates the EgressRouter object. */
export function egressRouterObject(frame: RouterFrame, args: EgressRouterArgs): pulumi.CustomResource {
  const { name, parent, check, objectName, address } = frame;
  const { namespace, gateway, redirectRules, fallbackIp, macvlan } = args;
  return new apiextensions.CustomResource(
    name,
    {
      apiVersion: EGRESS_ROUTER_API_VERSION,
      kind: EGRESS_ROUTER_KIND,
      metadata: { name: objectName, namespace, ...marksOf(args) },
      spec: {
        addresses: [{ ip: address, gateway }],
        mode: "Redirect",
        networkInterface: whenKnown(macvlan, (plain) => networkInterface(plain as PlainMacvlan)),
        redirect: {
          redirectRules: each(redirectRules, (rule) => redirectRule(rule as PlainRedirectRule)),
          ...(isGiven(fallbackIp) && { fallbackIP: fallbackIp }),
        },
      },
    },
    gated(parent, check),
  );
}

/** Creates the network attachment and the workload whose pod uses it. */
export function attachedRouter(frame: RouterFrame, args: EgressRouterArgs) {
  const { name, parent, check, objectName, release } = frame;
  const { namespace, labels } = args;
  const config = attachmentConfig(frame, args);
  const attachment = new apiextensions.CustomResource(
    name,
    {
      apiVersion: NETWORK_ATTACHMENT_API_VERSION,
      kind: NETWORK_ATTACHMENT_KIND,
      metadata: { name: objectName, namespace, ...(labels && { labels }) },
      spec: { config },
    },
    gated(parent, check),
  );
  const networks = whenKnown([objectName, args.gateway], (plain) => {
    const [known, gateway] = plain as [string, string];
    return networksAnnotation(known, gateway, release);
  });
  const pod = {
    // The pod reads the attachment only once, so a change of the attachment must restart the pod.
    annotations: {
      [NETWORKS_ANNOTATION]: networks,
      [DIGEST_ANNOTATION]: whenKnown(config, (text) => configDigest(text as string)),
    },
    spec: whenKnown([objectName, args.image ?? IMAGE, args.command], (plain) => {
      const [known, image, command] = plain as [string, string, string[] | undefined];
      return routerPodSpec(known, image, command);
    }),
  };
  const after = gated(parent, check, [attachment]);
  const make = args.workload === EgressRouterWorkload.Pod ? routerPod : routerDeployment;
  return { config, workload: make(frame, args, pod, after) };
}

interface PodTemplate {
  annotations: Record<string, pulumi.Input<string>>;
  spec: pulumi.Input<ReturnType<typeof routerPodSpec>>;
}

function routerDeployment(
  { name, objectName }: RouterFrame,
  { namespace, ...args }: EgressRouterArgs,
  pod: PodTemplate,
  opts: pulumi.CustomResourceOptions,
): pulumi.CustomResource {
  const own = whenKnown(objectName, (known) => routerLabels(known as string));
  return new apps.Deployment(
    name,
    {
      metadata: { name: objectName, namespace, ...marksOf(args) },
      spec: {
        // Two pods with one address would take it from each other, so they must not run at the same time, even during a rollout.
        replicas: 1,
        strategy: { type: "Recreate" },
        selector: { matchLabels: own },
        template: { metadata: { labels: own, annotations: pod.annotations }, spec: pod.spec },
      },
    },
    opts,
  );
}

function routerPod(
  { name, objectName }: RouterFrame,
  { namespace, labels = {}, annotations = {} }: EgressRouterArgs,
  pod: PodTemplate,
  opts: pulumi.CustomResourceOptions,
): pulumi.CustomResource {
  const own = whenKnown(objectName, (known) => routerLabels(known as string));
  return new core.Pod(
    name,
    {
      metadata: {
        name: objectName,
        namespace,
        labels: joined(labels, own),
        annotations: joined(annotations, pod.annotations),
      },
      spec: pod.spec,
    },
    {
      ...opts,
      deleteBeforeReplace: true,
      replaceOnChanges: [`metadata.annotations["${DIGEST_ANNOTATION}"]`],
    },
  );
}

/** Creates the Service through which pods reach the router. */
export function routerService(
  { name, parent, check, objectName }: RouterFrame,
  { namespace, serviceName, servicePorts, redirectRules, labels }: EgressRouterArgs,
  selector: pulumi.Input<Record<string, string>>,
  router: pulumi.Resource,
): core.Service {
  return new core.Service(
    name,
    {
      metadata: { name: serviceName ?? objectName, namespace, ...(labels && { labels }) },
      spec: {
        type: "ClusterIP",
        selector,
        ports: each(servicePorts ?? redirectRules, (port) => servicePort(port as PlainServicePort)),
      },
    },
    gated(parent, check, [router]),
  );
}

/** Returns the configuration of the network attachment, once all parts of it are known. */
function attachmentConfig(frame: RouterFrame, args: EgressRouterArgs): pulumi.Input<string> {
  const { gateway, redirectRules, fallbackIp, macvlan } = args;
  const parts = {
    name: frame.objectName,
    address: frame.address,
    gateway,
    redirectRules,
    fallbackIp,
    macvlan,
  };
  return whenKnown(parts, (plain) => networkAttachmentConfig(plain as PlainEgressRouter, frame.release));
}

/** Writes each entry of a list; entries that are known are written at once. */
function each<T>(list: unknown, write: (entry: unknown) => T): pulumi.Input<pulumi.Input<T>[]> {
  if (!isGiven(list)) return [];
  if (Array.isArray(list)) return list.map((entry) => whenKnown(entry, write) as pulumi.Input<T>);
  return (pulumi.output(list) as pulumi.Output<unknown[]>).apply((entries) => entries.map(write));
}

type Texts = pulumi.Input<Record<string, pulumi.Input<string>>>;

const joined = (given: Texts, own: Texts): pulumi.Input<Record<string, string>> =>
  whenKnown([given, own], (plain) => Object.assign({}, ...(plain as object[])) as Record<string, string>);
