import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import {
  ManagementClusterProxy,
  type ManagementClusterProxyArgs,
} from "../../../src/proxy/component/managementClusterProxy";
import { Platform } from "../../../src";
import { eventually } from "../../components/eventually";
import { run, unknownValue } from "../../components/program";

const topology = {
  name: "tenant-a",
  platform: Platform.KubeVirt,
  release: "4.20",
  machineNetwork: [{ cidr: "192.168.10.0/24" }],
};
const current = ".corp.example.com, 10.0.0.0/8";
const create = (args: ManagementClusterProxyArgs, opts?: pulumi.ComponentResourceOptions) => () =>
  new ManagementClusterProxy("tenant-a", args, opts);

describe("M11 the proxy of the management cluster", () => {
  it("is not changed by default: the merged noProxy is an output, and a warning states what to do", async () => {
    const { result, objects, warnings } = await run(create({ topology, currentNoProxy: current }));
    expect(objects).toEqual([]);
    await expect(eventually(result.noProxy)).resolves.toBe(`${current},192.168.10.0/24`);
    await expect(eventually(result.missingEntries)).resolves.toEqual(["192.168.10.0/24"]);
    await expect(eventually(result.requiredEntries)).resolves.toEqual(["192.168.10.0/24"]);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^manage not set: nothing is changed\. spec\.noProxy of proxies\.config\.openshift\.io\/cluster .*rolls the nodes of the management cluster: set it, or write false if they are added by hand$/,
      ),
    ]);
    const { warnings: answered } = await run(create({ topology, currentNoProxy: current, manage: false }));
    expect(answered).toEqual([]);
  });

  it("needs no new entry if noProxy has a wider block", async () => {
    const { result } = await run(create({ topology, currentNoProxy: "192.168.0.0/16" }));
    await expect(eventually(result.missingEntries)).resolves.toEqual([]);
    await expect(eventually(result.noProxy)).resolves.toBe("192.168.0.0/16");
  });

  it("has only the new entries in the output without currentNoProxy, and warns", async () => {
    const { result, warnings } = await run(create({ topology }));
    await expect(eventually(result.noProxy)).resolves.toBe("192.168.10.0/24");
    expect(warnings[1]).toMatch(
      /^currentNoProxy missing: the output noProxy holds only the new entries: .*never replace/,
    );
  });

  it("uses the secondary networks if they are set, and warns of one outside the machine networks", async () => {
    const args = {
      topology,
      currentNoProxy: "",
      secondaryNetworkCidrs: ["192.168.10.0/25", "172.16.5.0/24"],
    };
    const { result, warnings } = await run(create(args));
    await expect(eventually(result.noProxy)).resolves.toBe("192.168.10.0/25,172.16.5.0/24");
    expect(warnings[0]).toMatch(
      /^secondaryNetworkCidrs 172\.16\.5\.0\/24 is in no machine network: HyperShift leaves/,
    );
  });

  it("if managed, shares noProxy by compare and swap, and keeps the entries after destroy", async () => {
    const retained: unknown[] = [];
    const transformations: pulumi.ResourceTransformation[] = [
      ({ type, opts }) => void (type.startsWith("pulumi-nodejs") && retained.push(opts.retainOnDelete)),
    ];
    const kubeconfig = "apiVersion: v1\nusers: [{ user: { token: hunter2 } }]";
    const { result, resources, objects, warnings, failures } = await run(
      create({ topology, manage: true, kubeconfig }, { transformations }),
    );
    expect(failures).toEqual([]);
    expect(objects).toMatchObject([
      {
        type: "pulumi-nodejs:dynamic/hypershift-network:SharedFieldShare",
        inputs: {
          apiVersion: "config.openshift.io/v1",
          object: "Proxy",
          name: "cluster",
          path: ["spec", "noProxy"],
          shape: { kind: "noProxy" },
          entries: ["192.168.10.0/24"],
          fieldManager: "hypershift-network-management-proxy",
        },
      },
    ]);
    expect(retained).toEqual([true]);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^manage adds what is missing .*rolls the nodes of the management cluster: deploy/,
      ),
    ]);
    const secrets = resources.flatMap(({ inputs }) =>
      inputs.kubeconfig === undefined ? [] : [inputs.kubeconfig],
    );
    expect(secrets).toHaveLength(2);
    for (const secret of secrets) expect(secret).toMatchObject({ value: kubeconfig });
    await expect(pulumi.isSecret(result.requiredEntries)).resolves.toBe(false);
  });

  it("removes its entries with the component if removeOnDelete is set", async () => {
    const retained: unknown[] = [];
    const transformations: pulumi.ResourceTransformation[] = [
      ({ type, opts }) => void (type.startsWith("pulumi-nodejs") && retained.push(opts.retainOnDelete)),
    ];
    await run(create({ topology, manage: true, removeOnDelete: true }, { transformations }));
    expect(retained).toEqual([false]);
  });

  it("shows which control-plane deployments inherit it, and what each adds to noProxy", async () => {
    const deployments = async (platform: Platform) => {
      const args = { topology: { ...topology, platform }, secondaryNetworkCidrs: ["192.168.10.0/24"] };
      return eventually((await run(create(args))).result.controlPlaneDeployments);
    };
    const names = (await deployments(Platform.KubeVirt)).map(({ name }) => name);
    expect(names).toEqual([
      "control-plane-operator",
      "hosted-cluster-config-operator",
      "kube-apiserver",
      "kube-controller-manager",
      "ignition-server",
      "ignition-server-proxy",
      "cluster-network-operator",
      "capi-provider",
      "cluster-storage-operator",
      "cluster-image-registry-operator",
      "control-plane-pki-operator",
    ]);
    const onAws = await deployments(Platform.AWS);
    expect(onAws.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["cloud-controller-manager", "cloud-credential-operator", "karpenter"]),
    );
    expect(onAws.find(({ name }) => name === "kube-apiserver")!.noProxyAdditions).toEqual([
      "kube-apiserver",
      "10.132.0.0/14",
      "172.31.0.0/16",
    ]);
    expect(onAws.find(({ name }) => name === "ignition-server")!.noProxyAdditions).toEqual([
      "kube-apiserver",
    ]);
    expect(onAws.find(({ name }) => name === "cluster-network-operator")!.variables).toEqual([
      "MGMT_HTTP_PROXY",
      "MGMT_HTTPS_PROXY",
      "MGMT_NO_PROXY",
    ]);
    const onIbmCloud = (await deployments(Platform.IBMCloud)).map(({ name }) => name);
    expect(onIbmCloud).not.toContain("ignition-server-proxy");
  });
});

describe("M11 invalid inputs of the management cluster's proxy", () => {
  const { machineNetwork, ...nowhere } = topology;
  it.each<[string, Partial<ManagementClusterProxyArgs>, RegExp]>([
    ["no topology", { topology: undefined }, /topology +missing/],
    [
      "host bits",
      { secondaryNetworkCidrs: ["10.0.0.1/8"] },
      /secondaryNetworkCidrs\[0\] +10.0.0.1\/8 has host bits/,
    ],
    ["an empty list", { secondaryNetworkCidrs: [] }, /secondaryNetworkCidrs +is empty/],
    [
      "a string instead of a list",
      { secondaryNetworkCidrs: "10.0.0.0/8" as never },
      /secondaryNetworkCidrs +"10.0.0.0.8" is not a list/,
    ],
    [
      "no networks at all",
      { topology: nowhere },
      /secondaryNetworkCidrs +missing, and so is topology.machineNetwork/,
    ],
    [
      "another platform",
      { topology: { ...topology, platform: Platform.AWS } },
      /secondaryNetworkCidrs +missing: on AWS no network is a secondary one/,
    ],
    ["a switch that is not a boolean", { manage: "yes" as never }, /manage +"yes" is neither true nor false/],
    ["a switch that is an Output", { manage: pulumi.output(true) as never }, /manage +is an Output/],
    ["a list instead of a string", { currentNoProxy: ["a"] as never }, /currentNoProxy +is not a string/],
  ])("include %s", async (_, args, message) => {
    expect(machineNetwork).toHaveLength(1);
    await expect(run(create({ topology, ...args }))).rejects.toThrow(message);
  });

  it("include a Kubernetes provider without the kubeconfig input", async () => {
    const body = () => {
      const provider = new kubernetes.Provider("management", { kubeconfig: "{}" });
      return new ManagementClusterProxy("tenant-a", { topology, manage: true }, { provider });
    };
    await expect(run(body)).rejects.toThrow(/kubeconfig +missing: the component cannot read the kubeconfig/);
  });

  it("from Outputs are refused before anything is created", async () => {
    const args = { topology, manage: true, secondaryNetworkCidrs: pulumi.output(["10.0.0.1/8"]) };
    const { objects, failures } = await run(create(args));
    expect(objects).toEqual([]);
    expect(failures[0]).toMatch(/secondaryNetworkCidrs\[0\] +10.0.0.1\/8 has host bits: write 10.0.0.0\/8/);
  });

  it("do not include unknown networks in a preview", async () => {
    const args = { topology, manage: true, secondaryNetworkCidrs: [unknownValue<string>()] };
    const { objects, failures } = await run(create(args), { preview: true });
    expect(failures).toEqual([]);
    expect(objects).toHaveLength(1);
  });
});
