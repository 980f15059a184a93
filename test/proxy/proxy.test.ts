import { normalizeTopology } from "../../src/topology/normalizeTopology";
import { type CloudPlace, effectiveNoProxy, noProxyFaults } from "../../src/proxy/noProxy";
import {
  proxyUrlFaults,
  trustBundleFaults,
  trustBundleReferenceFaults,
  trustBundleWarnings,
} from "../../src/proxy/settings";
import { AzureCloud } from "../../src/requirements/vocabulary";
import { UNKNOWN, type PropertyValue } from "../../src/resources/resource";
import type { Place } from "../../src/resources/read";
import { certificate } from "../objects/certificate";

/** Each problem with its fix. */
const said = (faults: readonly { problem: string; remedy: string }[]) =>
  faults.map(({ problem, remedy }) => `${problem}: ${remedy}`);

describe("M8 URLs of proxies", () => {
  const http = (value: PropertyValue) => said(proxyUrlFaults("httpProxy", { path: "httpProxy", value }));
  const https = (value: PropertyValue) => said(proxyUrlFaults("httpsProxy", { path: "httpsProxy", value }));

  it.each<[PropertyValue]>([
    ["http://proxy.example.com:3128"],
    ["http://proxy.example.com:3128/"],
    ["http://proxy"],
    ["http://192.0.2.1:80"],
    ["http://[2001:db8::1]:3128"],
    ["http://me:p%40ss@proxy.example.com:3128"],
    ["HTTP://Proxy-1.example.com.:3128"],
    [UNKNOWN],
    [null],
  ])("%p is valid", (value) => expect(http(value)).toEqual([]));

  it("accept http:// and https:// for httpsProxy", () => {
    expect(https("https://proxy.example.com:3129")).toEqual([]);
    expect(https("http://proxy.example.com:3129")).toEqual([]);
    expect(https("ftp://proxy.example.com:3129")).toEqual([
      "has a scheme that httpsProxy does not accept: begin it with http:// or https://",
    ]);
  });

  const noUrl = "is not a URL with a host and a port from 1 to 65535: write http://proxy.example.com:3128";
  const noPort = "has no port after the colon, or port 0: write a port from 1 to 65535";
  const noHost = "has no valid host name or address: write the proxy's host name";
  const noEnd =
    "has text after the host and port: end it after the port; credentials with / ? # or @ in them are written with %2F %3F %23 %40";

  it.each<[PropertyValue, ...string[]]>([
    ["", "is empty: leave it out, or write http://proxy.example.com:3128"],
    [3128, "is not a string: write http://proxy.example.com:3128"],
    ["proxy.example.com:3128", "has no scheme: begin it with http://"],
    ["http:/proxy.example.com:3128", "has no scheme: begin it with http://"],
    ["https://proxy.example.com:3128", "has a scheme that httpProxy does not accept: begin it with http://"],
    ["ftp://proxy.example.com", "has a scheme that httpProxy does not accept: begin it with http://"],
    ["http://proxy.example.com:99999", noUrl],
    ["http://", noUrl],
    ["http://me:a/b@proxy.example.com:3128", noUrl],
    ["http://proxy.example.com:0", noPort],
    ["http://proxy.example.com:000", noPort],
    ["http://proxy.example.com:", noPort],
    ["http://me@proxy.example.com:", noPort],
    ["http://pro xy:3128", "has spaces or line breaks: remove them"],
    ["http://proxy:3128\n", "has spaces or line breaks: remove them"],
    ["http://proxy_1.example.com:3128", noHost],
    ["http://-proxy.example.com:3128", noHost],
    ["http://proxy-.example.com:3128", noHost],
    ["http://proxy.-example:3128", noHost],
    ["http://me:1/b@proxy.example.com:3128", noEnd],
    ["http://proxy.example.com:/path", noPort],
  ])("%p is invalid", (value, ...faults) => expect(http(value)).toEqual(faults));

  it.each(["/path", "?x=1", "#x", "/?"])("end after the port: %s is refused in httpsProxy", (end) => {
    expect(https(`http://proxy.example.com:3128${end}`)).toEqual([noEnd]);
  });

  it("have faults that show no part of the URL", () => {
    const secret = "hunter2";
    const wrong = [
      `ftp://me:${secret}@x`,
      `http://me:${secret}@`,
      `${secret}`,
      `http://me:1/${secret}@x:1/y?${secret}`,
    ];
    const faults = wrong.flatMap((value) => proxyUrlFaults("httpProxy", { path: "httpProxy", value }));
    expect(faults.length).toBeGreaterThanOrEqual(wrong.length);
    expect(JSON.stringify(faults)).not.toContain(secret);
  });
});

describe("M8 entries that bypass the proxy", () => {
  const faults = (value: PropertyValue) =>
    noProxyFaults({ path: "noProxy", value }).map(
      ({ path, problem, remedy }) => `${path} ${problem}: ${remedy}`,
    );

  it.each<[PropertyValue]>([
    [["example.com", ".example.com", "10.0.0.1", "2001:db8::1", "10.0.0.0/8", "2001:db8::/32", "localhost"]],
    [["*"]],
    ["*"],
    ["example.com, 10.0.0.0/8 ,.svc"],
    [[UNKNOWN, "example.com"]],
    [UNKNOWN],
    [null],
    [[]],
    [""],
  ])("%p are valid", (value) => expect(faults(value)).toEqual([]));

  const oneOfThem = "is not a domain, address or CIDR block: write .example.com or 10.0.0.0/16";

  it.each<[PropertyValue, string]>([
    [["*", "example.com"], "noProxy[0] * is not the only entry: write only *, or leave it out"],
    ["a.b,*", "noProxy * is not the only entry: write only *, or leave it out"],
    [
      ["*.example.com"],
      'noProxy[0] "*.example.com" has an asterisk, which matches nothing: write .example.com',
    ],
    [["a,b"], 'noProxy[0] "a,b" has a comma: write each entry separately'],
    [["https://example.com"], 'noProxy[0] "https://example.com" is a URL: write only the host name'],
    [
      ["a.b", "example.com:443"],
      'noProxy[1] "example.com:443" has a port, which entries cannot have: write only the host name',
    ],
    [["10.0.0.1/8"], "noProxy[0] 10.0.0.1/8 has host bits: write 10.0.0.0/8"],
    [["a/b"], "noProxy[0] a/b is not a CIDR block: write a CIDR block such as 10.0.0.0/16"],
    [
      "10.0.0.0/8 foo",
      'noProxy "10.0.0.0/8 foo" has a space: separate entries by commas, or write each separately',
    ],
    [["a b"], 'noProxy[0] "a b" has a space: separate entries by commas, or write each separately'],
    [["Example.com"], 'noProxy[0] "Example.com" has capital letters: write example.com'],
    ...["", "under_score.example.com", "a..b", "-a", "a-", "a.", "a:b"].map(
      (entry): [PropertyValue, string] => [[entry], `noProxy[0] "${entry}" ${oneOfThem}`],
    ),
    [[5], "noProxy[0] 5 is not a string: write a domain, address or CIDR block"],
    [{ a: "b" }, "noProxy is not a list: write a list of domains, addresses and CIDR blocks"],
    ["example.com,10.0.0.1/8", "noProxy 10.0.0.1/8 has host bits: write 10.0.0.0/8"],
    ["example.com, ", "noProxy has a comma without an entry: remove the comma"],
    ["example.com,,a.b", "noProxy has a comma without an entry: remove the comma"],
    [["http://me:hunter2@x"], "noProxy[0] is a URL with credentials: write only the host name"],
  ])("%p are invalid", (value, fault) => expect(faults(value)).toEqual([fault]));
});

describe("M8 the noProxy entries that HyperShift computes", () => {
  const computed = (platform: string, place: CloudPlace = {}, ...machineNetwork: string[]) => {
    const { topology } = normalizeTopology({
      name: "a",
      platform,
      ...(machineNetwork.length > 0 && { machineNetwork: machineNetwork.map((cidr) => ({ cidr })) }),
    });
    return effectiveNoProxy(topology!, [".example.com", "localhost", "é", "Z"], place);
  };
  const { AzurePublicCloud, AzureUSGovernmentCloud } = AzureCloud;

  it.each<[string, () => ReturnType<typeof computed>, string]>([
    ["AWS", () => computed("AWS"), "169.254.169.254"],
    ["AWS in us-east-1", () => computed("AWS", { region: "us-east-1" }), ".ec2.internal 169.254.169.254"],
    [
      "AWS in another region",
      () => computed("AWS", { region: "eu-west-1" }),
      ".eu-west-1.compute.internal 169.254.169.254",
    ],
    ["Azure", () => computed("Azure", { region: "eu-west-1" }), "169.254.169.254"],
    [
      "the public Azure cloud, set explicitly",
      () => computed("Azure", { azureCloud: AzurePublicCloud }),
      "169.254.169.254",
    ],
    [
      "other Azure clouds",
      () => computed("Azure", { azureCloud: AzureUSGovernmentCloud }),
      "169.254.169.254",
    ],
    [
      "no cloud provider",
      () => computed("None", { region: "eu-west-1", azureCloud: AzureUSGovernmentCloud }),
      "",
    ],
    ["a machine network", () => computed("None", {}, "10.0.0.0/16"), "10.0.0.0/16"],
  ])("%s: nodes have the entries in Go's order, without duplicates", (_, found, own) => {
    const { nodes } = found();
    const others =
      ".cluster.local .example.com .local .svc 10.132.0.0/14 127.0.0.1 172.31.0.0/16 Z localhost é";
    const all = [...others.split(" "), ...own.split(" ").filter((entry) => entry !== "")];
    expect(nodes).toEqual(all.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
  });

  it("sidecars have .hypershift.local instead of .local, and no machine network 0.0.0.0/0", () => {
    for (const { nodes, sidecars } of [computed("None"), computed("AWS", {}, "10.0.0.0/16")])
      expect(sidecars).toEqual(nodes.map((entry) => (entry === ".local" ? ".hypershift.local" : entry)));
    const { topology } = normalizeTopology({
      name: "a",
      platform: "None",
      machineNetwork: [{ cidr: "2001:db8::/32" }, { cidr: "0.0.0.0/0" }],
      clusterNetwork: [{ cidr: "fd01::/48" }],
      serviceNetwork: [{ cidr: "fd02::/112" }],
    });
    const everywhere = effectiveNoProxy(topology!, []);
    expect(everywhere.nodes).toContain("0.0.0.0/0");
    expect(everywhere.sidecars).not.toContain("0.0.0.0/0");
  });

  it("sidecars in non-public Azure clouds reach the wire server without the proxy", () => {
    const wireServer = "168.63.129.16";
    expect(computed("Azure", { azureCloud: AzureUSGovernmentCloud }).sidecars).toContain(wireServer);
    for (const { sidecars } of [
      computed("Azure"),
      computed("Azure", { azureCloud: AzurePublicCloud }),
      computed("AWS", { azureCloud: AzureUSGovernmentCloud }),
    ])
      expect(sidecars).not.toContain(wireServer);
  });
});

describe("M8 the trust bundle", () => {
  const faults = (value: PropertyValue) => said(trustBundleFaults({ path: "trustedCa", value }));
  const pem = (kind: string, lines = "AAAA") => `-----BEGIN ${kind}-----\n${lines}\n-----END ${kind}-----\n`;

  it("accepts certificates in PEM form", () => {
    expect(faults(certificate)).toEqual([]);
    expect(faults(`# our proxy\n${certificate}\n\n${certificate}\n`)).toEqual([]);
    expect(faults(UNKNOWN)).toEqual([]);
  });

  const none = "contains no certificate: write PEM: -----BEGIN CERTIFICATE----- and its lines";
  const notWhole = "has an incomplete block or another PEM block: write only complete CERTIFICATE blocks";
  it.each<[string, PropertyValue, string]>([
    ["an empty string", "", none],
    ["other text", "nonsense", none],
    ["a certificate without its end", "-----BEGIN CERTIFICATE-----\nAAAA", none],
    [
      "an incomplete certificate after a complete one",
      `${certificate}\n-----BEGIN CERTIFICATE-----\nabc`,
      notWhole,
    ],
    ["an end without its beginning", `-----END CERTIFICATE-----\n${certificate}`, notWhole],
    ["another block before a certificate", `${pem("PUBLIC KEY")}${certificate}`, notWhole],
    ["another block after a certificate", `${certificate}\n${pem("PUBLIC KEY")}`, notWhole],
    [
      "an unreadable certificate",
      pem("CERTIFICATE"),
      "certificate 1 cannot be read: copy it again, with all its lines",
    ],
    [
      "an unreadable certificate among others",
      `${certificate}\n${pem("CERTIFICATE")}${certificate}`,
      "certificate 2 cannot be read: copy it again, with all its lines",
    ],
    ...["PRIVATE KEY", "EC PRIVATE KEY"].map((kind): [string, PropertyValue, string] => [
      kind,
      `${certificate}\n${pem(kind)}`,
      "contains a private key, which everyone who reads ConfigMaps would see: write only certificates",
    ]),
    ["a number", 5, "is not a string: write certificates in PEM form"],
  ])("refuses %s", (_, value, fault) => expect(faults(value)).toEqual([fault]));

  it("warns about certificates that are not valid now", () => {
    const both = `${certificate}\n${pem("CERTIFICATE")}${certificate}`;
    const warnings = (date: string, value: PropertyValue = certificate) =>
      said(trustBundleWarnings({ path: "trustedCa", value }, new Date(date)));
    for (const date of ["2020-01-01T00:00:00Z", "2030-01-01", "2120-01-01T00:00:00Z"])
      expect(warnings(date)).toEqual([]);
    expect(warnings("2019-12-31T23:59:59Z", both)).toEqual([
      "certificate 1 is not valid before 2020-01-01: remove it, or renew it",
      "certificate 3 is not valid before 2020-01-01: remove it, or renew it",
    ]);
    expect(warnings("2120-01-01T00:00:01Z")).toEqual([
      "certificate 1 expired on 2120-01-01: remove it, or renew it",
    ]);
    for (const value of [UNKNOWN, null, 5] as PropertyValue[])
      expect(warnings("2019-01-01", value)).toEqual([]);
  });

  const longest = `${"a.".repeat(126)}a`;
  it.each<[PropertyValue, string[]]>([
    ["corporate-ca", []],
    ["corporate.ca", []],
    [longest, []],
    [UNKNOWN, []],
    [null, []],
    ["Corporate CA", ['"Corporate CA"']],
    ["a..b", ['""']],
    ["A.B", ['"A"']],
    [`${longest}.a`, [expect.stringContaining("a.a.a") as string]],
    [5, ["5"]],
  ])("accepts %p as the name of a ConfigMap, or reports its first fault once", (value, shown) => {
    const reference: Place = { path: "trustedCaConfigMap", value };
    const faults = trustBundleReferenceFaults(reference, { path: "trustedCa", value: null });
    const why = " is not a Kubernetes name: write at most 63 lowercase letters, digits and hyphens";
    expect(said(faults).map((fault) => fault.replace(why, ""))).toEqual(shown);
  });

  it("is set by certificates or by name, not both", () => {
    const reference: Place = { path: "trustedCaConfigMap", value: "corporate-ca" };
    expect(trustBundleReferenceFaults(reference, { path: "trustedCa", value: UNKNOWN })).toEqual([
      {
        path: "trustedCaConfigMap",
        problem: "is set together with trustedCa",
        remedy: "write one of the two",
      },
    ]);
  });
});
