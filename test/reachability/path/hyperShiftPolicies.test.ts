import { besideStated, hyperShiftResources } from "../../../src/reachability/path/guards";
import { EndpointAccess } from "../../../src/requirements/vocabulary";
import type { Resource } from "../../../src/resources/resource";
import { policy, running } from "../answers/plans";
import { published } from "../../topology/topologies";
import { pinned, said } from "./clusters";

/** The specs of HyperShift's policies in the namespace, by name, as an API server shows them. */
const specs = (raw: object) =>
  Object.fromEntries(hyperShiftResources(said(raw)).map(({ name, properties }) => [name, properties.spec]));
const names = (raw: object) => Object.keys(specs(raw)).sort();
const everyPod = { podSelector: {}, policyTypes: ["Ingress"] };
const at = (app: string, ...ports: number[]) => ({
  podSelector: { matchLabels: { app } },
  policyTypes: ["Ingress"],
  ingress: [{ ports: ports.map((port) => ({ protocol: "TCP", port })) }],
});
const fromGroup = (group: string) => ({
  from: [{ namespaceSelector: { matchLabels: { "network.openshift.io/policy-group": group } } }],
});

const outside = [
  { to: [{ ipBlock: { cidr: "0.0.0.0/0", except: ["10.1.0.0/16"] } }] },
  {
    to: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "openshift-dns" } } }],
    ports: [
      { protocol: "TCP", port: 5353 },
      { protocol: "UDP", port: 5353 },
    ],
  },
];

describe("HyperShift's own policies", () => {
  test("open the pods of a private cluster on AWS, and keep them off the management cluster", () => {
    const raw = { platform: "AWS", endpointAccess: EndpointAccess.Private, services: published.Route };
    expect(specs(raw)).toEqual({
      "same-namespace": { ...everyPod, ingress: [{ from: [{ podSelector: {} }] }] },
      "openshift-monitoring": { ...everyPod, ingress: [fromGroup("monitoring")] },
      kas: at("kube-apiserver", 6443),
      "private-router": {
        ...at("private-router", 8080, 8443),
        policyTypes: ["Ingress", "Egress"],
        egress: [
          {
            to: [
              {
                podSelector: {
                  matchExpressions: [
                    { key: "hypershift.openshift.io/request-serving-component", operator: "Exists" },
                  ],
                },
              },
            ],
          },
          ...outside,
        ],
      },
      "management-kas": {
        podSelector: {
          matchExpressions: [
            { key: "hypershift.openshift.io/need-management-kas-access", operator: "DoesNotExist" },
          ],
        },
        policyTypes: ["Egress"],
        egress: [{ to: [{ podSelector: {} }] }, ...outside],
      },
    });
  });

  test("allow the management cluster's router to every pod if it serves routes", () => {
    const balanced = { ...published.Route, apiServer: { type: "LoadBalancer" } };
    expect(specs({ platform: "OpenStack", services: balanced })["openshift-ingress"]).toEqual({
      ...everyPod,
      ingress: [fromGroup("ingress")],
    });
  });

  test("allow every client to the pods of each NodePort service", () => {
    const {
      "same-namespace": _,
      "openshift-monitoring": __,
      ...services
    } = specs({ platform: "None", services: pinned });
    expect(services).toEqual({
      kas: at("kube-apiserver", 6443),
      "nodeport-oauth": at("oauth-openshift", 6443),
      "nodeport-ignition": at("ignition-server", 9090),
      "nodeport-ignition-proxy": at("ignition-server-proxy", 8443),
      "nodeport-konnectivity": at("konnectivity-server", 8091),
      "nodeport-konnectivity-kas": at("kube-apiserver", 8091),
    });
  });

  test("name the ports of the API server, for IBM Cloud and as the cluster states", () => {
    expect(specs({ platform: "IBMCloud" }).kas).toEqual(at("kube-apiserver", 2040, 6443));
    expect(specs({ platform: "None", services: pinned, apiServerPort: 7443 }).kas).toEqual(
      at("kube-apiserver", 6443, 7443),
    );
  });

  test("allow every client to the virtual machines of KubeVirt", () => {
    expect(specs({ platform: "KubeVirt" })["virt-launcher"]).toEqual({
      podSelector: { matchLabels: { "kubevirt.io": "virt-launcher" } },
      policyTypes: ["Ingress"],
      ingress: [{ ports: [{ protocol: "TCP" }, { protocol: "UDP" }, { protocol: "SCTP" }] }],
    });
  });

  test.each<[string, object, string[]]>([
    [
      "no policy for the router if no service has a Route",
      { platform: "None", services: pinned },
      ["openshift-ingress"],
    ],
    [
      "no policy for OAuth's load balancer if it has none",
      { platform: "Azure", services: published.Route },
      ["loadbalancer-oauth"],
    ],
    [
      "no policies for virtual machines, routers and the management API on OpenStack",
      { platform: "OpenStack" },
      ["virt-launcher", "private-router", "management-kas"],
    ],
  ])("include %s", (_, raw, absent) => {
    expect(names(raw).filter((name) => absent.includes(name))).toEqual([]);
  });

  test("exclude policies without a known spec", () => {
    expect(names({ platform: "AWS" })).not.toEqual(expect.arrayContaining(["metrics-server"]));
    expect(names({ platform: "Azure" })).not.toContain("sharedingress");
  });

  test("are in the namespace of the control plane", () => {
    const [first] = hyperShiftResources(said({ platform: "AWS" }));
    expect(first).toMatchObject({
      type: "kubernetes:networking.k8s.io/v1:NetworkPolicy",
      properties: { metadata: { name: "same-namespace", namespace: "clusters-tenant-a" } },
    });
  });
});

describe("HyperShift's own policies next to stated ones", () => {
  const topology = said({ platform: "None", services: pinned });
  const beside = (...stated: Resource[]) => besideStated(topology, stated).map(({ name }) => name);

  test("are all except those of the same name", () => {
    expect(beside(policy("kas", { podSelector: {} }))).toEqual(beside().filter((name) => name !== "kas"));
    expect(beside()).toContain("kas");
  });

  test("are none if a running cluster was read", () => {
    expect(beside(running(policy("own", { podSelector: {} })))).toEqual([]);
  });
});
