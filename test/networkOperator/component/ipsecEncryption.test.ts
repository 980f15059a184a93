import * as pulumi from "@pulumi/pulumi";
import { parse } from "yaml";
import {
  HybridOverlayNetwork,
  IpsecEncryption,
} from "../../../src/networkOperator/component/networkOperator";
import { IpsecEncapsulation, IpsecMode, Platform } from "../../../src";
import type { IpsecEncryptionArgs } from "../../../src/networkOperator/component/networkOperatorArgs";
import { eventually } from "../../components/eventually";
import { run, unknownValue } from "../../components/program";

const create = (args: IpsecEncryptionArgs) => () => new IpsecEncryption("nodes", args);
const ipsec = (ipsecConfig: object) => ({ defaultNetwork: { ovnKubernetesConfig: { ipsecConfig } } });

describe("M20 IPsec of a running cluster", () => {
  it("is a patch of the Network operator with a stable field manager, and stays after destroy", async () => {
    const retained: unknown[] = [];
    const transformation: pulumi.ResourceTransformation = ({ type, opts }) => {
      if (type.endsWith("NetworkPatch")) retained.push(opts.retainOnDelete);
      return undefined;
    };
    const { objects } = await run(
      () => new IpsecEncryption("nodes", { release: "4.20" }, { transformations: [transformation] }),
    );
    expect(objects).toMatchObject([
      {
        type: "kubernetes:operator.openshift.io/v1:NetworkPatch",
        inputs: {
          kind: "Network",
          metadata: {
            name: "cluster",
            annotations: { "pulumi.com/patchFieldManager": "hypershift-network-ipsec" },
          },
          spec: ipsec({ mode: "Full" }),
        },
      },
    ]);
    expect(retained).toEqual([true]);
  });

  it.each<[IpsecEncryptionArgs, object]>([
    [{ release: "4.11" }, {}],
    [{ release: "4.14", mode: IpsecMode.Full }, {}],
    [{ release: "4.15" }, { mode: "Full" }],
    [{ release: "4.15", mode: IpsecMode.Disabled }, { mode: "Disabled" }],
    [{ release: "4.20", mode: IpsecMode.External }, { mode: "External" }],
    [
      { release: "4.20", encapsulation: IpsecEncapsulation.Always },
      { mode: "Full", full: { encapsulation: "Always" } },
    ],
    [{}, { mode: "Full" }],
  ])("%j is written in the form of its release", async (args, expected) => {
    const { objects } = await run(create(args));
    expect(objects[0]!.inputs.spec).toEqual(ipsec(expected));
  });

  it("is refused, with the reason, for a release that accepts IPsec only at installation", async () => {
    await expect(run(create({ release: "4.7" }))).rejects.toThrow(
      /mode +release 4\.7 accepts IPsec only at installation, and the network operator refuses it on a running cluster/,
    );
  });

  it("of a hosted cluster is a patch, with the warning that it is unsupported", async () => {
    const topology = { name: "tenant-a", platform: Platform.AWS, release: "4.20" };
    const { result, objects, warnings } = await run(create({ topology }));
    expect(objects).toHaveLength(1);
    expect(warnings.join("\n")).toMatch(/Red Hat does not support IPsec/);
    await expect(eventually(result.topology)).resolves.toMatchObject({ name: "tenant-a" });
  });
});

describe("M20 IPsec at installation", () => {
  it("is a manifest, and no resources are created", async () => {
    const { result, objects } = await run(create({ release: "4.7", fragmentOnly: true }));
    expect(objects).toEqual([]);
    expect(parse(await eventually(result.installManifest))).toEqual({
      apiVersion: "operator.openshift.io/v1",
      kind: "Network",
      metadata: { name: "cluster" },
      spec: ipsec({}),
    });
  });

  it("shares the manifest with a hybrid network", async () => {
    const hybridClusterNetwork = [{ cidr: "10.132.0.0/14", hostPrefix: 24 }];
    const { result } = await run(() => {
      const { fragment } = new HybridOverlayNetwork("windows", { hybridClusterNetwork, fragmentOnly: true });
      return new IpsecEncryption("nodes", { release: "4.7", hybridOverlay: fragment, fragmentOnly: true });
    });
    const { ovnKubernetesConfig } = ipsec({}).defaultNetwork;
    expect(parse(await eventually(result.installManifest))).toMatchObject({
      spec: {
        defaultNetwork: {
          ovnKubernetesConfig: { ...ovnKubernetesConfig, hybridOverlayConfig: { hybridClusterNetwork } },
        },
      },
    });
  });
});

describe("M20 the traffic and ports of IPsec", () => {
  it("are in the outputs, with their documents", async () => {
    const { result } = await run(create({ release: "4.20" }));
    const traffic = await eventually(result.traffic);
    expect(traffic.map(({ encrypted }) => encrypted)).toEqual([true, true, false, false, false]);
    expect(await eventually(result.nodePorts)).toMatchObject([
      { protocol: "UDP", port: 500 },
      { protocol: "UDP", port: 4500 },
      { protocol: "ESP" },
    ]);
    const facts = await eventually(result.facts);
    expect(facts.map(({ statement }) => statement).join("\n")).toContain("AES-GCM-16-256");
    for (const { documents } of [...traffic, ...facts])
      expect(documents.join()).toMatch(/OCP 4\.7 OVN, 15\.4|CNO, /);
  });

  it("include no ports if nothing is encrypted between nodes", async () => {
    const { result } = await run(create({ release: "4.20", mode: pulumi.output(IpsecMode.External) }));
    await expect(eventually(result.nodePorts)).resolves.toEqual([]);
  });
});

describe("M20 invalid inputs of IPsec", () => {
  it.each<[string, unknown, RegExp]>([
    ["an unknown mode", { release: "4.20", mode: "On" }, /mode +"On" is not Disabled, External or Full/],
    ["an invalid release", { release: "new" }, /release +"new" is not an OpenShift release/],
    ["an invalid fragment", { release: "4.20", hybridOverlay: {} }, /hybridOverlay +is not a fragment/],
    ["a release from an Output", { release: pulumi.output("4.20") }, /release +is an Output/],
    ["a switch that is a string", { release: "4.20", fragmentOnly: "yes" }, /fragmentOnly +"yes" is neither/],
  ])("include %s", async (_, args, message) => {
    await expect(run(create(args as IpsecEncryptionArgs))).rejects.toThrow(message);
  });

  it("from Outputs are refused before anything is patched", async () => {
    const { objects, failures } = await run(
      create({ release: "4.14", mode: pulumi.output(IpsecMode.External) }),
    );
    expect(objects).toEqual([]);
    expect(failures[0]).toMatch(/release 4\.14 has no modes/);
  });
});

describe("M20 an unknown input in a preview", () => {
  it("does not fail, and known inputs are shown", async () => {
    const encapsulation = unknownValue<IpsecEncapsulation>();
    const { objects, failures } = await run(create({ release: "4.20", encapsulation }), { preview: true });
    expect(failures).toEqual([]);
    expect(JSON.stringify(objects[0]!.inputs.spec)).toContain('"mode":"Full"');
  });
});
