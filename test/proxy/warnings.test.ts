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
    [
      "can be set as inputs next to the topology",
      { httpProxy: URL, httpsProxy: URL, noProxy: ["a.b"] },
      null,
      [],
    ],
    ["can be set in the topology", {}, { httpProxy: URL, httpsProxy: URL, noProxy: "a.b" }, []],
    [
      "can be split between the inputs and the topology",
      { httpProxy: URL },
      { httpsProxy: URL, noProxy: "a.b" },
      [],
    ],
    [
      "are refused if set in both places",
      { httpProxy: URL, noProxy: ["a.b"] },
      { httpProxy: URL, httpsProxy: URL, noProxy: "c.d" },
      [twice("httpProxy"), twice("noProxy")],
    ],
    [
      "are refused without any proxy URL",
      {},
      null,
      ["httpProxy missing, and so is httpsProxy: there is no proxy: write at least one of the two"],
    ],
    ["can be for HTTPS only", { httpsProxy: URL }, null, []],
    ["can be unknown", { httpProxy: UNKNOWN, noProxy: UNKNOWN }, { httpsProxy: UNKNOWN }, []],
    [
      "are judged at the path where they are set",
      { httpProxy: "x" },
      { httpsProxy: "socks5://x", noProxy: "*.a.b" },
      [
        "httpProxy has no scheme: begin it with http://",
        "topology.proxy.httpsProxy has a scheme that httpsProxy does not accept: begin it with http:// or https://",
        'topology.proxy.noProxy "*.a.b" has an asterisk, which matches nothing: write .a.b',
      ],
    ],
    [
      "are refused with two trust bundles",
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

  it("are removed from a topology of any type, so that they are not judged twice", () => {
    expect(withoutProxy(withProxy(5))).toEqual(cluster);
    for (const topology of [UNKNOWN, undefined, "tenant-a"] as const)
      expect(withoutProxy(topology)).toBe(topology);
  });
});

describe("M8 warnings of a proxy for", () => {
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
  const dialled = "as a part of the address, which cannot be dialled: nodes do not reach the API server";
  const undialled = `httpsProxy contains credentials, and the nodes' own proxy for the API server takes them ${dialled}: remove them, and let the proxy accept connections to the API server without credentials, or let noProxy cover the API server`;
  const slash = `httpsProxy ends with a slash, and the nodes' own proxy for the API server takes it ${dialled}: remove the slash, or let noProxy cover the API server`;
  const ignored = "httpProxy has text after the host and port, which clients ignore: end it after the port";
  const noTls =
    "httpsProxy begins with https://, but the nodes' own proxy for the API server speaks to it without TLS: let the proxy accept both on that port, or let noProxy cover the API server";
  const noHttps =
    "httpsProxy missing: HTTPS bypasses the proxy, and nodes reach the API server directly: write the proxy for HTTPS, which may be the same URL";
  const bypass = (path: string, entry: string) =>
    `${path} the entry ${entry} covers the API server, so nodes reach it without the proxy: remove the entry if nodes need the proxy to reach the API server`;
  const secure = { httpProxy: "http://me:a@p", httpsProxy: "https://me:a@p" };

  it.each<[string, () => string[], string[]]>([
    ["complete settings (none)", () => said(both), []],
    ["one compute node (none)", () => said(both, { computeNodes: 1 }), []],
    [
      "no compute nodes",
      () => said(both, { computeNodes: 0 }),
      [
        "computeNodes without a compute node, the control plane cannot reach the proxy: requests of control-plane-operator, oauth-openshift, openshift-apiserver, ingress-operator fail: keep at least one compute node",
      ],
    ],
    [
      "no DNS servers",
      () => said(both, {}, { dnsServerCidrs: [] }),
      [
        "topology.dnsServerCidrs missing: clients of a proxy need DNS, and no input states where port 53 must be open for TCP and UDP: write the CIDR blocks of the DNS servers",
      ],
    ],
    ["unknown DNS servers (none)", () => said(both, {}, { dnsServerCidrs: UNKNOWN }), []],
    ["no proxy for HTTPS", () => said({ httpProxy: URL }), [noHttps]],
    ["an unknown proxy for HTTPS (none)", () => said({ httpProxy: URL, httpsProxy: UNKNOWN }), []],
    [
      "a proxy for HTTPS in the topology (none)",
      () => said({ httpProxy: URL }, {}, { proxy: { httpsProxy: URL } }),
      [],
    ],
    [
      "URLs with credentials and without ports, by HTTPS",
      () => said(secure),
      [plain("httpProxy"), noPort("httpProxy"), plain("httpsProxy"), noPort("httpsProxy"), noTls, undialled],
    ],
    [
      "the same URLs if nodes bypass the proxy",
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
      "a slash at the end of the URL through which nodes go",
      () => said({ ...both, httpsProxy: `${URL}/` }),
      [slash],
    ],
    [
      "a slash at the end of other URLs (none)",
      () => said({ httpProxy: `${URL}/`, httpsProxy: `${URL}/` }, {}, { endpointAccess: "Private" }),
      [],
    ],
    ["text after the port of httpProxy", () => said({ ...both, httpProxy: `${URL}/proxy.pac` }), [ignored]],
    [
      "an entry in the topology that covers the API server",
      () => said({}, {}, { proxy: { ...both, noProxy: "kubernetes" } }),
      [bypass("topology.proxy.noProxy", "kubernetes")],
    ],
    [
      "an entry for the API server's host",
      () => said({ ...both, noProxy: [".example.org"] }, { apiServerHost: "api.example.org" }),
      [bypass("noProxy", ".example.org")],
    ],
    [
      "several entries that cover the API server",
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
    ["an entry for another host (none)", () => said({ ...both, noProxy: [".example.org"] }), []],
  ])("%s", (_, found, expected) => expect(found()).toEqual(expected));

  it("credentials in a secret, which are not in plain text", () => {
    const place = { path: "httpsProxy", value: "http://me:a@p:1" };
    expect(lines(proxyUrlWarnings(place))).toEqual([plain("httpsProxy")]);
    expect(lines(proxyUrlWarnings(place, { isSecret: true }))).toEqual([]);
    expect(lines(proxyUrlWarnings(place, { isSecret: true, isTakenByNodes: true }))).toEqual([undialled]);
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

  it("a patch writes each setting, including empty ones", () => {
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
