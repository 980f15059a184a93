import { mkdtempSync, rmSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Session } from "../../local/session";
import {
  ManagementClusterProxy,
  type ManagementClusterProxyArgs,
} from "../../src/proxy/component/managementClusterProxy";
import { Platform } from "../../src";
import { faultsUnder, ownStackLines } from "./badInput/output";
import { projectIn } from "./badInput/project";
import { Bench, fine, kubectl, kubectlWith, live } from "./conformance/kubernetesBench";
import { interpose, type Interposer } from "./interposer";
import { sharedSession } from "./sharedSession";

const CURRENT = ".corp.example.com, 10.0.0.0/8 ,,registry.example.com";

/** The real engine and its dynamic provider, the real API server and the product's Proxy. */
describe("the proxy of the management cluster", () => {
  const folder = mkdtempSync(join(tmpdir(), "management-proxy-"));
  let session: Session;
  let front: Interposer;
  const benches: Bench[] = [];

  const open = async (name: string) => {
    const bench = await Bench.open(session, name);
    benches.push(bench);
    return bench;
  };
  const proxy = (noProxy: string) => {
    const spec = { httpProxy: "http://proxy.example.com:3128", noProxy };
    const object = {
      apiVersion: "config.openshift.io/v1",
      kind: "Proxy",
      metadata: { name: "cluster" },
      spec,
    };
    const args = [
      "apply",
      "--server-side",
      "--force-conflicts",
      "--validate=strict",
      "--field-manager=admin",
    ];
    kubectlWith(session, JSON.stringify(object), ...args, "-f", "-");
  };
  const spec = () => live(session, "proxies.config.openshift.io", "cluster")?.spec;
  const noProxy = () => spec()?.noProxy as string;
  /** Appends an entry to noProxy, as another owner. */
  const write = (entry: string) => {
    const patch = JSON.stringify({ spec: { noProxy: `${noProxy()}, ${entry}` } });
    kubectl(session, "patch", "proxies.config.openshift.io", "cluster", "--type=merge", "-p", patch);
  };
  const component = (cidr: string, more: Partial<ManagementClusterProxyArgs> = {}) => {
    const topology = {
      name: "tenant-a",
      platform: Platform.KubeVirt,
      release: "4.20",
      machineNetwork: [{ cidr }],
    };
    return () => {
      const { noProxy: merged } = new ManagementClusterProxy("tenant-a", { topology, manage: true, ...more });
      return Promise.resolve({ merged });
    };
  };

  beforeAll(async () => {
    session = await sharedSession(folder);
    front = await interpose(session.kubernetes);
  });
  afterAll(async () => {
    front?.close();
    for (const bench of benches) bench.close();
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("M11 does not change if manage is false, and the merged noProxy is an output", async () => {
    proxy(CURRENT);
    const bench = await open("by-hand");
    const program = component("192.168.10.0/24", { manage: false, currentNoProxy: CURRENT });
    const { output } = fine(await bench.up(program));
    expect(output).not.toContain("rolls the nodes of the management cluster");
    expect(output).toContain(`${CURRENT},192.168.10.0/24`);
    expect(noProxy()).toBe(CURRENT);
    fine(await bench.destroy());
  });

  test("M11 gets the missing entries if manage is true, is updated in place, and keeps them after destroy", async () => {
    proxy(CURRENT);
    const bench = await open("managed");
    fine(await bench.preview(component("192.168.10.0/24")));
    expect(noProxy()).toBe(CURRENT);
    const { output } = fine(await bench.up(component("192.168.10.0/24")));
    expect(output).toMatch(/rolls the nodes of the management cluster/);
    expect(output).toContain(`${CURRENT},192.168.10.0/24`);
    expect(noProxy()).toBe(`${CURRENT},192.168.10.0/24`);
    expect(fine(await bench.up(component("192.168.10.0/24"))).changes).toEqual({ same: 3 });
    const changed = fine(await bench.up(component("192.168.11.0/24")));
    expect(changed.changes).toMatchObject({ update: 2 });
    expect(noProxy()).toBe(`${CURRENT},192.168.11.0/24`);
    fine(await bench.destroy());
    expect(spec()).toEqual({
      httpProxy: "http://proxy.example.com:3128",
      noProxy: `${CURRENT},192.168.11.0/24`,
    });
  });

  test("M11 keeps entries that a concurrent writer adds during up or destroy", async () => {
    proxy(CURRENT);
    const bench = await open("second-writer");
    const program = component("192.168.10.0/24", { kubeconfig: front.kubeconfig, removeOnDelete: true });
    let writes = 2;
    front.beforeWrite = () => {
      if (writes-- > 0) write(`theirs-${writes}.example.com`);
    };
    front.answers = [];
    fine(await bench.up(program));
    expect(front.answers).toEqual([409, 409, 200]);
    const theirs = `${CURRENT}, theirs-1.example.com, theirs-0.example.com`;
    expect(noProxy()).toBe(`${theirs},192.168.10.0/24`);
    writes = 1;
    front.answers = [];
    fine(await bench.destroy());
    front.beforeWrite = () => undefined;
    expect(front.answers).toEqual([409, 200]);
    expect(noProxy()).toBe(`${theirs}, theirs-0.example.com`);
  });

  test("M11 keeps an entry that existed before, even on destroy with removeOnDelete", async () => {
    proxy(`${CURRENT},192.168.0.0/16`);
    const bench = await open("stood-there");
    fine(await bench.up(component("192.168.10.0/24", { removeOnDelete: true })));
    expect(noProxy()).toBe(`${CURRENT},192.168.0.0/16`);
    fine(await bench.destroy());
    expect(noProxy()).toBe(`${CURRENT},192.168.0.0/16`);
  });

  test("M11 fails with the object's name if the Proxy object does not exist", async () => {
    kubectl(session, "delete", "proxies.config.openshift.io", "cluster");
    const outcome = await (await open("no-object")).up(component("192.168.10.0/24"));
    expect(outcome.ok).toBe(false);
    expect(outcome.output).toMatch(/Proxy cluster: .*not found/);
  });

  describe("M11 is managed by Node.js programs only:", () => {
    const topology = `{ name: "tenant-a", platform: "KubeVirt", machineNetwork: [{ cidr: "192.168.10.0/24" }] }`;
    const local = [
      `import { ManagementClusterProxy } from "hypershift-network";`,
      `new ManagementClusterProxy("proxy", { topology: ${topology} as never, manage: true });`,
    ].join("\n");
    const remote = [
      `import * as pulumi from "@pulumi/pulumi";`,
      `class Remote extends pulumi.ComponentResource {}`,
      `new Remote("hypershift-network:index:ManagementClusterProxy", "proxy", { topology: ${topology}, manage: true }, {}, true);`,
    ].join("\n");
    const provider = () =>
      `plugins:\n  providers:\n    - { name: hypershift-network, path: ${JSON.stringify(process.cwd())} }\n`;

    test("a program that has the package installed succeeds", async () => {
      proxy(CURRENT);
      const project = await projectIn(session, "installed");
      const { status, output } = await project.up(local);
      expect(output).not.toMatch(/error/i);
      expect(status).toBe(0);
      expect(noProxy()).toBe(`${CURRENT},192.168.10.0/24`);
      await project.destroy();
    });

    test("a program that uses the component provider and has the package succeeds", async () => {
      proxy(CURRENT);
      const project = await projectIn(session, "provider-and-package", provider());
      const { status, output } = await project.up(remote);
      expect(output).not.toMatch(/error/i);
      expect(status).toBe(0);
      expect(noProxy()).toBe(`${CURRENT},192.168.10.0/24`);
      await project.destroy();
    });

    test("a program without the package, as in other languages, is refused at preview", async () => {
      const project = await projectIn(session, "provider-alone", provider());
      unlinkSync(join(project.folder, "node_modules", "hypershift-network"));
      const { status, output } = await project.preview(remote);
      expect(status).toBe(1);
      expect(ownStackLines(output, project.folder)).toEqual([]);
      const [fault] = faultsUnder("ManagementClusterProxy proxy: 1 fault", output);
      expect(fault).toMatch(
        /^manage true, but hypershift-network cannot be loaded from .*: write it in a Node.js program/,
      );
    });
  });
});
