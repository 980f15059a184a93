import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";

import { Platform } from "../../src";
import { ProxyConfig } from "../../src/proxy/component/proxyConfig";
import { judge, previewOf } from "../../src/testing";

const URL = "http://me:hunter2@proxy.example.com:3128";
const topology = {
  name: "tenant-a",
  namespace: "clusters",
  platform: Platform.AWS,
  release: "4.20",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  dnsServerCidrs: ["10.0.0.2/32"],
};

// Components log long warnings about proxies.
beforeEach(() => void jest.spyOn(console, "warn").mockImplementation());
afterEach(() => jest.restoreAllMocks());

describe("a proxy whose URL is a secret", () => {
  it("is no finding in ProxyConfig, which rejects wrong URLs itself", async () => {
    const resources = await previewOf(() => {
      new ProxyConfig("tenant-a", {
        topology,
        region: "us-east-1",
        httpProxy: pulumi.secret(URL),
        httpsProxy: pulumi.secret(URL),
        computeNodes: 3,
        existingHostedCluster: { name: topology.name, namespace: topology.namespace },
      });
    });
    expect(resources.flatMap(({ secrets = [] }) => secrets)).not.toEqual([]);
    expect(judge(resources).violated).toEqual([]);
    expect(JSON.stringify([resources, judge(resources)])).not.toContain("hunter2");
  });

  it("is a finding in a HostedCluster", async () => {
    const resources = await previewOf(() => {
      new kubernetes.apiextensions.CustomResource("tenant-a", {
        apiVersion: "hypershift.openshift.io/v1beta1",
        kind: "HostedCluster",
        metadata: { name: "tenant-a", namespace: "clusters" },
        spec: { platform: { type: "None" }, configuration: { proxy: { httpProxy: pulumi.secret(URL) } } },
      });
    });
    const found = judge(resources).violated.filter(({ rule }) => rule === "proxy-invalid");
    expect(found).toMatchObject([
      { status: "unknown (secret)", path: "spec.configuration.proxy.httpProxy", level: "error" },
    ]);
  });
});
