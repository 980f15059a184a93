import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Session } from "../../local/session";
import { HybridOverlayNetwork, IpsecEncryption } from "../../src/networkOperator/component/networkOperator";
import { InfrastructurePlatform, IpsecEncapsulation, IpsecMode } from "../../src";
import type {
  HybridOverlayNetworkArgs,
  IpsecEncryptionArgs,
} from "../../src/networkOperator/component/networkOperatorArgs";
import { eventually } from "../components/eventually";
import { Bench, fine } from "./conformance/kubernetesBench";
import { World } from "./world";
import { sharedSession } from "./sharedSession";

const path = "/apis/operator.openshift.io/v1/networks/cluster";

/** The configuration of the network operator as an installation leaves it. */
const network = {
  apiVersion: "operator.openshift.io/v1",
  kind: "Network",
  metadata: { name: "cluster" },
  spec: {
    clusterNetwork: [{ cidr: "10.128.0.0/14", hostPrefix: 23 }],
    serviceNetwork: ["172.30.0.0/16"],
    defaultNetwork: { type: "OVNKubernetes", ovnKubernetesConfig: { mtu: 1400, genevePort: 6081 } },
  },
};

interface OvnConfig {
  mtu?: number;
  genevePort?: number;
  hybridOverlayConfig?: unknown;
  ipsecConfig?: unknown;
}

/** The real API server validates the settings, with the CRD of the product. */
describe("settings of the Cluster Network Operator", () => {
  const folder = mkdtempSync(join(tmpdir(), "network-operator-"));
  let session: Session;
  let world: World;
  const benches: Bench[] = [];

  const kubectl = (input: object | string, ...command: string[]) =>
    execFileSync("kubectl", [...command, "-f", "-"], {
      env: { ...process.env, KUBECONFIG: session.kubeconfig },
      input: typeof input === "string" ? input : JSON.stringify(input),
      encoding: "utf8",
    });
  const apply = (object: object | string, manager: string) =>
    kubectl(object, "apply", "--server-side", "--validate=strict", `--field-manager=${manager}`);
  const open = async (name: string) => {
    const bench = await Bench.open(session, name);
    benches.push(bench);
    return bench;
  };
  const ovnConfig = async () => {
    const spec = (await world.object(path))?.spec as unknown as {
      defaultNetwork: { ovnKubernetesConfig: OvnConfig };
    };
    return spec.defaultNetwork.ovnKubernetesConfig;
  };

  beforeAll(async () => {
    session = await sharedSession(folder);
    world = new World(session);
    apply(network, "installer");
  });
  afterAll(async () => {
    for (const bench of benches) bench.close();
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  describe("M19 hybrid networking of a running cluster", () => {
    const hybrid = (cidr: string, more: Partial<HybridOverlayNetworkArgs> = {}) => {
      return () => {
        new HybridOverlayNetwork("windows", {
          hybridClusterNetwork: [{ cidr, hostPrefix: 24 }],
          hybridOverlayVXLANPort: 9898,
          platform: InfrastructurePlatform.VSphere,
          release: "4.20",
          ...more,
        });
        return Promise.resolve();
      };
    };
    const configured = (cidr: string) => ({
      hybridOverlayConfig: {
        hybridClusterNetwork: [{ cidr, hostPrefix: 24 }],
        hybridOverlayVXLANPort: 9898,
      },
    });

    test("is added to the installed configuration, and a second up changes nothing and does not warn", async () => {
      const bench = await open("hybrid");
      const warned = expect.stringContaining("rolls out ovnkube-node on a running cluster") as unknown;
      expect(fine(await bench.preview(hybrid("10.132.0.0/14"))).output).toEqual(warned);
      expect(fine(await bench.up(hybrid("10.132.0.0/14"))).output).toEqual(warned);
      const { mtu, genevePort, ...config } = await ovnConfig();
      expect({ mtu, genevePort }).toEqual({ mtu: 1400, genevePort: 6081 });
      expect(config).toMatchObject(configured("10.132.0.0/14"));
      const second = await bench.up(hybrid("10.132.0.0/14"));
      expect(second.changes).toEqual({ same: 3 });
      expect(second.output).not.toEqual(warned);
    });

    test("cannot be edited: a change is refused at preview and at up, with the reason", async () => {
      const [bench] = benches;
      const changed = hybrid("10.136.0.0/14");
      for (const outcome of [await bench!.preview(changed), await bench!.up(changed)]) {
        expect(outcome.ok).toBe(false);
        expect(outcome.output).toMatch(/HybridOverlayNetwork windows: 1 fault/);
        expect(outcome.output).toMatch(/the network operator refuses to edit an existing hybrid network/);
      }
      expect(await ovnConfig()).toMatchObject(configured("10.132.0.0/14"));
      const port = hybrid("10.132.0.0/14", { hybridOverlayVXLANPort: 9899 });
      expect((await bench!.preview(port)).ok).toBe(false);
      // The engine stored the component's inputs before its patch was refused.
      expect(fine(await bench!.up(hybrid("10.132.0.0/14"))).changes).toEqual({ same: 2, update: 1 });
    });

    test("stays after destroy", async () => {
      fine(await benches[0]!.destroy());
      expect(await ovnConfig()).toMatchObject(configured("10.132.0.0/14"));
    });

    test("is removed by destroy with removeOnDelete, and settings of others stay", async () => {
      const bench = await open("hybrid-removed");
      fine(await bench.up(hybrid("10.132.0.0/14", { removeOnDelete: true })));
      fine(await bench.destroy());
      const config = await ovnConfig();
      expect(config).not.toHaveProperty("hybridOverlayConfig");
      expect(config).toMatchObject({ mtu: 1400, genevePort: 6081 });
    });
  });

  describe("M20 IPsec of a running cluster", () => {
    const ipsec = (args: IpsecEncryptionArgs) => () => {
      new IpsecEncryption("nodes", { release: "4.20", ...args });
      return Promise.resolve();
    };

    test("is turned on in mode Full, is updated in place, and stays after destroy", async () => {
      const bench = await open("ipsec");
      fine(await bench.up(ipsec({})));
      expect(await ovnConfig()).toMatchObject({ mtu: 1400, ipsecConfig: { mode: "Full" } });
      const second = await bench.up(ipsec({}));
      expect(second.changes).toEqual({ same: 3 });
      expect(second.output).not.toContain("maintenance window");
      const always = await bench.up(ipsec({ encapsulation: IpsecEncapsulation.Always }));
      expect(fine(always).changes).toEqual({ same: 1, update: 2 });
      expect(always.output).toContain("maintenance window");
      expect(await ovnConfig()).toMatchObject({
        ipsecConfig: { mode: "Full", full: { encapsulation: "Always" } },
      });
      fine(await bench.up(ipsec({ mode: IpsecMode.External })));
      expect((await ovnConfig()).ipsecConfig).toEqual({ mode: "External" });
      fine(await bench.destroy());
      expect((await ovnConfig()).ipsecConfig).toEqual({ mode: "External" });
    });

    test("that another owner set is replaced only with forcePatch", async () => {
      const spec = { defaultNetwork: { ovnKubernetesConfig: { ipsecConfig: { mode: "Disabled" } } } };
      const { apiVersion, kind, metadata } = network;
      kubectl(
        { apiVersion, kind, metadata, spec },
        "apply",
        "--server-side",
        "--force-conflicts",
        "--field-manager=admin",
      );
      const bench = await open("ipsec-of-others");
      const refused = await bench.up(ipsec({}));
      expect(refused.ok).toBe(false);
      expect(refused.output).toMatch(/conflict/i);
      fine(await bench.up(ipsec({ forcePatch: true })));
      expect((await ovnConfig()).ipsecConfig).toEqual({ mode: "Full" });
    });
  });

  test("M19 M20 hybrid networking and IPsec can share one patch, whose hybrid network cannot be edited either", async () => {
    const bench = await open("both");
    const both = (cidr: string) => () => {
      const { fragment } = new HybridOverlayNetwork("windows", {
        hybridClusterNetwork: [{ cidr, hostPrefix: 24 }],
        release: "4.20",
        fragmentOnly: true,
      });
      new IpsecEncryption("nodes", { release: "4.20", hybridOverlay: fragment, forcePatch: true });
      return Promise.resolve();
    };
    fine(await bench.up(both("10.140.0.0/14")));
    expect(await ovnConfig()).toMatchObject({
      mtu: 1400,
      hybridOverlayConfig: { hybridClusterNetwork: [{ cidr: "10.140.0.0/14", hostPrefix: 24 }] },
      ipsecConfig: { mode: "Full" },
    });
    const { ok, output } = await bench.preview(both("10.144.0.0/14"));
    expect(ok).toBe(false);
    expect(output).toContain("the network operator refuses to edit an existing hybrid network");
  });

  test("M19 M20 the API server accepts the manifest for openshift-install", async () => {
    const bench = await open("manifest");
    let manifest = "";
    fine(
      await bench.up(async () => {
        const hybrid = new HybridOverlayNetwork("windows", {
          hybridClusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix: 23 }],
          fragmentOnly: true,
        });
        const both = new IpsecEncryption("nodes", {
          release: "4.20",
          hybridOverlay: hybrid.fragment,
          fragmentOnly: true,
        });
        manifest = await eventually(both.installManifest);
      }),
    );
    const dryRun = [
      "--dry-run=server",
      "--validate=strict",
      "--force-conflicts",
      "--field-manager=installer",
    ];
    expect(kubectl(manifest, "apply", "--server-side", ...dryRun)).toContain("serverside-applied");
  });
});
