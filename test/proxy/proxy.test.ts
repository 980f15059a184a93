import { normalizeTopology } from "../../src/topology/normalizeTopology";
import { effectiveNoProxy, noProxyFaults } from "../../src/proxy/noProxy";
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

const problems = (faults: readonly { problem: string }[]) => faults.map(({ problem }) => problem);

describe("M8 URLs of proxies", () => {
  const http = (value: PropertyValue) => problems(proxyUrlFaults("httpProxy", { path: "httpProxy", value }));
  const https = (value: PropertyValue) =>
    problems(proxyUrlFaults("httpsProxy", { path: "httpsProxy", value }));

  it.each<[PropertyValue]>([
    ["http://proxy.example.com:3128"],
    ["http://proxy.example.com:3128/"],
    ["http://proxy"],
    ["http://192.0.2.1:80"],
    ["http://[2001:db8::1]:3128"],
    ["http://me:p%40ss@proxy.example.com:3128"],
    [UNKNOWN],
    [null],
  ])("%p is one", (value) => expect(http(value)).toEqual([]));

  it("that for HTTPS may be either", () => {
    expect(https("https://proxy.example.com:3129")).toEqual([]);
    expect(https("http://proxy.example.com:3129")).toEqual([]);
  });

  it.each<[PropertyValue, RegExp]>([
    ["", /is empty/],
    [3128, /is not a string/],
    ["proxy.example.com:3128", /has no scheme/],
    ["https://proxy.example.com:3128", /has a scheme that httpProxy does not take/],
    ["ftp://proxy.example.com", /has a scheme/],
    ["http://proxy.example.com:99999", /is not a URL with a host and a port/],
    ["http://proxy.example.com:0", /port 0/],
    ["http://proxy.example.com:", /no port behind the colon/],
    ["http://", /is not a URL with a host/],
    ["http://pro xy:3128", /has spaces/],
    ["http://proxy_1.example.com:3128", /has no valid host name/],
    ["http://proxy.example.com:3128/path", /has something behind host and port/],
    ["http://proxy.example.com:3128?x=1", /has something behind host and port/],
  ])("%p is none", (value, problem) => expect(http(value)).toEqual([expect.stringMatching(problem)]));

  it("no fault shows any part of one", () => {
    const secret = "hunter2";
    const wrong = [
      `ftp://me:${secret}@x`,
      `http://me:${secret}@`,
      `${secret}`,
      `http://me:${secret}@x:1/y?${secret}`,
    ];
    const faults = wrong.flatMap((value) => proxyUrlFaults("httpProxy", { path: "httpProxy", value }));
    expect(faults.length).toBeGreaterThanOrEqual(wrong.length);
    expect(JSON.stringify(faults)).not.toContain(secret);
  });
});

describe("M8 entries that bypass the proxy", () => {
  const faults = (value: PropertyValue) => noProxyFaults({ path: "noProxy", value });

  it.each<[PropertyValue]>([
    [["example.com", ".example.com", "10.0.0.1", "2001:db8::1", "10.0.0.0/8", "2001:db8::/32", "localhost"]],
    [["*"]],
    ["*"],
    ["example.com, 10.0.0.0/8 ,.svc"],
    [[UNKNOWN, "example.com"]],
    [UNKNOWN],
    [null],
    [[]],
  ])("%p are right", (value) => expect(faults(value)).toEqual([]));

  it.each<[PropertyValue, string, RegExp]>([
    [["*", "example.com"], "noProxy[0]", /\* stands among other entries/],
    [["*.example.com"], "noProxy[0]", /has an asterisk/],
    [["a,b"], "noProxy[0]", /has a comma/],
    [["https://example.com"], "noProxy[0]", /is a URL/],
    [["example.com:443"], "noProxy[0]", /has a port/],
    [["10.0.0.1/8"], "noProxy[0]", /has host bits/],
    [["Example.com"], "noProxy[0]", /has capital letters/],
    [["under_score.example.com"], "noProxy[0]", /is not a domain/],
    [[""], "noProxy[0]", /is not a domain/],
    [[5], "noProxy[0]", /is not a string/],
    [{ a: "b" }, "noProxy", /is not a list/],
    ["example.com,10.0.0.1/8", "noProxy", /has host bits/],
    [["http://me:hunter2@x"], "noProxy[0]", /^is a URL with credentials$/],
  ])("%p are wrong", (value, path, problem) => {
    expect(faults(value)).toEqual([
      expect.objectContaining({ path, problem: expect.stringMatching(problem) as string }),
    ]);
  });
});

describe("M8 what HyperShift computes", () => {
  const computed = (platform: string, region?: string, machineNetwork = "10.0.0.0/16") => {
    const { topology } = normalizeTopology({
      name: "a",
      platform,
      machineNetwork: [{ cidr: machineNetwork }],
    });
    return effectiveNoProxy(topology!, [".example.com", "localhost"], { region });
  };

  it("the instances' domain of us-east-1 is another one than elsewhere", () => {
    expect(computed("AWS", "us-east-1").nodes).toContain(".ec2.internal");
    expect(computed("AWS", "eu-west-1").nodes).toContain(".eu-west-1.compute.internal");
    expect(computed("AWS").nodes.join()).not.toContain(".internal");
  });

  it("metadata addresses bypass it on AWS and Azure", () => {
    expect(computed("Azure").nodes).toContain("169.254.169.254");
    expect(computed("None").nodes).not.toContain("169.254.169.254");
  });

  it("sidecars have .hypershift.local where nodes have .local", () => {
    const { nodes, sidecars } = computed("None");
    expect(nodes).toContain(".local");
    expect(sidecars).not.toContain(".local");
    expect(sidecars).toContain(".hypershift.local");
  });

  it("sidecars in other Azure clouds than the public one reach its wire server without the proxy", () => {
    const { topology } = normalizeTopology({ name: "a", platform: "Azure" });
    const sidecars = (azureCloud?: AzureCloud) => effectiveNoProxy(topology!, [], { azureCloud }).sidecars;
    expect(sidecars(AzureCloud.AzureUSGovernmentCloud)).toContain("168.63.129.16");
    expect(sidecars()).not.toContain("168.63.129.16");
  });

  it("nothing stands in it twice", () => {
    const { nodes } = computed("AWS");
    expect(new Set(nodes).size).toBe(nodes.length);
  });
});

describe("M8 the trust bundle", () => {
  const faults = (value: PropertyValue) => problems(trustBundleFaults({ path: "trustedCa", value }));

  it("is certificates in PEM form", () => {
    expect(faults(certificate)).toEqual([]);
    expect(faults(`# our proxy\n${certificate}\n\n${certificate}\n`)).toEqual([]);
    expect(faults(UNKNOWN)).toEqual([]);
  });

  it.each<[PropertyValue, RegExp]>([
    ["", /holds no certificate/],
    ["nonsense", /holds no certificate/],
    [`${certificate}\n-----BEGIN CERTIFICATE-----\nabc`, /is not whole/],
    ["-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----", /certificate 1 cannot be read/],
    [
      `${certificate}\n-----BEGIN EC PRIVATE KEY-----\nAA\n-----END EC PRIVATE KEY-----`,
      /holds a private key/,
    ],
    [5, /is not a string/],
  ])("%p is none", (value, problem) => expect(faults(value)).toEqual([expect.stringMatching(problem)]));

  it("certificates that do not hold now are warned about", () => {
    const warnings = (date: string) =>
      problems(trustBundleWarnings({ path: "trustedCa", value: certificate }, new Date(date)));
    expect(warnings("2030-01-01")).toEqual([]);
    expect(warnings("2019-01-01")).toEqual(["certificate 1 is valid from 2020-01-01 only"]);
    expect(warnings("2130-01-01")).toEqual(["certificate 1 expired on 2120-01-01"]);
  });

  it.each<[PropertyValue, number]>([
    ["corporate-ca", 0],
    ["corporate.ca", 0],
    [UNKNOWN, 0],
    [null, 0],
    ["Corporate CA", 1],
    ["a..b", 1],
  ])("the name %p has %d faults", (value, count) => {
    const reference: Place = { path: "trustedCaConfigMap", value };
    expect(trustBundleReferenceFaults(reference, { path: "trustedCa", value: null })).toHaveLength(count);
  });
});
