import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import {
  proxyApiBypass,
  proxyDnsBlocked,
  proxyNoComputeNodes,
  proxyNoProxyMissing,
} from "../../../src/proxy/rules/proxies";
import { proxyInvalid, proxyTrustedCa } from "../../../src/proxy/rules/proxyInvalid";
import { describeFinding, Status } from "../../../src/gate/rule";
import { certificate } from "../../objects/certificate";
import {
  group,
  hostedCluster,
  judge,
  linesOf,
  networking,
  resource,
  services,
  tags,
  tcp,
  unknowns,
  violations,
  type Properties,
} from "../../rules/builders";

const URL = "http://proxy.example.com:3128";
const PROXY = "spec.configuration.proxy";
const withProxy = (proxy: Properties, more: Properties = {}) =>
  hostedCluster({ configuration: { proxy }, ...more });
const open = { platform: { type: "AWS", aws: { region: "us-east-1", endpointAccess: "Public" } } };
const pool = (spec: Properties, name = "workers") =>
  resource("kubernetes:hypershift.openshift.io/v1beta1:NodePool", name, {
    metadata: { name, namespace: "clusters" },
    spec: { clusterName: "tenant-a", ...spec },
  });

describe("proxy-invalid", () => {
  it.each<[Properties, string]>([
    [{ httpProxy: "proxy.example.com:3128" }, "httpProxy"],
    [{ httpProxy: "https://proxy.example.com:3128" }, "httpProxy"],
    [{ httpProxy: URL, httpsProxy: "socks5://proxy.example.com:1080" }, "httpsProxy"],
    [{ httpProxy: URL, noProxy: "*.example.com" }, "noProxy"],
    [{ httpProxy: URL, noProxy: "10.0.0.0/33" }, "noProxy"],
    [{ httpProxy: URL, noProxy: ".example.com," }, "noProxy"],
    [{ httpProxy: URL, noProxy: ".example.com,,10.0.0.0/16" }, "noProxy"],
    [{ httpProxy: URL, noProxy: " " }, "noProxy"],
  ])("reports %j", (proxy, name) => {
    expect(violations(proxyInvalid, [withProxy(proxy)])).toMatchObject([{ path: `${PROXY}.${name}` }]);
  });

  it("accepts a valid proxy, and a cluster without one", () => {
    const proxy = { httpProxy: URL, httpsProxy: URL, noProxy: ".example.com, 10.9.0.0/16" };
    expect(violations(proxyInvalid, [withProxy(proxy), hostedCluster({}, "tenant-b")])).toEqual([]);
  });

  it("warns of host bits in noProxy, which all readers ignore", () => {
    const bits = withProxy({ httpProxy: URL, noProxy: "10.0.0.1/16, .a.b,10.1.0.1/16" });
    expect(violations(proxyInvalid, [bits])).toMatchObject(
      ["10.0.0", "10.1.0"].map((part) => ({
        path: `${PROXY}.noProxy`,
        level: "warning",
        message: `${part}.1/16 has host bits`,
        fix: `write ${part}.0/16`,
      })),
    );
  });

  describe("through which nodes reach the API server", () => {
    const found = (httpsProxy: PropertyValue, more: Properties = {}, spec: Properties = open) =>
      linesOf(violations(proxyInvalid, [withProxy({ httpsProxy, ...more }, spec)]));
    const undialled = (what: string, takes: string, remedy: string) =>
      `violated ${PROXY}.httpsProxy | ${what}, and the nodes' own proxy for the API server takes ${takes} as a part of the address, which cannot be dialled: nodes do not reach the API server | ${remedy}, or let noProxy cover the API server`;
    const slash = undialled("ends with a slash", "it", "remove the slash");

    it("reports a slash at its end, also without a port, and credentials, which it does not show", () => {
      for (const url of [`${URL}/`, "http://proxy.example.com/"]) expect(found(url)).toBe(slash);
      const credentials = found("http://user:hunter2@proxy.example.com:3128");
      expect(credentials).toBe(
        undialled(
          "contains credentials",
          "them",
          "remove them, and let the proxy accept connections to the API server without credentials",
        ),
      );
    });

    it.each<[string, Properties, Properties]>([
      ["noProxy covers the API server", { noProxy: "kubernetes" }, open],
      ["noProxy covers everything", { noProxy: "*" }, open],
      ["access is private", {}, {}],
      [
        "access is public and private",
        {},
        { platform: { type: "AWS", aws: { endpointAccess: "PublicAndPrivate" } } },
      ],
    ])("accepts both if nodes do not go through it: %s", (_, more, spec) => {
      for (const url of [`${URL}/`, "http://user:hunter2@proxy.example.com:3128"])
        expect(found(url, more, spec)).toBe("");
    });

    it("accepts both in httpProxy", () => {
      for (const httpProxy of [`${URL}/`, "http://user:hunter2@proxy.example.com:3128"])
        expect(found(URL, { httpProxy })).toBe("");
    });

    it.each<[string, Properties, Properties, string[]]>([
      ["noProxy", { noProxy: UNKNOWN }, open, [`${PROXY}.noProxy`]],
      [
        "access",
        {},
        { platform: { type: "AWS", aws: { endpointAccess: UNKNOWN } } },
        [`${PROXY}.httpsProxy`],
      ],
      ["the platform", {}, { platform: { type: UNKNOWN } }, []],
    ])("is unknown with an unknown value: %s", (_, more, spec, paths) => {
      const cluster = withProxy({ httpsProxy: `${URL}/`, ...more }, spec);
      expect(violations(proxyInvalid, [cluster])).toEqual([]);
      expect(unknowns(proxyInvalid, [cluster]).map(({ path }) => path)).toEqual(paths);
    });

    it("reads noProxy of the object for a patch on it, and judges no patch alone", () => {
      const patch = resource(`${hostedCluster().type}Patch`, "patch", {
        metadata: { name: "tenant-a", namespace: "clusters" },
        spec: { configuration: { proxy: { httpsProxy: `${URL}/` } } },
      });
      const withEntry = (noProxy: string) => withProxy({ httpsProxy: URL, noProxy }, open);
      expect(linesOf(violations(proxyInvalid, [withEntry("kubernetes"), patch]))).toBe("");
      expect(linesOf(violations(proxyInvalid, [withEntry(".example.org"), patch]))).toBe(slash);
      expect(violations(proxyInvalid, [patch])).toEqual([]);
    });
  });

  it("warns of text after the port of httpProxy, and refuses it in httpsProxy and behind credentials", () => {
    const at = (proxy: Properties) =>
      violations(proxyInvalid, [withProxy(proxy)]).map(({ path, level }) => `${level} ${path}`);
    expect(at({ httpProxy: `${URL}/pac` })).toEqual([`warning ${PROXY}.httpProxy`]);
    expect(at({ httpsProxy: `${URL}/pac` })).toEqual([`error ${PROXY}.httpsProxy`]);
    expect(at({ httpProxy: "http://user:12/34@proxy.example.com:3128" })).toEqual([
      `error ${PROXY}.httpProxy`,
    ]);
  });

  const long = (length: number) => `${"a.".repeat(Math.floor((length - 1) / 2))}${length % 2 ? "a" : "ab"}`;
  it.each<[Properties, string[]]>([
    [{ noProxy: long(254) }, ["noProxy"]],
    [{ noProxy: `.${long(254)}` }, ["noProxy"]],
    [{ noProxy: `${long(253)},.${long(253)}` }, []],
    [{ httpsProxy: `http://${long(254)}:3128` }, ["httpsProxy"]],
    [{ httpsProxy: `http://${long(253)}:3128` }, []],
    [
      { readinessEndpoints: ["http://foo_bar/", `http://${long(254)}`] },
      ["readinessEndpoints[0]", "readinessEndpoints[1]"],
    ],
    [{ readinessEndpoints: [`http://${long(253)}/a`, "http://[2001:db8::1]", "http://192.0.2.1"] }, []],
  ])("limits names as the network operator does", (proxy, names) => {
    const found = violations(proxyInvalid, [withProxy({ httpProxy: URL, ...proxy })]);
    expect(found.map(({ path }) => path)).toEqual(names.map((name) => `${PROXY}.${name}`));
  });

  describe("of a Proxy object", () => {
    const type = "kubernetes:config.openshift.io/v1:Proxy";
    const object = (spec: Properties, suffix = "") =>
      resource(type + suffix, "cluster", { metadata: { name: "cluster" }, spec });

    it.each<[Properties, string]>([
      [{ httpProxy: "https://proxy.example.com:3128" }, "spec.httpProxy"],
      [{ httpProxy: URL, httpsProxy: "proxy.example.com" }, "spec.httpsProxy"],
      [{ httpProxy: URL, noProxy: "*,.example.com" }, "spec.noProxy"],
      [{ noProxy: ".example.com" }, "spec"],
      [{ httpProxy: "", httpsProxy: "", noProxy: ".example.com" }, "spec"],
      [{ httpProxy: URL, readinessEndpoints: ["https://a.b"] }, "spec.readinessEndpoints[0]"],
      [{ httpProxy: URL, readinessEndpoints: ["http://a.b", "a.b"] }, "spec.readinessEndpoints[1]"],
    ])("reports %j", (spec, path) => {
      expect(violations(proxyInvalid, [object(spec)])).toMatchObject([{ path }]);
    });

    it.each<Properties>([
      {},
      { trustedCA: { name: "" } },
      { httpProxy: "", httpsProxy: "", noProxy: "" },
      { httpProxy: URL, httpsProxy: URL, noProxy: "*", trustedCA: { name: "user-ca-bundle" } },
      { httpProxy: URL, trustedCA: { name: "user-ca-bundle" }, readinessEndpoints: ["https://a.b"] },
      { httpProxy: URL, trustedCA: { name: UNKNOWN }, readinessEndpoints: ["https://a.b", "http://a.b"] },
    ])("accepts %j", (spec) => {
      expect(violations(proxyInvalid, [object(spec)])).toEqual([]);
    });

    it("reports that noProxy without a proxy has no effect", () => {
      expect(linesOf(violations(proxyInvalid, [object({ noProxy: ".example.com" })]))).toBe(
        "violated spec | sets neither httpProxy nor httpsProxy, so noProxy has no effect | write one of the two, or leave the proxy out",
      );
      for (const spec of [
        { httpsProxy: URL, noProxy: "a.b" },
        { noProxy: UNKNOWN },
        { noProxy: "" },
      ] as Properties[])
        expect(violations(proxyInvalid, [object(spec)])).toEqual([]);
    });

    it("reports unknown readiness endpoints as unknown, and does not require certificates in a patch", () => {
      const unsaid = object({ httpProxy: URL, readinessEndpoints: [UNKNOWN] });
      expect(unknowns(proxyInvalid, [unsaid])).toMatchObject([{ path: "spec.readinessEndpoints[0]" }]);
      const patch = object({ httpProxy: URL, readinessEndpoints: ["https://a.b"] }, "Patch");
      expect(violations(proxyInvalid, [patch])).toEqual([]);
    });

    it("does not require a proxy URL in a patch, and reports an unknown one as unknown", () => {
      expect(violations(proxyInvalid, [object({ noProxy: ".example.com" }, "Patch")])).toEqual([]);
      const pending = object({ httpProxy: UNKNOWN, noProxy: ".example.com" });
      expect(violations(proxyInvalid, [pending])).toEqual([]);
      expect(unknowns(proxyInvalid, [pending])).toMatchObject([{ path: "spec.httpProxy" }]);
    });
  });

  it("reports unknown settings as unknown, judges known settings next to them, and shows no credentials", () => {
    const secret = "ftp://user:hunter2@proxy.example.com:3128";
    const cluster = withProxy({ httpProxy: UNKNOWN, httpsProxy: secret, noProxy: "a,user:hunter2@b" });
    expect(unknowns(proxyInvalid, [cluster])).toMatchObject([{ path: `${PROXY}.httpProxy` }]);
    const found = violations(proxyInvalid, [cluster]);
    expect(found.map(({ path }) => path)).toEqual([`${PROXY}.httpsProxy`, `${PROXY}.noProxy`]);
    expect(found.flatMap(describeFinding).join("\n")).not.toContain("hunter2");
  });
});

describe("proxy-api-bypass", () => {
  it.each([
    ["my-kubernetes.example.com", "contains the word kubernetes"],
    ["172.31.0.0/16", "is the service network"],
    ["172.20.0.0/16", "covers 172.20.0.1"],
  ])("reports the entry %s, which %s", (entry, words) => {
    const proxy = { httpsProxy: URL, noProxy: `.example.org,${entry}` };
    expect(linesOf(violations(proxyApiBypass, [withProxy(proxy, open)]))).toBe(
      `violated ${PROXY}.noProxy | the noProxy entry ${entry} ${words}, so nodes reach the API server without the proxy | remove the entry if nodes need the proxy to reach the API server`,
    );
  });

  it("reports all such entries at once", () => {
    const proxy = { httpsProxy: URL, noProxy: "172.31.0.0/16,.example.org,10.132.0.0/14" };
    expect(linesOf(violations(proxyApiBypass, [withProxy(proxy, open)]))).toBe(
      `violated ${PROXY}.noProxy | the noProxy entry 172.31.0.0/16 is the service network, the noProxy entry 10.132.0.0/14 is the cluster network, so nodes reach the API server without the proxy | remove these entries if nodes need the proxy to reach the API server`,
    );
  });

  it("accepts other entries, proxies for HTTP only and private clusters", () => {
    const entry = "172.31.0.0/16";
    const fine = [
      withProxy({ httpsProxy: URL, noProxy: ".example.org" }, open),
      withProxy({ httpProxy: URL, noProxy: entry }, open),
      withProxy({ httpsProxy: URL, noProxy: entry }),
      withProxy({ httpsProxy: URL }, open),
    ];
    for (const cluster of fine) expect(violations(proxyApiBypass, [cluster])).toEqual([]);
  });

  const byNodePort = (nodePort: Properties) => ({
    platform: { type: "Agent", agent: { agentNamespace: "agents" } },
    services: [
      {
        service: "APIServer",
        servicePublishingStrategy: { type: "NodePort", nodePort: { port: 30643, ...nodePort } },
      },
      ...["OAuthServer", "Konnectivity", "Ignition"].map((service) => ({
        service,
        servicePublishingStrategy: { type: "Route" },
      })),
    ],
  });

  it.each([
    ["api.tenant-a.lab.example.com", ".lab.example.com"],
    ["10.9.0.5", "10.9.0.0/16"],
    ["2001:db8:9::5", "2001:db8:9::/48"],
  ])(
    "reports that nodes reach the node port at %s without the proxy because of the entry %s",
    (address, entry) => {
      const cluster = withProxy(
        { httpsProxy: URL, noProxy: `.example.org,${entry}` },
        byNodePort({ address }),
      );
      expect(linesOf(violations(proxyApiBypass, [cluster]))).toContain(
        `the noProxy entry ${entry} covers ${address}, so`,
      );
      const other = withProxy(
        { httpsProxy: URL, noProxy: ".example.org,10.8.0.0/16" },
        byNodePort({ address }),
      );
      expect(judge(proxyApiBypass, [other])).toEqual([]);
    },
  );

  it("does not know it for a node port whose address is not known yet", () => {
    const cluster = withProxy({ httpsProxy: URL, noProxy: "10.9.0.0/16" }, byNodePort({ address: UNKNOWN }));
    expect(violations(proxyApiBypass, [cluster])).toEqual([]);
    expect(unknowns(proxyApiBypass, [cluster])).toMatchObject([
      {
        path: `${PROXY}.noProxy`,
        message: expect.stringContaining("whether nodes reach the API server without the proxy") as string,
      },
    ]);
  });

  it("does not know it while it is not known who can reach the API server", () => {
    const platform: Properties = { type: "AWS", aws: { region: "us-east-1", endpointAccess: UNKNOWN } };
    const found = (noProxy: string) =>
      judge(proxyApiBypass, [withProxy({ httpsProxy: URL, noProxy }, { platform })]);
    expect(found("172.31.0.0/16")).toMatchObject([{ status: Status.Unknown, path: `${PROXY}.noProxy` }]);
    expect(found(".example.org")).toEqual([]);
  });

  it("reports an unknown noProxy as unknown", () => {
    const cluster = withProxy({ httpsProxy: URL, noProxy: UNKNOWN }, open);
    expect(unknowns(proxyApiBypass, [cluster])).toMatchObject([{ path: `${PROXY}.noProxy` }]);
  });
});

describe("proxy-trusted-ca", () => {
  const cluster = withProxy({ httpProxy: URL, trustedCA: { name: "proxy-ca" } });
  const bundle = (namespace: PropertyValue, data: PropertyValue) =>
    resource("kubernetes:core/v1:ConfigMap", "bundle", { metadata: { name: "proxy-ca", namespace }, data });

  it("reports a ConfigMap in another namespace", () => {
    const found = (namespace: PropertyValue, object = cluster) => {
      const map = bundle(namespace, {});
      const all = violations(proxyTrustedCa, [object, map]);
      for (const { resource } of all) expect(resource).toBe(object.origin);
      return linesOf(all);
    };
    expect(found("openshift-config")).toBe(
      `violated ${PROXY}.trustedCA.name | ConfigMap proxy-ca is in namespace openshift-config, and HyperShift looks for it in clusters | write ConfigMap bundle into namespace clusters`,
    );
    expect(found(null)).toContain("ConfigMap proxy-ca is in namespace default, and HyperShift");
    const additional = hostedCluster({ additionalTrustBundle: { name: "proxy-ca" } });
    expect(found("openshift-config", additional)).toContain("violated spec.additionalTrustBundle.name |");
  });

  it("judges the ConfigMap of the right namespace if there are two of a name, and ignores an empty name", () => {
    const maps = [
      bundle("openshift-config", {}),
      bundle("clusters", { "ca-bundle.crt": certificate }),
      { ...bundle("clusters", {}), properties: { metadata: { name: "other", namespace: "clusters" } } },
    ];
    for (const judged of [maps, [...maps].reverse()]) {
      expect(violations(proxyTrustedCa, [cluster, ...judged])).toEqual([]);
      expect(unknowns(proxyTrustedCa, [cluster, ...judged])).toEqual([]);
    }
    const unnamed = withProxy({ httpProxy: URL, trustedCA: { name: "" } });
    expect(judge(proxyTrustedCa, [unnamed, ...maps])).toEqual([]);
  });

  it.each<[PropertyValue, string]>([
    [{ "ca.crt": "x" }, "missing | write the certificates under ca-bundle.crt"],
    [
      { "ca-bundle.crt": "x" },
      "contains no certificate | write PEM: -----BEGIN CERTIFICATE----- and its lines",
    ],
    [{ "ca-bundle.crt": 5 }, "is not a string | write certificates in PEM form"],
    [{}, "missing | write the certificates under ca-bundle.crt"],
    [null, "missing | write the certificates under ca-bundle.crt"],
    [[], "missing | write the certificates under ca-bundle.crt"],
  ])("reports %j: %s", (data, said) => {
    const map = bundle("clusters", data);
    const found = violations(proxyTrustedCa, [cluster, map]);
    expect(linesOf(found)).toBe(`violated data["ca-bundle.crt"] | ${said}`);
    expect(found[0]?.resource).toBe(map.origin);
  });

  describe("with the label config.openshift.io/inject-trusted-cabundle", () => {
    const labelled = (labels: PropertyValue, data: PropertyValue, namespace = "clusters") =>
      resource("kubernetes:core/v1:ConfigMap", "bundle", {
        metadata: { name: "proxy-ca", namespace, labels },
        data,
      });
    const injected = { "config.openshift.io/inject-trusted-cabundle": "true" };
    const additional = hostedCluster({ additionalTrustBundle: { name: "proxy-ca" } });

    it.each<PropertyValue>([null, {}, { "ca-bundle.crt": "x" }, { "ca-bundle.crt": certificate }])(
      "does not know the certificates, whatever is written: %j",
      (data) => {
        for (const one of [cluster, additional])
          expect(judge(proxyTrustedCa, [one, labelled(injected, data)])).toMatchObject([
            { status: Status.Unknown, path: 'data["ca-bundle.crt"]' },
          ]);
      },
    );

    it("judges what is written if the label has another value", () => {
      const other = { "config.openshift.io/inject-trusted-cabundle": "false" };
      expect(violations(proxyTrustedCa, [cluster, labelled(other, null)])).toHaveLength(1);
      expect(judge(proxyTrustedCa, [cluster, labelled(other, { "ca-bundle.crt": certificate })])).toEqual([]);
    });

    it("still reports that it is in another namespace", () => {
      expect(
        violations(proxyTrustedCa, [cluster, labelled(injected, null, "openshift-config")]),
      ).toMatchObject([{ path: `${PROXY}.trustedCA.name` }]);
    });

    it.each<PropertyValue>([UNKNOWN, { "config.openshift.io/inject-trusted-cabundle": UNKNOWN }])(
      "does not know whether certificates are missing if the label is not known yet: %j",
      (labels) => {
        expect(judge(proxyTrustedCa, [cluster, labelled(labels, null)])).toMatchObject([
          { status: Status.Unknown, path: "metadata.labels" },
        ]);
        expect(judge(proxyTrustedCa, [cluster, labelled(labels, { "ca-bundle.crt": certificate })])).toEqual(
          [],
        );
      },
    );
  });

  it("reports a missing ConfigMap, and unknown names and data, as unknown", () => {
    const path = `${PROXY}.trustedCA.name`;
    expect(unknowns(proxyTrustedCa, [cluster])).toMatchObject([
      { path, message: `HostedCluster tenant-a: ${path}, ConfigMap proxy-ca is not in this stack` },
    ]);
    for (const [namespace, data] of [
      ["clusters", UNKNOWN],
      [UNKNOWN, UNKNOWN],
      ["clusters", { "ca-bundle.crt": UNKNOWN }],
    ] as const)
      expect(unknowns(proxyTrustedCa, [cluster, bundle(namespace, data)])).toMatchObject([
        { path: 'data["ca-bundle.crt"]' },
      ]);
    const hidden = {
      ...resource("kubernetes:core/v1:ConfigMap", "bundle", { metadata: { name: UNKNOWN } }),
      secrets: ["metadata.name"],
    };
    expect(judge(proxyTrustedCa, [cluster, hidden])).toMatchObject([
      { status: Status.Secret, resource: hidden.origin, path: "metadata.name" },
    ]);
    const unsaid = withProxy({ httpProxy: URL, trustedCA: { name: UNKNOWN } });
    expect(unknowns(proxyTrustedCa, [unsaid])).toHaveLength(1);
    expect(violations(proxyTrustedCa, [unsaid, withProxy({ httpProxy: URL })])).toEqual([]);
  });
});

describe("proxy-no-compute-nodes", () => {
  const cluster = withProxy({ httpProxy: URL });

  it("reports a cluster whose NodePools have no node", () => {
    const said = `violated ${PROXY} | the cluster's NodePools have no nodes, and without a node the control plane cannot reach the proxy: requests of control-plane-operator, oauth-openshift, openshift-apiserver, ingress-operator fail | keep at least one compute node`;
    expect(linesOf(violations(proxyNoComputeNodes, [cluster, pool({ replicas: 0 })]))).toBe(said);
    const scaled = pool({ autoScaling: { min: 0, max: 3 } });
    expect(linesOf(violations(proxyNoComputeNodes, [cluster, scaled]))).toBe(said);
  });

  it("accepts a pool with a node, a cluster without pools, and a cluster without a proxy", () => {
    expect(violations(proxyNoComputeNodes, [cluster, pool({ replicas: 1 })])).toEqual([]);
    expect(violations(proxyNoComputeNodes, [cluster, pool({ autoScaling: { min: 1, max: 3 } })])).toEqual([]);
    expect(violations(proxyNoComputeNodes, [cluster])).toEqual([]);
    expect(violations(proxyNoComputeNodes, [hostedCluster(), pool({ replicas: 0 })])).toEqual([]);
  });

  it("reports an unknown size as unknown", () => {
    expect(violations(proxyNoComputeNodes, [cluster, pool({ replicas: UNKNOWN })])).toEqual([]);
    expect(unknowns(proxyNoComputeNodes, [cluster, pool({ replicas: UNKNOWN })])).toMatchObject([
      {
        path: "spec.replicas",
        message: "NodePool workers: spec.replicas, how many nodes it creates",
      },
    ]);
    const empty = pool({ replicas: 0 }, "empty");
    const [pending, some] = [pool({ replicas: UNKNOWN }), pool({ replicas: 1 }, "some")];
    expect(judge(proxyNoComputeNodes, [cluster, empty, pending])).toHaveLength(1);
    expect(judge(proxyNoComputeNodes, [cluster, empty, pending, some])).toEqual([]);
  });

  it("reports an unknown proxy as unknown, and pools whose cluster name is secret as secret", () => {
    const maybe = hostedCluster({ configuration: { proxy: UNKNOWN } });
    expect(violations(proxyNoComputeNodes, [maybe, pool({ replicas: 0 })])).toEqual([]);
    expect(unknowns(proxyNoComputeNodes, [maybe, pool({ replicas: 0 })])).toMatchObject([{ path: PROXY }]);
    const hidden = { ...pool({ clusterName: UNKNOWN }), secrets: ["spec.clusterName"] };
    expect(judge(proxyNoComputeNodes, [cluster, pool({ replicas: 0 }), hidden])).toMatchObject([
      { status: Status.Secret, path: "spec.clusterName" },
    ]);
  });
});

describe("proxy-no-proxy-missing", () => {
  const kubeVirt = hostedCluster({
    platform: { type: "KubeVirt" },
    services: services({ APIServer: "LoadBalancer" }),
  });
  const attached = (attachDefaultNetwork: boolean) =>
    pool({
      replicas: 2,
      platform: { kubevirt: { attachDefaultNetwork, additionalNetworks: [{ name: "a/b" }] } },
    });
  const management = (noProxy?: PropertyValue, httpProxy: PropertyValue = URL) =>
    resource("kubernetes:config.openshift.io/v1:Proxy", "cluster", {
      metadata: { name: "cluster" },
      spec: { httpProxy, ...(noProxy !== undefined && { noProxy }) },
    });
  const found = (proxy: ReturnType<typeof management>, isDefaultAttached = false) =>
    violations(proxyNoProxyMissing, [kubeVirt, attached(isDefaultAttached), proxy]);

  it("M11 reports a secondary network that the management cluster's noProxy does not contain", () => {
    for (const proxy of [
      management(),
      management(".example.com,10.9.0.0/16"),
      management(undefined, UNKNOWN),
    ])
      expect([linesOf(found(proxy)), found(proxy)[0]?.resource]).toEqual([
        "violated spec.noProxy | 10.0.0.0/16, the secondary network of clusters/tenant-a, is not in it: the control plane connects to its nodes through the proxy | append 10.0.0.0/16; this rolls the nodes of the management cluster | 10.0.0.1",
        proxy.origin,
      ]);
  });

  it.each([
    ["10.0.0.0/17", "10.0.128.0/17 of 10.0.0.0/16, the", "10.0.128.1"],
    ["10.0.0.0/17,10.0.192.0/18,10.0.128.1", "10.0.128.0/32, 10.0.128.2/31, 10.0.128.4/30", "10.0.160.1"],
    ["10.0.0.1:443", "10.0.0.0/16, the", "10.0.0.1"],
  ])(
    "M11 names the rest, and an address in it, of a network that %s contains in part",
    (text, words, witness) => {
      const [finding, ...others] = found(management(text));
      expect(others).toEqual([]);
      expect(finding?.message).toMatch(words);
      expect(finding).toMatchObject({
        witness,
        fix: expect.stringMatching(/^append 10.0.0.0.16;/) as string,
      });
    },
  );

  it("M11 accepts a covered network, no proxy at all, and machines with the default network", () => {
    expect(found(management("10.0.0.0/8"))).toEqual([]);
    expect(found(management("*"))).toEqual([]);
    expect(found(management("10.0.0.0/17, .example.com,10.0.128.0/17"))).toEqual([]);
    expect(found(management(undefined, ""))).toEqual([]);
    expect(found(management(), true)).toEqual([]);
    expect(found(management(5))).toEqual([]);
    const named = (name?: string) => ({
      ...management(),
      properties: { metadata: { ...(name !== undefined && { name }) }, spec: { httpsProxy: URL } },
    });
    expect(found(named("another"))).toEqual([]);
    expect(found(named())).toHaveLength(1);
    const onAws = [hostedCluster(), attached(false), management()];
    expect(violations(proxyNoProxyMissing, onAws)).toEqual([]);
  });

  it("M11 checks the Proxy of the cluster's own management cluster, by its folder", () => {
    const at = (folder: string, one: Resource): Resource => ({
      ...one,
      origin: { file: `${folder}/a.yaml`, line: 1 },
    });
    const cluster = [at("stage/clusters", kubeVirt), at("stage/clusters", attached(false))];
    const holds = management("10.0.0.0/16");
    const lacks = management("10.9.0.0/16");
    expect(violations(proxyNoProxyMissing, [...cluster, at("stage", holds), at("prod", lacks)])).toEqual([]);
    expect(violations(proxyNoProxyMissing, [...cluster, at("stage", lacks), at("prod", holds)])).toHaveLength(
      1,
    );
    // A single Proxy, or one of several at the same distance, is checked wherever it is.
    expect(violations(proxyNoProxyMissing, [...cluster, at("prod", lacks)])).toHaveLength(1);
    expect(violations(proxyNoProxyMissing, [...cluster, at("test", lacks), at("prod", lacks)])).toHaveLength(
      2,
    );
  });

  it("M11 ignores a Proxy of another provider, such as that of the hosted cluster itself", () => {
    const by = (provider: string, one: Resource, stack = "dev"): Resource => ({
      ...one,
      provider: `urn:pulumi:${stack}::test::pulumi:providers:kubernetes::${provider}`,
    });
    const cluster = [by("management", kubeVirt), by("management", attached(false))];
    const lacks = management("10.9.0.0/16");
    expect(violations(proxyNoProxyMissing, [...cluster, by("management", lacks)])).toHaveLength(1);
    expect(violations(proxyNoProxyMissing, [...cluster, by("hosted", lacks)])).toEqual([]);
    // The stack of a platform can name the same management cluster differently.
    expect(violations(proxyNoProxyMissing, [...cluster, by("platform", lacks, "base")])).toHaveLength(1);
    expect(violations(proxyNoProxyMissing, [...cluster, lacks])).toHaveLength(1);
  });

  it("M11 reports an unknown noProxy as unknown", () => {
    const judged = [kubeVirt, attached(false), management(UNKNOWN)];
    expect(violations(proxyNoProxyMissing, judged)).toEqual([]);
    const message = "Proxy cluster: spec.noProxy, whether it contains the secondary network";
    expect(unknowns(proxyNoProxyMissing, judged)).toMatchObject([{ path: "spec.noProxy", message }]);
    const unsaid = hostedCluster({
      platform: { type: "KubeVirt" },
      networking: networking("10.0.0.0/16", { machineNetwork: UNKNOWN }),
    });
    expect(unknowns(proxyNoProxyMissing, [unsaid, attached(false), management()])).toMatchObject([
      { path: "spec.noProxy", message },
    ]);
  });

  it("M11 reports NodePools whose cluster name is secret, if the management cluster has a proxy", () => {
    const hidden = { ...pool({ clusterName: UNKNOWN }), secrets: ["spec.clusterName"] };
    expect(judge(proxyNoProxyMissing, [kubeVirt, hidden, management()])).toMatchObject([
      { status: Status.Secret, path: "spec.clusterName" },
    ]);
    expect(judge(proxyNoProxyMissing, [kubeVirt, hidden, management(undefined, "")])).toEqual([]);
    expect(judge(proxyNoProxyMissing, [kubeVirt, hidden])).toEqual([]);
  });

  it("reports a cluster with a proxy and no machine network", () => {
    const bare = { networking: { ...networking("10.0.0.0/16"), machineNetwork: null } };
    const path = "spec.networking.machineNetwork";
    const found = (proxy: Properties) =>
      linesOf(judge(proxyNoProxyMissing, [withProxy({ httpProxy: URL, ...proxy }, bare)]));
    const missing = `violated ${path} | missing: HyperShift reads the nodes' range for noProxy from it; without it, nodes connect to each other through the proxy | write the machine network, or its range into noProxy`;
    for (const proxy of [{}, { noProxy: "" }, { noProxy: ".example.com,10.0.0.1" }] as Properties[])
      expect(found(proxy)).toBe(missing);
    for (const noProxy of ["10.0.0.0/16", ".example.com,10.0.0.0/16", "*"])
      expect(found({ noProxy })).toBe("");
    expect(
      unknowns(proxyNoProxyMissing, [withProxy({ httpProxy: URL, noProxy: UNKNOWN }, bare)]),
    ).toMatchObject([{ path }]);
    expect(judge(proxyNoProxyMissing, [hostedCluster(bare)])).toEqual([]);
    expect(violations(proxyNoProxyMissing, [withProxy({ httpProxy: URL })])).toEqual([]);
    const unsaid: Properties = {
      networking: networking("10.0.0.0/16", { machineNetwork: UNKNOWN }),
    };
    expect(unknowns(proxyNoProxyMissing, [withProxy({ httpProxy: URL }, unsaid)])).toMatchObject([{ path }]);
  });
});

describe("proxy-dns-blocked", () => {
  const cluster = withProxy({ httpProxy: URL });
  const dns = { ...tcp(53, "0.0.0.0/0"), protocol: "udp" };
  const hosts = (...egress: Properties[]) => group("hosts", [], { egress });

  it("M8 reports control-plane hosts that can reach DNS only by TCP", () => {
    const asking = [cluster, hosts(tcp(443, "0.0.0.0/0"), tcp(53, "0.0.0.0/0"))];
    expect(violations(proxyDnsBlocked, asking)).toMatchObject([
      {
        path: "egress",
        message:
          "no rule lets control-plane hosts of clusters/tenant-a reach DNS servers at UDP 53, whatever the addresses. Control-plane components resolve names. The cluster has a proxy, which resolves no names for it",
      },
    ]);
  });

  it("M8 does not judge workers, or flows other than DNS", () => {
    const workers = group("workers", [], { egress: [], tags: tags("workers") });
    expect(violations(proxyDnsBlocked, [cluster, workers])).toEqual([]);
    expect(violations(proxyDnsBlocked, [cluster, hosts(dns, tcp(53, "0.0.0.0/0"))])).toEqual([]);
  });

  it("M8 accepts hosts that reach DNS by UDP and TCP, clusters without a proxy, and hosts without a group", () => {
    expect(violations(proxyDnsBlocked, [cluster, hosts(dns, tcp(53, "0.0.0.0/0"))])).toEqual([]);
    expect(violations(proxyDnsBlocked, [hostedCluster(), hosts()])).toEqual([]);
    expect(violations(proxyDnsBlocked, [cluster])).toEqual([]);
  });

  it("M8 reports rules with unknown addresses as unknown", () => {
    const unsaid: Properties = { ...dns, cidrBlocks: UNKNOWN };
    const judged = [cluster, hosts(tcp(53, "0.0.0.0/0"), unsaid)];
    expect(violations(proxyDnsBlocked, judged)).toEqual([]);
    expect(unknowns(proxyDnsBlocked, judged).length).toBeGreaterThan(0);
  });
});
