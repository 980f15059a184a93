/**
 * A database outside the cluster knows its clients by their addresses. Pods reach it through egress routers, each with a
 * reserved source address: one by the EgressRouter object, and one by a network attachment and a Deployment, which also
 * works on clusters before 4.8 and lets you choose the image.
 *
 *   pulumi up
 *   pulumi config set database 203.0.113.22 && pulumi up      leads both routers to another server, in place
 *
 * Use the kubeconfig of the cluster that has the pods.
 */
import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import {
  EgressRouter,
  EgressRouterForm,
  EgressRouterProtocol,
  InfrastructurePlatform,
} from "hypershift-network";

const config = new pulumi.Config();

/** What both routers have in common: the network of their nodes, and their destination. */
const common = {
  release: "4.20",
  platform: InfrastructurePlatform.BareMetal,
  nodeSubnets: ["192.0.2.0/24"],
  gateway: "192.0.2.1",
  redirectRules: [
    {
      port: 5432,
      protocol: EgressRouterProtocol.TCP,
      destinationIp: config.get("database") ?? "203.0.113.21",
    },
  ],
};

const [orders, billing] = ["orders", "billing"].map(
  (name) => new kubernetes.core.v1.Namespace(name, { metadata: { name } }).metadata.name,
);

const operated = new EgressRouter("orders", { ...common, namespace: orders!, address: "192.0.2.201/24" });

const attached = new EgressRouter("billing", {
  ...common,
  namespace: billing!,
  address: "192.0.2.202/24",
  form: EgressRouterForm.NetworkAttachment,
  image: "registry.example.com/platform/pause:3.10",
  // So that the example runs on an empty Kubernetes API, where no controller starts the pod. On a cluster leave it out.
  annotations: { "pulumi.com/skipAwait": "true" },
});

/** What clients in the cluster connect to, at port 5432. */
export const hosts = [operated.serviceHost, attached.serviceHost];
/** What the database sees. */
export const sourceAddresses = [operated.sourceAddress, attached.sourceAddress];
export const platformSetup = operated.platformSetup;
export const verification = attached.verification.commands;
