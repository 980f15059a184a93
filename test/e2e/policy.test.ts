import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  AuthorizeSecurityGroupIngressCommand,
  CreateSecurityGroupCommand,
  CreateVpcCommand,
} from "@aws-sdk/client-ec2";
import * as aws from "@pulumi/aws";
import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { LocalWorkspace, type PolicyEvent, type PulumiFn } from "@pulumi/pulumi/automation";

import { outcomeOf, type Outcome } from "../../local/quickstart/outcome";
import { CALL_LOG_VARIABLE, readCalls, type LoggedCall } from "../../local/plugins/provider/callLog";
import { repositoryRoot } from "../../local/repository";
import type { Session } from "../../local/session";
import { Direction, EndpointAccess, Platform, Protocol } from "../../src";
import { HostedControlPlaneSecurityGroups } from "../../src/securityGroups/component/hostedControlPlaneSecurityGroups";
import { PrivateEndpointSecurityGroup } from "../../src/securityGroups/component/privateEndpointSecurityGroup";
import { Role } from "../../src/requirements/vocabulary";
import { sharedSession } from "./sharedSession";
import { storedResources } from "./storedState";
import { World } from "./world";

/** The policy pack on the real engine: refusals occur at preview, before a provider creates anything. */
let session: Session;
let folder: string;
let stacks = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "policy-"));
  session = await sharedSession(join(folder, "state"));
}, 900_000);
afterAll(async () => {
  await session.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Run extends Outcome {
  /** Resources in the state afterwards. */
  resources: number;
  /** Provider calls that would have created something. */
  created: number;
}

interface Settings {
  /** The pack's own configuration, JSON keyed by policy. */
  config?: Record<string, unknown>;
  env?: Record<string, string>;
}

async function preview(program: PulumiFn, { config, env = {} }: Settings = {}): Promise<Run> {
  const name = `policy-${++stacks}`;
  const log = join(folder, `${name}.calls`);
  const stack = await LocalWorkspace.createStack(
    { stackName: "test", projectName: name, program },
    {
      envVars: { ...session.env, [CALL_LOG_VARIABLE]: log, ...env },
      pulumiCommand: session.pulumiCommand,
    },
  );
  const policyPacks = [join(repositoryRoot, "policy")];
  const file = join(folder, `${name}.json`);
  if (config) writeFileSync(file, JSON.stringify(config));
  const outcome = await outcomeOf((onEvent) =>
    stack.preview({ policyPacks, onEvent, ...(config && { policyPackConfigs: [file] }) }),
  );
  return {
    ...outcome,
    resources: (await storedResources(session, name, stack)).length,
    created: created(log).length,
  };
}

function created(log: string): LoggedCall[] {
  if (!existsSync(log)) return [];
  return readCalls(log).filter(({ method, preview: isPreview }) => method === "Create" && !isPreview);
}

const named = (events: readonly PolicyEvent[], rule: string) =>
  events.filter(({ policyName }) => policyName === rule).map(({ message }) => message);

const tags = { "hypershift-network/cluster": "tenant-a", "hypershift-network/role": "control-plane" };

function hostedCluster(
  machines = "10.0.0.0/16",
  opts: pulumi.CustomResourceOptions = {},
  name = "tenant-a",
): void {
  const args = {
    apiVersion: "hypershift.openshift.io/v1beta1",
    kind: "HostedCluster",
    metadata: { name: "tenant-a", namespace: "default" },
    spec: {
      release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" },
      pullSecret: { name: "pull-secret" },
      etcd: {
        managementType: "Managed",
        managed: { storage: { type: "PersistentVolume", persistentVolume: { size: "8Gi" } } },
      },
      platform: { type: "None" },
      networking: {
        networkType: "OVNKubernetes",
        machineNetwork: [{ cidr: machines }],
        clusterNetwork: [{ cidr: "10.132.0.0/14" }],
        serviceNetwork: [{ cidr: "172.31.0.0/16" }],
      },
      services: ["APIServer", "OAuthServer", "Konnectivity", "Ignition"].map((service) => ({
        service,
        servicePublishingStrategy: { type: service === "APIServer" ? "LoadBalancer" : "Route" },
      })),
    },
  };
  new kubernetes.apiextensions.CustomResource(name, args, opts);
}

function splitRules(group: aws.ec2.SecurityGroup, ports: number[], cidrIpv4 = "10.0.0.0/16"): void {
  for (const port of ports)
    new aws.vpc.SecurityGroupIngressRule(`in-${port}`, {
      securityGroupId: group.id,
      ipProtocol: "tcp",
      fromPort: port,
      toPort: port,
      cidrIpv4,
    });
}

const DOCUMENTED_EGRESS = [
  ["tcp", 443],
  ["tcp", 6443],
  ["tcp", 53],
  ["udp", 53],
] as const;

function hosts(args: Partial<aws.ec2.SecurityGroupArgs> = {}): aws.ec2.SecurityGroup {
  const vpc = new aws.ec2.Vpc("management", { cidrBlock: "10.1.0.0/16" });
  const group = new aws.ec2.SecurityGroup("hosts", { vpcId: vpc.id, description: "hosts", tags, ...args });
  for (const [ipProtocol, port] of DOCUMENTED_EGRESS)
    new aws.vpc.SecurityGroupEgressRule(`out-${ipProtocol}-${port}`, {
      securityGroupId: group.id,
      ipProtocol,
      fromPort: port,
      toPort: port,
      cidrIpv4: "0.0.0.0/0",
    });
  return group;
}

function egressFirewall(egress: pulumi.Input<unknown>[]): void {
  new kubernetes.apiextensions.CustomResource("firewall", {
    apiVersion: "k8s.ovn.org/v1",
    kind: "EgressFirewall",
    metadata: { name: "default", namespace: "default" },
    spec: { egress },
  });
}

const denyEverything = { type: "Deny", to: { cidrSelector: "0.0.0.0/0" } };

const within = 240_000;

describe("the policy pack on the real engine", () => {
  it(
    "M22 refuses colliding ranges and missing and public ports at preview, and nothing is created",
    async () => {
      const run = await preview(() => {
        hostedCluster("100.64.0.0/16");
        const group = hosts({
          ingress: [{ protocol: "tcp", fromPort: 8091, toPort: 8091, cidrBlocks: ["0.0.0.0/0"] }],
        });
        splitRules(group, [443], "100.64.0.0/17");
        return Promise.resolve();
      });
      expect(run.succeeded).toBe(false);
      expect(named(run.refusals, "cidr-reserved-overlap").join()).toContain("100.64.0.0/16");
      expect(named(run.refusals, "port-missing").join("\n")).toContain(
        "100.64.128.1 -> control-plane hosts, TCP 443",
      );
      expect(named(run.refusals, "port-missing").join("\n")).toContain(
        "100.64.0.1 -> control-plane hosts, TCP 6443",
      );
      expect(named(run.refusals, "port-public")).toHaveLength(1);
      expect(run).toMatchObject({ resources: 0, created: 0 });
    },
    within,
  );

  it(
    "joins groups and rules of a stack that was never deployed, without missing or unknown ports",
    async () => {
      const run = await preview(() => {
        hostedCluster();
        splitRules(hosts(), [443, 6443]);
        return Promise.resolve();
      });
      expect(run.refusals).toEqual([]);
      expect(run.remarks).toEqual([]);
      expect(run.succeeded).toBe(true);
    },
    within,
  );

  it(
    "M5 refuses a rule for half of the workers with an address of the other half, and warns about excess",
    async () => {
      const run = await preview(() => {
        hostedCluster();
        const group = hosts();
        splitRules(group, [443]);
        splitRules(group, [6443], "10.0.0.0/17");
        new aws.vpc.SecurityGroupIngressRule("wide", {
          securityGroupId: group.id,
          ipProtocol: "tcp",
          fromPort: 2022,
          toPort: 2023,
          cidrIpv4: "10.0.0.0/16",
        });
        return Promise.resolve();
      });
      const [missing, ...others] = named(run.refusals, "port-missing");
      expect(others).toEqual([]);
      expect(missing).toContain("no rule lets workers 10.0.128.0/17 reach control-plane hosts of");
      expect(missing).toContain("for example  10.0.128.1 -> control-plane hosts, TCP 6443");
      expect(missing).toContain("fix          allow TCP 6443 from 10.0.128.0/17;");
      const [excess, ...more] = named(run.remarks, "port-excess");
      expect(more).toEqual([]);
      expect(excess).toContain("lets TCP 2022-2023 from 10.0.0.0/16 reach control-plane hosts of");
      expect(excess).toContain("fix          remove the rule;");
      expect(named(run.refusals, "port-excess")).toEqual([]);
      expect(run).toMatchObject({ succeeded: false, resources: 0, created: 0 });
    },
    within,
  );

  it(
    "M5 does not report additional rules and callers of components as excess",
    async () => {
      const run = await preview(() => {
        const vpc = new aws.ec2.Vpc("management", { cidrBlock: "10.1.0.0/16" });
        const topology = {
          name: "tenant-a",
          platform: Platform.AWS,
          endpointAccess: EndpointAccess.Private,
          release: "4.20",
          machineNetwork: [{ cidr: "10.0.0.0/16" }],
          managementClusterCidrs: ["10.1.0.0/16"],
          externalClientCidrs: ["203.0.113.0/24"],
        };
        new HostedControlPlaneSecurityGroups("tenant-a", {
          vpcId: vpc.id,
          topology,
          additionalRules: {
            bastion: {
              role: Role.Workers,
              direction: Direction.Ingress,
              protocol: Protocol.Tcp,
              fromPort: 2022,
              cidr: "10.9.0.0/16",
              description: "Operators reach nodes",
            },
          },
        });
        new PrivateEndpointSecurityGroup("endpoint", {
          vpcId: vpc.id,
          topology,
          callers: { office: { cidr: "10.64.0.0/12" } },
        });
        return Promise.resolve();
      });
      expect(run.refusals).toEqual([]);
      expect(named(run.remarks, "port-excess")).toEqual([]);
      expect(run.succeeded).toBe(true);
    },
    within,
  );

  it(
    "M15 refuses an egress firewall that denies everything at preview, with an example of a denied packet",
    async () => {
      const run = await preview(() => {
        hostedCluster();
        egressFirewall([denyEverything, { type: "Allow", to: { cidrSelector: "198.51.100.0/24" } }]);
        return Promise.resolve();
      });
      expect(run.succeeded).toBe(false);
      const [refusal, ...others] = named(run.refusals, "egress-firewall-api-blocked");
      expect(refusal).toContain("denies 0.0.0.0/0, which includes the API server at 172.20.0.1 port 6443");
      expect(refusal).toContain("pods of the namespace -> 172.20.0.1, TCP 6443");
      expect(others).toEqual([]);
      expect(named(run.remarks, "egress-firewall-shadowed").join()).toContain(
        "spec.egress[1]: is never reached: spec.egress[0] before it matches all of its traffic",
      );
      expect(run).toMatchObject({ resources: 0, created: 0 });
    },
    within,
  );

  it(
    "M15 allows an egress firewall that keeps the API server reachable, and warns about rules without effect",
    async () => {
      const run = await preview(() => {
        hostedCluster();
        egressFirewall([
          { type: "Allow", to: { cidrSelector: "172.20.0.1/32" }, ports: [{ port: 6443, protocol: "TCP" }] },
          { type: "Deny", to: { cidrSelector: "198.51.100.0/24" } },
          { type: "Allow", to: { cidrSelector: "198.51.100.7/32" } },
          denyEverything,
        ]);
        return Promise.resolve();
      });
      expect(run.refusals).toEqual([]);
      expect(run.succeeded).toBe(true);
      expect(named(run.remarks, "egress-firewall-shadowed").sort()).toEqual([
        expect.stringContaining("spec.egress[1]: changes nothing"),
        expect.stringContaining("spec.egress[2]: is never reached: spec.egress[1] before it"),
      ]);
    },
    within,
  );

  it(
    "M14 refuses network policies that cut off operators of a hosted control plane",
    async () => {
      const run = await preview(() => {
        hostedCluster();
        new kubernetes.networking.v1.NetworkPolicy("deny", {
          metadata: { name: "deny", namespace: "default-tenant-a" },
          spec: { podSelector: {}, policyTypes: ["Ingress"] },
        });
        return Promise.resolve();
      });
      expect(run.succeeded).toBe(false);
      expect(named(run.refusals, "isolation-flow-blocked").join()).toContain(
        "ControlPlaneIsolation creates it as isolation-operators",
      );
    },
    within,
  );

  it.each([
    ["two providers as clusters of two management clusters", ["east", "west"], []],
    ["one provider as a conflict", ["east", "east"], ["hosted-cluster-name", "hosted-cluster-name"]],
  ])(
    "treats HostedClusters with one name that are created by %s",
    async (_, names, refused) => {
      const run = await preview(() => {
        const providers = new Map(
          [...new Set(names)].map((name) => [
            name,
            new kubernetes.Provider(name, { kubeconfig: session.env.KUBECONFIG! }),
          ]),
        );
        names.forEach((name, at) =>
          hostedCluster(undefined, { provider: providers.get(name)! }, `tenant-${at}`),
        );
        return Promise.resolve();
      });
      expect(run.refusals.map(({ policyName }) => policyName)).toEqual(refused);
    },
    within,
  );

  it(
    "does not report mixed rules for a group that the program only reads",
    async () => {
      const { ec2 } = new World(session);
      const vpc = await ec2.send(new CreateVpcCommand({ CidrBlock: "10.1.0.0/16" }));
      const made = await ec2.send(
        new CreateSecurityGroupCommand({
          GroupName: "theirs",
          Description: "theirs",
          VpcId: vpc.Vpc!.VpcId!,
        }),
      );
      await ec2.send(
        new AuthorizeSecurityGroupIngressCommand({
          GroupId: made.GroupId,
          IpPermissions: [
            { IpProtocol: "tcp", FromPort: 22, ToPort: 22, IpRanges: [{ CidrIp: "10.1.0.0/16" }] },
          ],
        }),
      );
      const run = await preview(() => {
        hostedCluster();
        splitRules(aws.ec2.SecurityGroup.get("theirs", made.GroupId!), [443]);
        return Promise.resolve();
      });
      expect([run.errors, named(run.refusals, "security-group-mixed-rules")]).toEqual([[], []]);
    },
    within,
  );

  it(
    "reports unknown values in one line, and still judges the others",
    async () => {
      const run = await preview(() => {
        hostedCluster();
        const group = hosts();
        splitRules(group, [443], "10.0.0.0/17");
        new aws.vpc.SecurityGroupIngressRule("later", {
          securityGroupId: group.id,
          ipProtocol: "tcp",
          fromPort: 6443,
          toPort: 6443,
          cidrIpv4: pulumi.interpolate`${group.ownerId}/32`,
        });
        return Promise.resolve();
      });
      expect(named(run.refusals, "port-missing").join()).toContain("TCP 443");
      const [line, ...others] = named(run.remarks, "unknown-values");
      expect(others).toEqual([]);
      expect(line).toContain(
        "1 value was unknown and not judged: SecurityGroupIngressRule later: cidrIpv4\n",
      );
    },
    within,
  );

  it(
    "M22 reports a rule that a component disables as missing, and names its key",
    async () => {
      const run = await preview(() => {
        const key = "control-plane/egress/dns-udp";
        const vpc = new aws.ec2.Vpc("management", { cidrBlock: "10.1.0.0/16" });
        new HostedControlPlaneSecurityGroups("tenant-a", {
          vpcId: vpc.id,
          disabledRules: [key],
          topology: {
            name: "tenant-a",
            platform: Platform.AWS,
            release: "4.20",
            machineNetwork: [{ cidr: "10.0.0.0/16" }],
            managementClusterCidrs: ["10.1.0.0/16"],
            dnsServerCidrs: ["10.1.0.2/32"],
          },
        });
        return Promise.resolve();
      });
      const [finding, ...others] = named(run.refusals, "port-missing");
      expect(others).toEqual([]);
      expect(finding).toContain("control-plane hosts -> 10.1.0.2, UDP 53");
      expect(finding).toContain(
        "HostedControlPlaneSecurityGroups tenant-a leaves it out: its disabledRules contain control-plane/egress/dns-udp",
      );
    },
    within,
  );

  it("corrects a CIDR block only at level remediate, and then the stack passes", async () => {
    const program = () => {
      egressFirewall([{ type: "Deny", to: { cidrSelector: "172.16.1.1" } }]);
      return Promise.resolve();
    };
    const asIs = await preview(program);
    expect(named(asIs.refusals, "cidr-invalid")).toHaveLength(1);
    const mended = await preview(program, { config: { "cidr-invalid": "remediate" } });
    expect(named(mended.refusals, "cidr-invalid")).toEqual([]);
    expect([mended.errors, mended.succeeded]).toEqual([[], true]);
  }, 300_000);

  it(
    "applies configured levels, and refuses mistakes in the configuration",
    async () => {
      const file = join(folder, "hypershift-network.yaml");
      writeFileSync(file, "hostedClusters:\n  - name: tenant-a\n    infrastructureCidr: []\nrule: {}\n");
      const run = await preview(
        () => {
          hostedCluster("100.64.0.0/16");
          return Promise.resolve();
        },
        {
          config: {
            "cidr-reserved-overlap": "advisory",
            "port-publik": "advisory",
            topology: { configFile: file },
          },
        },
      );
      expect(named(run.refusals, "cidr-reserved-overlap")).toEqual([]);
      expect(named(run.remarks, "cidr-reserved-overlap").length).toBeGreaterThan(0);
      const [names, faults] = named(run.refusals, "topology");
      expect(names).toMatch(/port-publik +no such rule: did you mean port-public\?/);
      expect(faults).toContain("2 faults");
      expect(faults).toContain("did you mean infrastructureCidrs?");
      expect(faults).toContain("did you mean rules?");
    },
    within,
  );

  it(
    "reads clusters and levels from the configuration file that the environment names",
    async () => {
      const file = join(folder, "levels.yaml");
      writeFileSync(
        file,
        [
          "hostedClusters:",
          "  - name: tenant-a",
          "    infrastructureCidrs: [{ name: corporate, cidr: 100.88.0.0/16 }]",
          "rules: { all: advisory, port-public: disabled }",
        ].join("\n"),
      );
      const run = await preview(
        () => {
          hostedCluster();
          hosts({ ingress: [{ protocol: "tcp", fromPort: 8091, toPort: 8091, cidrBlocks: ["0.0.0.0/0"] }] });
          return Promise.resolve();
        },
        { env: { HYPERSHIFT_NETWORK_CONFIG: file } },
      );
      expect(run.refusals).toEqual([]);
      expect(run.succeeded).toBe(true);
      expect(named(run.remarks, "cidr-reserved-overlap").join()).toContain(
        "infrastructure network corporate",
      );
      expect(named(run.remarks, "port-missing").length).toBeGreaterThan(0);
      expect(named(run.remarks, "port-public")).toEqual([]);
    },
    within,
  );
});
