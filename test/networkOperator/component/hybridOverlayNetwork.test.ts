import * as pulumi from "@pulumi/pulumi";
import { parse } from "yaml";
import {
  HybridOverlayNetwork,
  IpsecEncryption,
} from "../../../src/networkOperator/component/networkOperator";
import { InfrastructurePlatform, Platform, WindowsServerVersion } from "../../../src";
import type { HybridOverlayNetworkArgs } from "../../../src/networkOperator/component/networkOperatorArgs";
import { eventually } from "../../components/eventually";
import { run, unknownValue } from "../../components/program";

const hybridClusterNetwork = [{ cidr: "10.132.0.0/14", hostPrefix: 24 }];
const args: HybridOverlayNetworkArgs = {
  hybridClusterNetwork,
  hybridOverlayVXLANPort: 9898,
  platform: InfrastructurePlatform.VSphere,
  release: "4.20",
};
const setting = {
  defaultNetwork: {
    ovnKubernetesConfig: { hybridOverlayConfig: { hybridClusterNetwork, hybridOverlayVXLANPort: 9898 } },
  },
};
const create = (given: HybridOverlayNetworkArgs) => () => new HybridOverlayNetwork("windows", given);

describe("M19 hybrid networking of a running cluster", () => {
  it("is a patch of the Network operator with a stable field manager, and stays after destroy", async () => {
    const retained: unknown[] = [];
    const transformation: pulumi.ResourceTransformation = ({ type, opts }) => {
      if (type.endsWith("NetworkPatch")) retained.push(opts.retainOnDelete);
      return undefined;
    };
    const { objects } = await run(
      () => new HybridOverlayNetwork("windows", args, { transformations: [transformation] }),
    );
    expect(objects).toMatchObject([
      {
        type: "kubernetes:operator.openshift.io/v1:NetworkPatch",
        name: "windows",
        inputs: {
          apiVersion: "operator.openshift.io/v1",
          kind: "Network",
          metadata: {
            name: "cluster",
            annotations: { "pulumi.com/patchFieldManager": "hypershift-network-hybrid-overlay" },
          },
          spec: setting,
        },
      },
    ]);
    expect(retained).toEqual([true]);
  });

  it("has no port if none is given, on any platform", async () => {
    const { hybridOverlayVXLANPort: _, ...rest } = args;
    for (const platform of Object.values(InfrastructurePlatform)) {
      const { objects } = await run(create({ ...rest, platform }));
      expect(objects[0]!.inputs.spec).toEqual({
        defaultNetwork: { ovnKubernetesConfig: { hybridOverlayConfig: { hybridClusterNetwork } } },
      });
    }
  });

  it("takes over fields from other field managers only with forcePatch", async () => {
    const { objects } = await run(create({ ...args, forcePatch: true }));
    expect(objects[0]!.inputs).toMatchObject({
      metadata: { annotations: { "pulumi.com/patchForce": "true" } },
    });
  });

  it("of a hosted cluster registers its topology, without credentials", async () => {
    const topology = {
      name: "tenant-a",
      platform: Platform.Agent,
      release: "4.20",
      proxy: { httpProxy: "http://me:hunter2@proxy.example.com:3128" },
    };
    const { release: _, ...rest } = args;
    const given = { ...rest, topology, hybridClusterNetwork: [{ cidr: "10.136.0.0/14", hostPrefix: 24 }] };
    const { result, resources } = await run(create(given));
    await expect(eventually(result.topology)).resolves.toMatchObject({
      name: "tenant-a",
      namespace: "clusters",
      clusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix: 23 }],
    });
    expect(JSON.stringify(resources)).not.toContain("hunter2");
  });

  it("has no topology if the cluster is not hosted", async () => {
    const { result } = await run(create(args));
    await expect(eventually(result.topology)).resolves.toBeUndefined();
  });
});

describe("M19 hybrid networking at installation", () => {
  it("is the documented manifest, and no resources are created", async () => {
    const given = { ...args, release: "4.7", fragmentOnly: true };
    const { result, objects } = await run(create(given));
    expect(objects).toEqual([]);
    expect(parse(await eventually(result.installManifest))).toEqual({
      apiVersion: "operator.openshift.io/v1",
      kind: "Network",
      metadata: { name: "cluster" },
      spec: setting,
    });
    await expect(eventually(result.installManifestFile)).resolves.toBe("cluster-network-03-config.yml");
    await expect(eventually(result.fragment)).resolves.toEqual(setting);
  });

  it("goes into one patch with IPsec, because two patches are refused", async () => {
    const { objects, failures } = await run(() => {
      const { fragment } = new HybridOverlayNetwork("windows", { ...args, fragmentOnly: true });
      return new IpsecEncryption("nodes", { release: "4.20", hybridOverlay: fragment });
    });
    expect(failures).toEqual([]);
    const { ovnKubernetesConfig } = setting.defaultNetwork;
    expect(objects).toMatchObject([
      {
        name: "nodes",
        inputs: {
          spec: {
            defaultNetwork: {
              ovnKubernetesConfig: { ...ovnKubernetesConfig, ipsecConfig: { mode: "Full" } },
            },
          },
        },
      },
    ]);
    const both = () => [
      new HybridOverlayNetwork("windows", args),
      new IpsecEncryption("nodes", { release: "4.20" }),
    ];
    await expect(run(both)).rejects.toThrow(
      /IpsecEncryption nodes: 1 fault\n {2}fragmentOnly {2}missing: HybridOverlayNetwork windows already patches the Network operator configuration/,
    );
  });
});

describe("M19 invalid inputs of hybrid networking", () => {
  it("have all faults reported at once", async () => {
    const wrong = {
      ...args,
      hybridClusterNetwork: [{ cidr: "10.128.0.0/14", hostPrefix: 24 }],
      hybridOverlayVXLANPort: 4789,
      windowsServers: [WindowsServerVersion.Server2019],
    };
    await expect(run(create(wrong))).rejects.toThrow(/HybridOverlayNetwork windows: 3 faults/);
  });

  it("include missing args, as JavaScript users can pass them", async () => {
    await expect(run(create({} as never))).rejects.toThrow(/hybridClusterNetwork +missing/);
    await expect(run(create(undefined as never))).rejects.toThrow(/hybridClusterNetwork +missing/);
  });

  it("include Outputs for platform and release, which must be plain", async () => {
    const later = {
      ...args,
      platform: pulumi.output("VSphere") as never,
      release: pulumi.output("4.20") as never,
    };
    await expect(run(create(later))).rejects.toThrow(/platform +is an Output[^]*release +is an Output/);
  });

  it("from Outputs are refused before anything is patched", async () => {
    const { objects, failures } = await run(
      create({ ...args, hybridClusterNetwork: [{ cidr: pulumi.output("10.128.0.0/14"), hostPrefix: 24 }] }),
    );
    expect(objects).toEqual([]);
    expect(failures[0]).toMatch(/overlaps the installer's default cluster network/);
  });

  it("are masked if they are secrets", async () => {
    const secret = pulumi.secret("10.129.0.0/16");
    const { failures } = await run(
      create({ ...args, hybridClusterNetwork: [{ cidr: secret, hostPrefix: 24 }] }),
    );
    expect(failures[0]).toContain("[secret] overlaps the installer's default cluster network");
    expect(failures.join()).not.toContain("10.129.0.0/16");
  });
});

describe("M19 an unknown input in a preview", () => {
  it("does not fail, and known inputs are shown", async () => {
    const cidr = unknownValue<string>();
    const { objects, failures } = await run(
      create({ ...args, hybridClusterNetwork: [{ cidr, hostPrefix: 24 }] }),
      { preview: true },
    );
    expect(failures).toEqual([]);
    expect(JSON.stringify(objects[0]!.inputs.spec)).toContain('"hybridOverlayVXLANPort":9898');
  });
});
