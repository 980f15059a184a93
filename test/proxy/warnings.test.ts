import { hasNoPort, judgeProxy, type ProxyInputs, withoutProxy } from "../../src/proxy/settings";
import { ignitionStub, proxyFragment, wholeProxy } from "../../src/proxy/fragment";
import { type ProxySurroundings, proxyUrlWarnings, proxyWarnings } from "../../src/proxy/warnings";
import { UNKNOWN, type PropertyValue } from "../../src/resources/resource";
import { normalizeTopology } from "../../src/topology/normalizeTopology";
import { certificate } from "../objects/certificate";

const URL = "http://proxy.example.com:3128";
const cluster = {
  name: "tenant-a",
  platform: "AWS",
  release: "4.20",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  dnsServerCidrs: ["10.0.0.2/32"],
};
const withProxy = (proxy: PropertyValue): PropertyValue => ({ ...cluster, proxy });
const lines = (findings: readonly { path: string; problem: string; remedy: string }[]) =>
  findings.map(({ path, problem, remedy }) => `${path} ${problem}: ${remedy}`);

describe("M8 the settings of a proxy", () => {
  const twice = (name: string) => `${name} is also in topology.proxy.${name}: write it in one place`;

  it.each<[string, Omit<ProxyInputs, "topology">, PropertyValue, string[]]>([
    ["are set together with the topology", { httpProxy: URL, httpsProxy: URL, noProxy: ["a.b"] }, null, []],
    ["or in it", {}, { httpProxy: URL, httpsProxy: URL, noProxy: "a.b" }, []],
    ["each in one of the two", { httpProxy: URL }, { httpsProxy: URL, noProxy: "a.b" }, []],
    [
      "not in both",
      { httpProxy: URL, noProxy: ["a.b"] },
      { httpProxy: URL, httpsProxy: URL, noProxy: "c.d" },
      [twice("httpProxy"), twice("noProxy")],
    ],
    [
      "are one at least",
      {},
      null,
      ["httpProxy missing, and so is httpsProxy: there is no proxy: write at least one of the two"],
    ],
    ["only for HTTPS", { httpsProxy: URL }, null, []],
    ["may be known later", { httpProxy: UNKNOWN, noProxy: UNKNOWN }, { httpsProxy: UNKNOWN }, []],
    [
      "are judged where they stand",
      { httpProxy: "x" },
      { httpsProxy: "socks5://x", noProxy: "*.a.b" },
      [
        "httpProxy has no scheme: begin it with http://",
        "topology.proxy.httpsProxy has a scheme that httpsProxy does not accept: begin it with http:// or https://",
        'topology.proxy.noProxy "*.a.b" has an asterisk, which matches nothing: write .a.b',
      ],
    ],
    [
      "have one bundle",
      { httpProxy: URL, trustedCa: "x", trustedCaConfigMap: "y" },
      null,
      [
        "trustedCa contains no certificate: write PEM: -----BEGIN CERTIFICATE----- and its lines",
        "trustedCaConfigMap is set together with trustedCa: write one of the two",
      ],
    ],
  ])("%s", (_, inputs, proxy, faults) => {
    expect(lines(judgeProxy({ topology: withProxy(proxy), ...inputs }).faults)).toEqual(faults);
  });

  it("are not judged a second time with the topology, whatever that is", () => {
    expect(withoutProxy(withProxy(5))).toEqual(cluster);
    for (const topology of [UNKNOWN, undefined, "tenant-a"] as const)
      expect(withoutProxy(topology)).toBe(topology);
  });
});

describe("M8 what works, but probably not as meant", () => {
  const both = { httpProxy: URL, httpsProxy: URL };
  const said = (
    inputs: Omit<ProxyInputs, "topology">,
    around: Partial<Omit<ProxySurroundings, "topology">> = {},
    more: Record<string, PropertyValue> = {},
  ) => {
    const { topology } = normalizeTopology({ ...cluster, ...more });
    const surroundings = { topology: topology!, now: new Date("2026-01-01"), ...around };
    return lines(proxyWarnings({ topology: { ...cluster, ...more }, ...inputs }, surroundings));
  };
  const plain = (path: string) =>
    `${path} contains credentials in plain text: read it from the configuration with requireSecret, or wrap it in pulumi.secret`;
  const noPort = (path: string) => `${path} has no port, so clients use the scheme's default: write the port`;
  const unsent =
    "httpsProxy contains credentials, which the nodes' own proxy for the API server does not send: let the proxy accept connections to the API server without credentials, or let noProxy cover the API server";
  const noTls =
    "httpsProxy begins with https://, but the nodes' own proxy for the API server speaks to it without TLS: let the proxy accept both on that port, or let noProxy cover the API server";
  const noHttps =
    "httpsProxy missing: HTTPS bypasses the proxy, and nodes reach the API server directly: write the proxy for HTTPS, which may be the same URL";
  const bypass = (path: string, entry: string) =>
    `${path} the entry ${entry} covers the API server, so nodes reach it without the proxy: remove the entry if nodes need the proxy to reach the API server`;
  const secure = { httpProxy: "http://me:a@p", httpsProxy: "https://me:a@p" };

  it.each<[string, () => string[], string[]]>([
    ["nothing", () => said(both), []],
    ["compute nodes", () => said(both, { computeNodes: 1 }), []],
    [
      "no compute nodes",
      () => said(both, { computeNodes: 0 }),
      [
        "computeNodes without a compute node, the control plane cannot reach the proxy: requests of control-plane-operator, oauth-openshift, openshift-apiserver, ingress-operator fail: keep at least one compute node",
      ],
    ],
    [
      "no DNS",
      () => said(both, {}, { dnsServerCidrs: [] }),
      [
        "topology.dnsServerCidrs missing: clients of a proxy need DNS, and no input states where port 53 must be open for TCP and UDP: write the CIDR blocks of the DNS servers",
      ],
    ],
    ["DNS that is not known", () => said(both, {}, { dnsServerCidrs: UNKNOWN }), []],
    ["no proxy for HTTPS", () => said({ httpProxy: URL }), [noHttps]],
    ["one that is not known yet", () => said({ httpProxy: URL, httpsProxy: UNKNOWN }), []],
    ["one in the topology", () => said({ httpProxy: URL }, {}, { proxy: { httpsProxy: URL } }), []],
    [
      "URLs with credentials and without ports, by HTTPS",
      () => said(secure),
      [plain("httpProxy"), noPort("httpProxy"), plain("httpsProxy"), noPort("httpsProxy"), unsent, noTls],
    ],
    [
      "the same where nodes go past the proxy",
      () => said({ ...secure, noProxy: ["*"] }),
      [
        plain("httpProxy"),
        noPort("httpProxy"),
        plain("httpsProxy"),
        noPort("httpsProxy"),
        bypass("noProxy", "*"),
      ],
    ],
    [
      "an entry in the topology",
      () => said({}, {}, { proxy: { ...both, noProxy: "kubernetes" } }),
      [bypass("topology.proxy.noProxy", "kubernetes")],
    ],
    [
      "an entry for the API server's host",
      () => said({ ...both, noProxy: [".example.org"] }, { apiServerHost: "api.example.org" }),
      [bypass("noProxy", ".example.org")],
    ],
    [
      "several such entries",
      () => said({ ...both, noProxy: [".example.org", "kubernetes"] }, { apiServerHost: "api.example.org" }),
      [
        "noProxy the entries .example.org and kubernetes cover the API server, so nodes reach it without the proxy: remove them if nodes need the proxy to reach the API server",
      ],
    ],
    [
      "a certificate that has expired",
      () => said({ ...both, trustedCa: certificate }, { now: new Date("2121-01-01") }),
      ["trustedCa certificate 1 expired on 2120-01-01: remove it, or renew it"],
    ],
    ["an entry for another host", () => said({ ...both, noProxy: [".example.org"] }), []],
  ])("%s", (_, found, expected) => expect(found()).toEqual(expected));

  it("a secret holds credentials, but not in plain text", () => {
    const place = { path: "httpsProxy", value: "http://me:a@p:1" };
    expect(lines(proxyUrlWarnings(place))).toEqual([plain("httpsProxy")]);
    expect(lines(proxyUrlWarnings(place, { isSecret: true }))).toEqual([]);
    expect(lines(proxyUrlWarnings(place, { isSecret: true, isTakenByNodes: true }))).toEqual([unsent]);
  });

  it.each<[unknown, boolean]>([
    ["http://proxy", true],
    ["http://me:80@proxy", true],
    ["http://proxy/", true],
    ["http://[2001:db8::1]", true],
    ["http://proxy:80", false],
    ["http://proxy:80/", false],
    ["http://[2001:db8::1]:80", false],
    ["proxy", false],
    [UNKNOWN, false],
  ])("%p names no port: %p", (url, isWithout) => expect(hasNoPort(url)).toBe(isWithout));
});

describe("M8 the proxy in objects", () => {
  it.each<[Parameters<typeof proxyFragment>[0], object]>([
    [{}, { configuration: { proxy: {} } }],
    [{ httpProxy: "", httpsProxy: null, noProxy: "", trustBundle: "" }, { configuration: { proxy: {} } }],
    [
      { httpProxy: "a", httpsProxy: "b", noProxy: "c", trustBundle: "d" },
      {
        configuration: { proxy: { httpProxy: "a", httpsProxy: "b", noProxy: "c", trustedCA: { name: "d" } } },
      },
    ],
    [
      { httpProxy: "a", trustBundle: "d", additionalTrustBundle: true },
      {
        configuration: { proxy: { httpProxy: "a", trustedCA: { name: "d" } } },
        additionalTrustBundle: { name: "d" },
      },
    ],
    [{ httpProxy: "a", additionalTrustBundle: true }, { configuration: { proxy: { httpProxy: "a" } } }],
  ])("%j", (values, fragment) => expect(proxyFragment(values)).toStrictEqual(fragment));

  it("a patch writes each setting, also an empty one", () => {
    expect(wholeProxy(proxyFragment({ httpsProxy: "b" }))).toStrictEqual({
      configuration: { proxy: { httpProxy: "", httpsProxy: "b", noProxy: "" } },
    });
  });

  it.each<[Parameters<typeof ignitionStub>[0], object]>([
    [{ httpProxy: "", httpsProxy: null, noProxy: [] }, { proxy: { noProxy: [] } }],
    [
      { httpProxy: "a", httpsProxy: "b", noProxy: ["c"], ignitionHost: "i" },
      {
        proxy: { httpProxy: "a", httpsProxy: "b", noProxy: ["c"] },
        config: { merge: [{ source: "https://i/ignition" }] },
      },
    ],
  ])("M9 the stub of %j", (inputs, ignition) => {
    expect(ignitionStub(inputs)).toStrictEqual({ ignition: { version: "3.2.0", ...ignition } });
  });
});
