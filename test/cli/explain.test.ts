import { TYPE } from "../../src/resources/resourceTypes";
import { Folder, stackExport, state, urn } from "../plan/plans";
import { call } from "./terminal";

let folder: Folder;
beforeEach(() => (folder = new Folder()));
afterEach(() => folder.remove());

const cluster = (more = "") =>
  `hostedClusters:\n  - { name: tenant-a, platform: AWS, release: "4.20", machineNetwork: [{ cidr: 10.0.0.0/16 }]${more} }\n`;
const config = (more = "") => folder.write("hypershift-network.yaml", cluster(more));

describe("explain of what commands print", () => {
  it.each([
    ["a row", "wk-out-443", "wk-out-443"],
    ["a row of DNS", "wk-out-dns-udp", "wk-out-dns-udp"],
  ])("%s needs no cluster", async (_, word, row) => {
    const { status, out } = await call(["explain", word, "--no-config"]);
    expect(status).toBe(0);
    expect(out).toContain(row);
  });

  it.each(["workers-kube-apiserver", "control-plane/ingress/router", "wk-out-443"])(
    "%s is explained with the flows of the cluster",
    async (word) => {
      const { status, out } = await call(["explain", word, "-c", config(), "--format", "json"]);
      const [one] = (JSON.parse(out) as { explanations: { rows: object[]; flows: object[] }[] }).explanations;
      expect([status, one!.rows.length > 0, one!.flows.length > 0]).toEqual([0, true, true]);
    },
  );

  it.each([["workers-nothing"], ["workers-kube-apiserver", "--no-config"]])(
    "%s without such a flow is unusable input",
    async (...args) => {
      const { status, error } = await call(["explain", ...args]);
      expect([status, error]).toEqual([2, expect.stringContaining("a row or flow of the documents")]);
    },
  );
});

describe("explain of a security group with separate rule resources", () => {
  const component = "hypershift-network:index:HostedControlPlaneSecurityGroups";
  const parent = urn(component, "tenant-a");
  const tags = {
    Name: "control plane of tenant-a",
    "hypershift-network/cluster": "tenant-a",
    "hypershift-network/role": "control-plane",
  };
  const rule = (port: number) =>
    state(TYPE.ingressRule, `tenant-a-in-${port}`, {
      securityGroupId: "sg-1",
      ipProtocol: "tcp",
      fromPort: port,
      toPort: port,
      cidrIpv4: "10.0.0.0/16",
    });
  const plan = (...more: object[]) =>
    folder.write(
      "plan.json",
      stackExport([
        { ...state(component, "tenant-a", {}), custom: false },
        state(
          TYPE.securityGroup,
          "tenant-a-control-plane",
          { name: "hosts-of-tenant-a", tags },
          { id: "sg-1", parent },
        ),
        ...more,
      ]),
    );

  it.each([
    ["its name in the program", "tenant-a-control-plane"],
    ["its name in AWS", "hosts-of-tenant-a"],
    ["its Name tag", "control plane of tenant-a"],
    ["its URN", urn(TYPE.securityGroup, "tenant-a-control-plane")],
    ["the component that created it", "tenant-a"],
  ])("finds the group by %s", async (_, word) => {
    const { status, out, error } = await call(["explain", word, plan(rule(443), rule(2022)), "-c", config()]);
    expect([status, error]).toEqual([0, ""]);
    expect(out).toContain("SecurityGroupIngressRule tenant-a-in-443, at ingress of control-plane");
    expect(out).toContain("needed by   control-plane/ingress/router");
    expect(out).toContain("excess      TCP 2022 from 10.0.0.0/16");
  });

  it("explains a component and its group of the same name once", async () => {
    const { out } = await call(["explain", "tenant-a", plan(rule(443)), "-c", config(), "--format", "json"]);
    const { explanations } = JSON.parse(out) as { explanations: { places: unknown[] }[] };
    expect(explanations.map(({ places }) => places.length)).toEqual([1]);
  });

  it("exits with status 1 if none of its rules is on the path of a documented flow", async () => {
    const { status, out } = await call(["explain", "tenant-a-control-plane", plan(), "-c", config()]);
    expect([status, out]).toEqual([
      1,
      expect.stringContaining("none of its rules is on the path of a documented flow of this cluster"),
    ]);
  });
});

describe("explain of an address", () => {
  const plan = () =>
    folder.write(
      "plan.json",
      stackExport([state(TYPE.vpc, "analytics", { cidrBlock: "10.132.0.0/16" }, { id: "vpc-1" })]),
    );

  it("names every range that contains it, where the range is stated and how it is connected", async () => {
    const dns = ", dnsServerCidrs: [10.132.7.0/24]";
    const { status, out } = await call(["explain", "10.132.7.9", plan(), "-c", config(dns)]);
    expect(status).toBe(0);
    const lines = out.replaceAll(`${folder.path}/`, "").split("\n");
    expect(lines.map((line) => line.replace(/ {2,}/g, "  ").trimEnd())).toEqual([
      "10.132.7.9, clusters/tenant-a",
      "  10.132.0.0/14  the default cluster network  by default, hostedClusters[0].clusterNetwork moves it  hypershift-network.yaml",
      "  10.132.7.0/24  the DNS servers' network  stated at hostedClusters[0].dnsServerCidrs[0]  hypershift-network.yaml",
      expect.stringMatching(
        /^ {2}10\.132\.0\.0\/16 {2}VPC analytics {2}nothing in the input connects it with the workers/,
      ),
      "",
    ]);
  });

  it("names objects that use the address, and load-balancer pools that contain it", async () => {
    const objects = [
      "{ apiVersion: k8s.ovn.org/v1, kind: EgressIP, metadata: { name: shop }, spec: { egressIPs: [10.0.0.9] } }",
      "{ apiVersion: metallb.io/v1beta1, kind: IPAddressPool, metadata: { name: lb }, spec: { addresses: [10.0.0.5-10.0.0.20] } }",
    ];
    const file = folder.write("objects.yaml", objects.join("\n---\n"));
    const { out } = await call(["explain", "10.0.0.9", file, "-c", config(), "--format", "json"]);
    const [{ ranges }] = (JSON.parse(out) as { explanations: [{ ranges: unknown[] }] }).explanations;
    expect(ranges).toMatchObject([
      { name: "the machine network" },
      { name: "an address of EgressIP shop", path: "spec.egressIPs[0]" },
      {
        name: "the load-balancer pool lb (10.0.0.5-10.0.0.20)",
        cidr: "10.0.0.8/29",
        path: "spec.addresses[0]",
      },
    ]);
  });

  it("names user-defined networks, except those beside the hosted cluster", async () => {
    const network = (name: string, namespace: string) =>
      `{ apiVersion: k8s.ovn.org/v1, kind: UserDefinedNetwork, metadata: { name: ${name}, namespace: ${namespace} },
  spec: { topology: Layer2, layer2: { role: Primary, subnets: [10.200.0.0/16], joinSubnets: [100.70.0.0/16] } } }`;
    const file = folder.write(
      "networks.yaml",
      [network("a", "shop"), network("b", "clusters-tenant-a")].join("\n---\n"),
    );
    const rangesOf = async (address: string) => {
      const { out } = await call(["explain", address, file, "-c", config(), "--format", "json"]);
      return (JSON.parse(out) as { explanations: [{ ranges: unknown[] }] }).explanations[0].ranges;
    };
    expect(await rangesOf("10.200.0.5")).toMatchObject([
      {
        name: "the user-defined network a",
        cidr: "10.200.0.0/16",
        path: "spec.layer2.subnets[0]",
        stated: true,
      },
    ]);
    expect(await rangesOf("100.70.1.1")).toMatchObject([
      { name: "the join subnet of user-defined network a" },
    ]);
  });

  it("names no property that moves a range which none does", async () => {
    const { out } = await call(["explain", "169.254.0.3", plan(), "-c", config()]);
    expect(out).toMatch(/masquerade subnet +by default {2}/);
    expect(out).not.toMatch(/name moves it/);
  });

  it("accepts blocks, and exits with status 1 if no range contains them", async () => {
    const { status, out } = await call(["explain", "192.0.2.0/24", plan(), "-c", config()]);
    expect([status, out]).toEqual([
      1,
      "192.0.2.0/24, clusters/tenant-a\n  lies in no range that the input states or implies\n",
    ]);
    const { out: json } = await call(["explain", "10.0.3.4", "-c", config(), "--format", "json"]);
    expect(JSON.parse(json)).toMatchObject({
      explanations: [{ address: "10.0.3.4", ranges: [{ name: "the machine network", stated: true }] }],
    });
  });
});

describe("explain of a service", () => {
  it.each<[word: string, requirement: string, flow: string | undefined]>([
    ["kubelet", "up-aws-worker-tcp-10250", "workers/ingress/worker-tcp-10250"],
    ["Kubelet", "up-aws-worker-tcp-10250", "workers/ingress/nodes-kubelet"],
    ["geneve", "up-aws-worker-udp-6081", "workers/ingress/nodes-geneve"],
    ["kube-apiserver", "cp-in-kas", "control-plane/ingress/kube-apiserver"],
    ["APIServer", "cp-in-kas", "workers/egress/kube-apiserver"],
    ["konnectivity", "up-nodeport-range", "control-plane/ingress/router"],
    ["oauth-openshift", "up-oauth-pod", undefined],
    ["etcd", "up-etcd-2380", "control-plane/egress/nodes-etcd-peer"],
  ])(
    "%s names its requirement, and a flow of the given cluster if one leads to it",
    async (word, requirement, flow) => {
      const anywhere = await call(["explain", word, "--no-config"]);
      expect([anywhere.status, anywhere.error]).toEqual([0, ""]);
      expect(anywhere.out).toContain(`\n${requirement}: `);
      expect(anywhere.out).not.toContain("flows of this cluster");
      const here = await call(["explain", word, "-c", config()]);
      expect([here.status, here.error]).toEqual([0, ""]);
      if (flow === undefined) expect(here.out).toBe(anywhere.out);
      else expect(here.out).toMatch(new RegExp(`\nflows of this cluster\n(?:.+\n)*  ${flow}: `));
    },
  );

  it("names what nodes need on every platform, the service's own port first", async () => {
    const azure = folder.write("azure.yaml", cluster().replace("AWS", "Azure"));
    const { out } = await call(["explain", "kubelet", "-c", azure]);
    expect(out).toContain("workers/ingress/nodes-kubelet: ");
    expect(out.match(/^\S+: .*$/gm)?.[1]).toBe(
      "up-aws-worker-tcp-10250: Kubelet, from nodes of the same cluster",
    );
  });

  it("exits with status 1 for a service that this cluster does not have", async () => {
    const { status, out } = await call(["explain", "orc", "-c", config()]);
    expect([status, out]).toEqual([1, "orc: no requirement needs it\n"]);
  });
});

describe("explain of a topic", () => {
  it.each([
    [
      "ipsec",
      [
        "Traffic from a pod on the cluster network to a pod on the host network is not encrypted.",
        "AES-GCM-16-256",
        "valid for 5 years and are replaced after 4.5",
        "From 4.7 on IPsec can be turned on while a cluster is installed",
        "UDP 500 from each other: key exchange between nodes",
        "ipsec-day-two: ",
      ],
    ],
    [
      "proxy",
      [
        "konnectivity sidecar -> konnectivity tunnel -> compute node -> proxy -> destination",
        "port 53 to the DNS servers stays open",
        "ignition.proxy of Ignition 3.2.0, in which noProxy is a list",
        "At 172.20.0.1 or fd00::1, port 6443",
        "Without a proxy haproxy listens there",
        "proxy-no-compute-nodes: ",
      ],
    ],
    [
      "selinux",
      [
        "SELinux context of kubelet: system_u:system_r:unconfined_service_t:s0",
        "SELinux context of crio: system_u:system_r:container_runtime_t:s0",
        "openshift.io/sa.scc.mcs",
        "KILL, MKNOD, SETUID, SETGID",
        "hypershift.openshift.io/pod-security-admission-label-override",
        "pod-selinux: ",
      ],
    ],
  ])("%s prints documented facts, each with its source, and the rules about it", async (word, texts) => {
    const { status, out, error } = await call(["explain", word, "--no-config"]);
    expect([status, error]).toEqual([0, ""]);
    for (const text of texts) expect(out).toContain(text);
    expect(out).toContain("  documented  ");
    const json = await call(["explain", word.toUpperCase(), "--no-config", "--format", "json"]);
    const { explanations } = JSON.parse(json.out) as { explanations: { facts: { documents: string[] }[] }[] };
    for (const { documents } of explanations[0]!.facts) {
      expect(documents.length).toBeGreaterThan(0);
      expect(new Set(documents).size).toBe(documents.length);
    }
  });
});

describe("the exit status of explain", () => {
  const everything =
    ", managementClusterCidrs: [10.1.0.0/16], workerNatCidrs: [198.51.100.7/32], controlPlaneEndpointCidrs: [192.0.2.0/24], endpointAccess: Public, loadBalancerTargets: instance";

  it("is 0 for a packet of workers behind NAT", async () => {
    const packet = "198.51.100.7 -> 10.1.0.9, TCP 443";
    const { status, out } = await call(["explain", packet, "-c", config(everything)]);
    expect(status).toBe(0);
    expect(out).toContain("1 requirement asks for it");
    expect(out).toContain("control-plane/ingress/router: ");
    expect(out).toContain("note: the source is a NAT address in front of the workers");
    expect((await call(["explain", packet.replace("443", "31443"), "-c", config(everything)])).out).toContain(
      "workers-konnectivity: Workers reach Konnectivity by Route, at ingress of control-plane",
    );
    const outside = await call(["explain", "198.51.100.7 -> 192.0.2.5, TCP 443", "-c", config(everything)]);
    expect(outside.out).toContain(
      "workers-konnectivity: Workers reach Konnectivity by Route, at load balancer or router before the control plane",
    );
  });

  it("is 1 for a packet that no requirement asks for", async () => {
    const { status, out, error } = await call([
      "explain",
      "203.0.113.9 -> 10.1.0.9, TCP 23",
      "-c",
      config(everything),
    ]);
    expect([status, error]).toEqual([1, ""]);
    expect(out).toContain("no requirement needs it");
  });

  it.each([
    ["kubelett", "did you mean kubelet?"],
    ["port-missin", "did you mean port-missing"],
    ["ipsecc", "did you mean ipsec"],
    ["apiserv", "kube-apiserver"],
    ["konnectivity-servr", "did you mean konnectivity-server"],
  ])("is 2 for an unknown word, and similar names are suggested: %s", async (word, meant) => {
    const { status, out, error } = await call(["explain", word, "--no-config"]);
    expect([status, out]).toEqual([2, ""]);
    expect(error).toContain(`${word} is not a packet`);
    expect(error).toContain(meant);
  });

  it("comes with suggested resources of the plan for an unknown word", async () => {
    const plan = folder.write(
      "plan.json",
      stackExport([state(TYPE.securityGroup, "tenant-b-workers", {}, { id: "sg-2" })]),
    );
    const { error } = await call(["explain", "tenant-b-worker", plan, "-c", config()]);
    expect(error).toContain("did you mean tenant-b-workers?");
  });
});

describe("explain in a folder whose configuration names no platform", () => {
  const vague = "hostedClusters:\n  - { name: tenant-a, managementClusterCidrs: [10.1.0.0/16] }\n";

  it.each(["6443", "kubelet", "ignition"])("explains %s in general, with a note", async (word) => {
    const { status, out, error } = await call(["explain", word, "-c", folder.write("c.yaml", vague)]);
    const general = await call(["explain", word, "--no-config"]);
    expect([status, out]).toEqual([0, general.out]);
    expect(error).toMatch(
      /^note {2}not explained for clusters\/tenant-a \(.*c\.yaml:2\): its platform is not stated: write platform: /,
    );
  });

  it("explains a port for the hosted clusters whose platform is stated", async () => {
    const both = folder.write("c.yaml", `${cluster()}  - { name: tenant-b }\n`);
    const { status, out, error } = await call(["explain", "6443", "-c", both]);
    const one = await call(["explain", "6443", "-c", config()]);
    expect([status, out]).toEqual([0, one.out]);
    expect(error).toContain("not explained for clusters/tenant-b");
  });

  it("exits with status 2 if it is asked about that cluster", async () => {
    const args = ["explain", "6443", "-c", folder.write("c.yaml", vague), "--cluster", "tenant-a"];
    expect(await call(args)).toMatchObject({
      status: 2,
      error: expect.stringContaining("its platform is not stated") as unknown,
    });
  });
});

describe("explain of a word or a file that is wrong", () => {
  it("names the host bits of a block", async () => {
    expect(await call(["explain", "10.0.0.1/8", "--no-config"])).toMatchObject({
      status: 2,
      error: "hypershift-network explain: 10.0.0.1/8 has host bits: write 10.0.0.0/8\n",
    });
  });

  it.each(["6443", "port-missing", "ipsec", "rules", "kubelet"])(
    "exits with status 2 if a file beside %s does not exist",
    async (word) => {
      const { status, out, error } = await call(["explain", word, "nope.yaml", "--no-config"]);
      expect([status, out, error]).toEqual([2, "", "nope.yaml  no such file or folder: check the path\n"]);
    },
  );
});
