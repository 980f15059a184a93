import * as pulumi from "@pulumi/pulumi";
import { EgressFirewallRuleType, IpsecMode, LabelSelectorOperator, TaintEffect } from "../../src";
import { givenPart } from "../../src/components/settled";
import { component, type ComponentName, componentNames, minimalArgs } from "./minimalArgs";
import { run } from "./program";

const web = { matchExpressions: [{ key: "app", operator: LabelSelectorOperator.In, values: ["web"] }] };

/** Optional inputs in addition to the minimal ones. */
const more: { readonly [Name in ComponentName]?: object } = {
  ControlPlaneIsolation: {
    additionalPolicies: {
      "allow-backup": {
        purpose: "Backups read etcd",
        pods: { matchLabels: { tier: "etcd" }, ...web },
        ingress: [{ peers: [{ pods: web, namespaces: { matchLabels: { a: "b" } } }] }],
      },
    },
    labels: { a: "b" },
    denyEgress: false,
  },
  DedicatedControlPlaneNodes: {
    additionalTaints: [{ key: "a/b", value: "c", effect: TaintEffect.NoSchedule }],
    tolerations: [{ key: "a/b", operator: "Equal", value: "c", effect: TaintEffect.NoSchedule }],
    hostSelector: { a: "b" },
  },
  EgressFirewall: {
    rules: [
      { type: EgressFirewallRuleType.Allow, cidr: "10.0.0.0/8", ports: [{ port: 80, protocol: "TCP" }] },
      { type: EgressFirewallRuleType.Allow, nodeSelector: { matchLabels: { a: "b" }, ...web } },
    ],
    apiServerCidrs: ["172.20.0.1/32"],
  },
  EgressIP: {
    namespaceSelector: { matchLabels: { env: "prod" }, ...web },
    addressesInUse: ["192.0.2.1"],
    labels: { a: "b" },
  },
  HostedClusterLandingZone: {
    leaveOut: ["ipsec"],
    tags: { a: "b" },
    egressIps: { a: { addresses: ["10.0.2.10"], namespaceSelector: {} } },
    egressFirewalls: {
      shop: { namespace: "shop", rules: [{ type: EgressFirewallRuleType.Allow, cidr: "10.0.0.0/8" }] },
    },
    multicastNamespaces: { m: "media" },
    hostedClusterKubeconfig: "{}",
  },
  HostedControlPlaneSecurityGroups: {
    peers: { workers: { securityGroupIds: { w: "sg-12345678" }, prefixLists: {}, formerKeys: { w: "z" } } },
    enabledRules: [],
    disabledRules: [],
    tags: { a: "b" },
  },
  NetworkTypeMigration: { clusterNetwork: [{ cidr: "10.128.0.0/14", hostPrefix: 23 }] },
  MulticastNamespace: { enabled: true, verificationImage: "registry.example.com/ubi8" },
  HybridOverlayNetwork: {
    hybridOverlayVXLANPort: 9898,
    windowsServers: ["2022"],
    otherNetworks: [{ name: "a", cidr: "10.77.0.0/16" }],
    clusterNetwork: ["10.128.0.0/16"],
  },
  IpsecEncryption: {
    mode: IpsecMode.Full,
    hybridOverlay: {
      defaultNetwork: {
        ovnKubernetesConfig: {
          hybridOverlayConfig: { hybridClusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix: 24 }] },
        },
      },
    },
  },
  ManagementClusterProxy: { secondaryNetworkCidrs: ["10.0.8.0/24"], currentNoProxy: "" },
  HostedClusterNetwork: { allowedCidrBlocks: ["198.51.100.0/24"], mtu: 1400, labels: { a: "b" } },
  OvnSubnetConfig: { otherNetworks: [{ name: "a", cidr: "10.77.0.0/16" }] },
  OvnSubnetVerification: { nodeSelector: { a: "b" }, timeoutSeconds: 300 },
  HostedControlPlaneNetworkAcls: {
    ruleNumbers: {},
    hostEphemeralPorts: { fromPort: 32768, toPort: 65535 },
  },
  ProxyConfig: { noProxy: ["a.b"] },
};

type Path = readonly string[];

/** The properties inside a value, of objects in lists, too. */
function properties(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inside]) => [
    ...(Array.isArray(value) ? [] : [[...path, key]]),
    ...properties(inside, [...path, key]),
  ]);
}

/** A value with something else at one place. */
function replaced<T>(value: T, [key, ...rest]: Path, by: unknown): T {
  if (key === undefined) return by as T;
  const changed = { [key]: replaced((value as Record<string, unknown>)[key], rest, by) };
  return Array.isArray(value)
    ? (Object.assign([...(value as unknown[])], changed) as T)
    : { ...value, ...changed };
}

/** What a component with these args creates, or why it creates nothing. */
async function outcome(name: ComponentName, args: object): Promise<{ created?: string; error?: string }> {
  let thrown: string | undefined;
  const { objects, failures } = await run(() => {
    try {
      component(name, "x", undefined, args);
    } catch (error) {
      thrown = (error as Error).message;
    }
  });
  const error = thrown ?? failures[0];
  return error === undefined ? { created: JSON.stringify(objects) } : { error };
}

test.each(componentNames())("%s treats null as not given, or refuses it", async (name) => {
  const args = { ...minimalArgs[name](), ...more[name] };
  expect((await outcome(name, args)).error).toBeUndefined();
  const wrong: string[] = [];
  for (const path of properties(args)) {
    const { created, error } = await outcome(name, replaced(args, path, null));
    if (error === undefined) {
      const left = await outcome(name, replaced(args, path, undefined));
      if (created !== left.created)
        wrong.push(`${path.join(".")}: ${left.error ?? "another result than left out"}`);
    } else if (!/^\w+ x: \d+ faults?\n/.test(error)) wrong.push(`${path.join(".")}: ${error}`);
  }
  expect(wrong).toEqual([]);
});

test("null in a map is no way to leave an entry out: a selector would select more", async () => {
  const selector = { matchLabels: { env: null } };
  const { error } = await outcome("EgressIP", { ...minimalArgs.EgressIP(), namespaceSelector: selector });
  expect(error).toContain("namespaceSelector.matchLabels.env");
});

test.each<[ComponentName, object]>([
  ["ControlPlaneIsolation", { additionalPolicies: { x: undefined } }],
  ["EgressAssignableNodes", { nodePools: null }],
  ["HostedControlPlaneSecurityGroups", { additionalRules: { ssh: undefined }, tags: { a: undefined } }],
])("%s ignores what is undefined or null: %j", async (name, args) => {
  const { additionalPolicies: _, ...minimal } = minimalArgs[name]() as { additionalPolicies?: object };
  const plain = await outcome(name, minimal);
  expect(plain.error).toBeUndefined();
  expect(await outcome(name, { ...minimal, ...args })).toEqual(plain);
});

test("Outputs inside inputs stay as they are", () => {
  const eventual = pulumi.output({ a: null });
  const { list, ...rest } = givenPart({
    list: [eventual, { b: null }, null],
    d: undefined,
    e: { f: null, g: eventual },
  });
  expect(list[0]).toBe(eventual);
  expect(list.slice(1)).toEqual([{}, null]);
  expect(rest.e.g).toBe(eventual);
  expect([Object.keys(rest), Object.keys(rest.e)]).toEqual([["e"], ["g"]]);
});
