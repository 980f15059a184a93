import { Cluster } from "../../src/cluster/cluster";
import { hostedClusterObject } from "../e2e/hostedCluster";
import { TYPE } from "../../src/resources/resourceTypes";
import { ec2Error, playEc2 } from "../live/ec2/ec2Account";
import { stackExport, state } from "../plan/plans";
import { PlayedCluster } from "./playedCluster";
import { call } from "./terminal";

const HOSTED_CLUSTERS = "/apis/hypershift.openshift.io/v1beta1/hostedclusters";
const POLICIES = "/apis/networking.k8s.io/v1/networkpolicies";

const played = new PlayedCluster();
const kubeconfig = "management.kubeconfig";

/** A HostedCluster with this machine network, which may overlap OVN's join subnet. */
const withMachines = (cidr: string) => {
  const { spec, ...object } = hostedClusterObject();
  return { ...object, spec: { ...spec, networking: { ...spec.networking, machineNetwork: [{ cidr }] } } };
};
const check = (...more: string[]) => call(["check", "--live", "--kubeconfig", kubeconfig, ...more]);

describe("hypershift-network check --live", () => {
  test("reports the same findings for a running cluster as for its manifests", async () => {
    const wrong = withMachines("100.64.8.0/24");
    played.served = { lists: { [HOSTED_CLUSTERS]: [wrong] } };
    const { status, out, error } = await check();
    expect([status, error]).toEqual([1, ""]);
    expect(out).toContain("  error  HostedCluster tenant-a  live: HostedCluster clusters/tenant-a\n");
    expect(out).toContain("1 resource in the cluster, 1 hosted cluster: 1 error");
    const json = async (...args: string[]) =>
      (
        JSON.parse((await call([...args, "--format", "json"])).out) as {
          findings: { rule: string; path: string }[];
        }
      ).findings;
    const found = await json("check", "--live", "--kubeconfig", kubeconfig);
    expect(found[0]).toMatchObject({
      rule: "cidr-reserved-overlap",
      resource: { live: "HostedCluster clusters/tenant-a" },
    });
    const written = await json("check", played.folder.write("a.json", JSON.stringify(wrong)));
    expect(found.map(({ rule, path }) => [rule, path])).toEqual(
      written.map(({ rule, path }) => [rule, path]),
    );
  });

  test("finds nothing in a correct cluster, and names the kinds that the cluster does not have", async () => {
    played.served = { lists: { [HOSTED_CLUSTERS]: [withMachines("10.0.0.0/16")] } };
    const { status, out } = await check("--context", "x");
    expect(status).toBe(0);
    expect(played.opened).toEqual([{ kubeconfig, context: "x" }]);
    expect(out).toContain("note  the cluster has no NodePool.hypershift.openshift.io, ");
  });

  test("findings have a location in every format, and exemptions match by the object", async () => {
    played.served = { lists: { [HOSTED_CLUSTERS]: [withMachines("100.64.8.0/24")] } };
    for (const format of ["sarif", "junit", "markdown", "github"])
      expect((await check("--format", format)).out).toContain("HostedCluster");
    const { runs } = JSON.parse((await check("--format", "sarif")).out) as {
      runs: [{ results: { locations: { physicalLocation?: { artifactLocation: { uri: string } } }[] }[] }];
    };
    for (const { locations } of runs[0].results)
      expect(locations[0]?.physicalLocation?.artifactLocation.uri).toBe(
        "live/cluster/api.example.com%3A6443/clusters/HostedCluster/tenant-a",
      );
    const config = played.folder.write(
      "c.yaml",
      "exemptions: [{ rule: cidr-reserved-overlap, resource: HostedCluster clusters/*, reason: known }]\n",
    );
    expect((await check("-c", config)).status).toBe(0);
  });

  test("finds noProxy entries that the management cluster's own proxy lacks", async () => {
    const { spec, ...object } = withMachines("192.168.10.0/24");
    const attached = { attachDefaultNetwork: false, additionalNetworks: [{ name: "shop/vlan-10" }] };
    const lists = (noProxy: string) => ({
      [HOSTED_CLUSTERS]: [{ ...object, spec: { ...spec, platform: { type: "KubeVirt" } } }],
      "/apis/hypershift.openshift.io/v1beta1/nodepools": [
        {
          apiVersion: "hypershift.openshift.io/v1beta1",
          kind: "NodePool",
          metadata: { name: "workers", namespace: "clusters" },
          spec: { clusterName: "tenant-a", platform: { type: "KubeVirt", kubevirt: attached } },
        },
      ],
      "/apis/config.openshift.io/v1/proxies": [
        {
          apiVersion: "config.openshift.io/v1",
          kind: "Proxy",
          metadata: { name: "cluster" },
          spec: { httpsProxy: "http://proxy.example.com:3128", noProxy },
        },
      ],
    });
    const found = async () => {
      const { findings } = JSON.parse((await check("--format", "json")).out) as {
        findings: { rule: string; resource: { live?: string } }[];
      };
      return findings.map(({ rule, resource }) => `${rule} ${resource.live}`);
    };
    played.served = { lists: lists("localhost") };
    expect(await found()).toContain("proxy-no-proxy-missing Proxy cluster");
    played.served = { lists: lists("192.168.10.0/24") };
    expect(await found()).not.toContain("proxy-no-proxy-missing Proxy cluster");
  });

  test("judges nothing if a permission is missing", async () => {
    played.served = { lists: { [HOSTED_CLUSTERS]: [], [POLICIES]: [] }, forbidden: [POLICIES] };
    const { status, out, error } = await check();
    expect([status, out]).toEqual([2, ""]);
    expect(error).toMatch(
      /^--live {2}the cluster denies the request: .*cannot list resource "networkpolicies": bind the role in rbac\//,
    );
  });

  test("reports a cluster with nothing to judge, one that does not answer, and an unusable kubeconfig", async () => {
    played.served = {};
    const empty = await check();
    expect([empty.status, empty.error]).toEqual([
      2,
      expect.stringContaining("found nothing to judge in any input"),
    ]);
    const away = { send: () => Promise.reject(new Error("ECONNREFUSED")) } as unknown as Cluster;
    jest.spyOn(Cluster, "open").mockResolvedValueOnce(away);
    expect(await check()).toMatchObject({
      status: 2,
      error: expect.stringContaining(
        "--live  the cluster does not answer: ECONNREFUSED: check the server",
      ) as unknown,
    });
    jest.spyOn(Cluster, "open").mockRejectedValueOnce(new Error("no such file"));
    expect(await check()).toMatchObject({
      status: 2,
      error: expect.stringContaining("the kubeconfig of the cluster cannot be used: no such file") as unknown,
    });
  });

  test("shows on a terminal what is being read", async () => {
    played.served = { lists: { [HOSTED_CLUSTERS]: [withMachines("10.0.0.0/16")] } };
    let time = 0;
    const { error } = await call(["check", "--live", "--kubeconfig", kubeconfig], {
      isWatched: true,
      now: () => (time += 2_000),
    });
    expect(error).toContain(
      "hypershift-network: reading HostedCluster.hypershift.openshift.io of the cluster ...\n",
    );
  });
});

describe("drift", () => {
  const policy = (port: number) => ({
    kind: "NetworkPolicy",
    apiVersion: "networking.k8s.io/v1",
    metadata: { name: "own", namespace: "clusters-tenant-a" },
    spec: {
      podSelector: { matchLabels: { app: "kube-apiserver" } },
      policyTypes: ["Ingress"],
      ingress: [{ ports: [{ port, protocol: "TCP" }] }],
    },
  });
  const plan = () =>
    played.folder.write("plan.json", JSON.stringify([withMachines("10.0.0.0/16"), policy(9443)]));
  const live = (command: string, ...more: string[]) =>
    call([command, ...more, "--live", "--kubeconfig", kubeconfig]);

  test("diff reports what a manual change opened, and nothing without a change", async () => {
    played.served = {
      lists: { [HOSTED_CLUSTERS]: [withMachines("10.0.0.0/16")], [POLICIES]: [policy(9443)] },
    };
    const same = await live("diff", plan(), "--fail-on", "opened");
    expect([same.status, same.out]).toEqual([0, "clusters/tenant-a: nothing opens or closes\n"]);
    played.served = { lists: { ...played.served.lists, [POLICIES]: [policy(22)] } };
    const other = await live("diff", plan(), "--fail-on", "opened");
    expect(other.status).toBe(1);
    expect(other.out).toMatch(/pods kube-apiserver from addresses.*: TCP 22 /);
    expect(other.out).toMatch(/closed\n.*TCP 9443 /);
  });

  test("diff omits what controllers write, and objects of clusters that were not read", async () => {
    const named = (name: string, port: number) => ({
      ...policy(port),
      metadata: { ...policy(port).metadata, name },
    });
    const firewall = (namespace: string) => ({
      kind: "EgressFirewall",
      apiVersion: "k8s.ovn.org/v1",
      metadata: { name: "default", namespace },
      spec: { egress: [{ type: "Deny", to: { cidrSelector: "0.0.0.0/0" } }] },
    });
    played.served = {
      lists: {
        [HOSTED_CLUSTERS]: [withMachines("10.0.0.0/16")],
        [POLICIES]: [policy(9443), named("kas", 22)],
      },
    };
    const objects = [withMachines("10.0.0.0/16"), policy(9443), firewall("shop")];
    const group = state(TYPE.securityGroup, "hosts", {
      tags: { "hypershift-network/role": "control-plane" },
    });
    const plans = [
      played.folder.write("both.json", JSON.stringify(objects)),
      played.folder.write("aws.json", stackExport([group])),
    ];
    const { status, out, error } = await live("diff", plans[0]!, "--fail-on", "opened");
    expect([status, out]).toEqual([0, "clusters/tenant-a: nothing opens or closes\n"]);
    expect(error).toContain("note  not compared, because controllers write them: 1 network policy\n");
    played.served = { lists: { [HOSTED_CLUSTERS]: [withMachines("10.0.0.0/16")] } };
    expect((await live("diff", plans[1]!)).out).toBe("clusters/tenant-a: nothing opens or closes\n");
    // HyperShift's own policies still isolate the pods.
    expect((await live("diff", plans[0]!, "--fail-on", "opened")).status).toBe(0);
    const gone = await live("diff", plans[0]!, "--fail-on", "changed");
    expect(gone.status).toBe(1);
    expect(gone.out).toMatch(/closed\n.*kube-apiserver from addresses.*TCP 9443 /);
    expect(gone.out).not.toContain("namespace shop");
  });

  test("diff compares the egress firewalls of a hosted cluster by namespace", async () => {
    const config = played.folder.write(
      "c.yaml",
      `hostedClusters: [{ name: tenant-a, platform: None, release: "4.20", machineNetwork: [{ cidr: 10.0.0.0/16 }] }]\n`,
    );
    const firewall = (namespace: string, cidrSelector: string) => ({
      kind: "EgressFirewall",
      apiVersion: "k8s.ovn.org/v1",
      metadata: { name: "default", namespace },
      spec: { egress: [{ type: "Deny", to: { cidrSelector } }] },
    });
    const FIREWALLS = "/apis/k8s.ovn.org/v1/egressfirewalls";
    const written = [firewall("shop", "192.0.2.0/24"), firewall("bank", "192.0.2.0/24")];
    const plan = played.folder.write("plan.json", JSON.stringify(written));
    played.served = { lists: { [FIREWALLS]: written } };
    const same = await live("diff", plan, "-c", config);
    expect(same.out).toBe("clusters/tenant-a: nothing opens or closes\n");
    played.served = { lists: { [FIREWALLS]: [written[0]!, firewall("bank", "192.0.2.0/25")] } };
    const { out } = await live("diff", plan, "-c", config);
    expect(out).toContain("egress of namespace bank");
    expect(out).not.toContain("shop");
    const wrong = ["shop", "bank"].map((namespace) => firewall(namespace, "192.0.2.1"));
    played.served = { lists: { [FIREWALLS]: wrong } };
    const { findings } = JSON.parse((await check("-c", config, "--format", "json")).out) as {
      findings: { rule: string; resource: { live?: string } }[];
    };
    expect(
      findings
        .filter(({ rule }) => rule === "egress-firewall-rule-invalid")
        .map(({ resource }) => resource.live),
    ).toEqual(["EgressFirewall bank/default", "EgressFirewall shop/default"]);
  });

  test("diff names the values that differ from the plan, and no secret", async () => {
    const settings = (httpProxy: string, noProxy: string) => ({
      ...withMachines("10.0.0.0/16"),
      spec: {
        ...withMachines("10.0.0.0/16").spec,
        configuration: { proxy: { httpProxy, noProxy } },
      },
    });
    const planned = settings("http://a:tiger@proxy:3128", "10.0.0.0/16");
    const plan = played.folder.write("plan.json", JSON.stringify(planned));
    played.served = { lists: { [HOSTED_CLUSTERS]: [planned] } };
    const same = await live("diff", plan, "--fail-on", "changed");
    expect([same.status, same.out]).toEqual([0, "clusters/tenant-a: nothing opens or closes\n"]);
    played.served = { lists: { [HOSTED_CLUSTERS]: [settings("http://a:lion@proxy:3128", "10.0.0.0/8")] } };
    const { status, out } = await live("diff", plan, "--fail-on", "changed");
    expect(status).toBe(1);
    expect(out).toContain("\n2 values are not as planned\n");
    expect(out).toContain(
      '  HostedCluster clusters/tenant-a  spec.configuration.proxy.noProxy: planned "10.0.0.0/16", found "10.0.0.0/8"\n',
    );
    expect(out).not.toMatch(/tiger|lion/);
    expect((await live("diff", plan, "--fail-on", "opened")).status).toBe(0);
    const json = JSON.parse((await live("diff", plan, "--format", "json")).out) as { values: object[] };
    expect(json.values).toHaveLength(2);
  });

  test("prove judges the flows of the running cluster", async () => {
    played.served = { lists: { [HOSTED_CLUSTERS]: [withMachines("10.0.0.0/16")], [POLICIES]: [policy(22)] } };
    const { status, out } = await live("prove");
    expect(status).toBe(1);
    expect(out).toMatch(
      /^clusters\/tenant-a: \d+ of \d+ documented flows proved, \d+ assumed, \d+ unknown, [1-9]\d* refuted/,
    );
  });

  test("diff accepts one plan with --live, and requires two without", async () => {
    expect((await live("diff", plan(), plan())).error).toContain("name only one plan with --live and --ec2");
    expect((await call(["diff", plan()])).error).toContain("or one plan and what is running");
  });
});

describe("hypershift-network check --ec2", () => {
  afterEach(() => jest.restoreAllMocks());
  const tags = [
    { Key: "hypershift-network/cluster", Value: "tenant-a" },
    { Key: "hypershift-network/role", Value: "control-plane" },
  ];
  const hosts = (cidr: string) => ({
    DescribeSecurityGroups: {
      SecurityGroups: [
        {
          GroupId: "sg-1",
          GroupName: "hosts",
          VpcId: "vpc-1",
          Tags: tags,
          IpPermissions: [{ IpProtocol: "tcp", FromPort: 8091, ToPort: 8091, IpRanges: [{ CidrIp: cidr }] }],
        },
      ],
    },
  });
  const config = () =>
    played.folder.write(
      "c.yaml",
      `hostedClusters: [{ name: tenant-a, platform: AWS, release: "4.20", machineNetwork: [{ cidr: 10.0.0.0/16 }] }]
rules: { all: disabled, port-public: mandatory }\n`,
    );
  const check = (...more: string[]) =>
    call(["check", "--ec2", "--region", "eu-west-1", "-c", config(), ...more]);

  test("finds a public port in an account", async () => {
    playEc2(hosts("0.0.0.0/0"));
    const { status, out, error } = await check();
    expect([status, error]).toEqual([1, ""]);
    expect(out).toContain("  error  SecurityGroup hosts  live: sg-1\n    ingress[0].cidrBlocks[0]: ");
    expect(out).toContain("1 resource in the EC2 API of eu-west-1, 1 hosted cluster: 1 error");
    playEc2(hosts("10.0.0.0/16"));
    expect((await check()).status).toBe(0);
  });

  test("judges an account together with a cluster", async () => {
    playEc2(hosts("10.0.0.0/16"));
    played.served = { lists: { [HOSTED_CLUSTERS]: [withMachines("10.0.0.0/16")] } };
    expect((await check("--live")).out).toContain(
      "2 resources in the cluster and the EC2 API of eu-west-1, 1 hosted cluster",
    );
  });

  test("exits with status 2 if an action is not allowed and a VPC does not exist", async () => {
    playEc2({ DescribeSecurityGroups: ec2Error("UnauthorizedOperation") });
    const { status, out, error } = await check("--vpc", "vpc-1, vpc-2");
    expect([status, out]).toEqual([2, ""]);
    expect(error).toContain("--ec2  the EC2 API of eu-west-1 has no VPC vpc-1: check --vpc and --region\n");
    expect(error).toContain("--ec2  the EC2 API of eu-west-1 forbids ec2:DescribeSecurityGroups: allow it");
  });

  const hostsInStack = () =>
    state(
      TYPE.securityGroup,
      "hosts",
      {
        tags: Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value])),
        ingress: [{ protocol: "tcp", fromPort: 8091, toPort: 8091, cidrBlocks: ["10.0.0.0/16"] }],
      },
      { id: "sg-1" },
    );

  test("diff reports what was opened manually", async () => {
    const plan = played.folder.write("state.json", stackExport([hostsInStack()]));
    const drift = () =>
      call(["diff", plan, "--ec2", "--region", "eu-west-1", "-c", config(), "--fail-on", "opened"]);
    playEc2(hosts("10.0.0.0/16"));
    expect(await drift()).toMatchObject({ status: 0, out: "clusters/tenant-a: nothing opens or closes\n" });
    playEc2(hosts("10.0.0.0/15"));
    const { status, out } = await drift();
    expect(status).toBe(1);
    expect(out).toContain("ingress of control-plane: TCP 8091 from 10.1.0.0/16");
  });

  test("diff omits rules of load balancer controllers, and objects of clusters", async () => {
    const [group] = hosts("10.0.0.0/16").DescribeSecurityGroups.SecurityGroups;
    const IpPermissions = [
      ...group!.IpPermissions,
      {
        IpProtocol: "tcp",
        FromPort: 31000,
        ToPort: 31000,
        IpRanges: [{ CidrIp: "0.0.0.0/0", Description: "elbv2.k8s.aws/targetGroupBinding=shared" }],
      },
    ];
    playEc2({ DescribeSecurityGroups: { SecurityGroups: [{ ...group!, IpPermissions }] } });
    const plan = played.folder.write(
      "state.json",
      stackExport([
        hostsInStack(),
        state("kubernetes:networking.k8s.io/v1:NetworkPolicy", "own", {
          metadata: { name: "own", namespace: "clusters-tenant-a" },
          spec: { podSelector: {}, policyTypes: ["Ingress"] },
        }),
        state(TYPE.route, "out", { destinationCidrBlock: "0.0.0.0/0" }),
      ]),
    );
    const { out, error } = await call(["diff", plan, "--ec2", "--region", "eu-west-1", "-c", config()]);
    expect(out).toBe("clusters/tenant-a: nothing opens or closes\n");
    expect(error).toContain(
      "note  not compared, because controllers write them: 1 rule of security groups\n",
    );
    expect(error).toContain(
      "note  not compared: how networks are connected (Route); check --ec2 judges what is there\n",
    );
  });

  test.each([
    [["--region", "eu-west-1"], "--region: add --ec2"],
    [["--ec2", "--vpc", "sg-1"], "--vpc sg-1: write ids of VPCs"],
  ])("%j is a usage error", async (args, words) => {
    expect(await call(["check", "a.yaml", ...args])).toMatchObject({
      status: 2,
      error: expect.stringContaining(words) as unknown,
    });
  });
});
