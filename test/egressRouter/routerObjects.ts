import { resource, type Properties } from "../rules/builders";

export const attachment = (ip: Properties, more: Properties = {}, name = "legacy") =>
  resource("kubernetes:k8s.cni.cncf.io/v1:NetworkAttachmentDefinition", name, {
    metadata: { name, namespace: "shop" },
    spec: {
      config: JSON.stringify({ cniVersion: "0.4.0", type: "egress-router", name, ip, ...more }),
    },
  });

export const IP = { addresses: ["10.0.0.9/16"], destinations: ["192.0.2.1"], gateway: "10.0.0.1" };

export const workload = (type: string, spec: Properties = {}, name = "router", networks = "legacy") => {
  const asking = { annotations: { "k8s.v1.cni.cncf.io/networks": networks } };
  const isPod = type.endsWith(":Pod");
  return resource(type, name, {
    metadata: { name, namespace: "shop", ...(isPod && asking) },
    spec: isPod ? { containers: [], ...spec } : { template: { metadata: asking, spec: {} }, ...spec },
  });
};
