import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import type { Session } from "../../local/session";
import { applied, namespaced } from "./applied";
import { projectIn, type Project } from "./badInput/project";
import { hostedClusterObject } from "./hostedCluster";
import { HostedNetwork } from "./probes/hostedNetwork";
import { ProbeWorld } from "./probes/probeWorld";
import { kubeconfigWithRoles } from "./roles";
import { sharedSession } from "./sharedSession";

const OLD = "100.99.0.0/16";
const TENANT = "/apis/hypershift.openshift.io/v1beta1/namespaces/clusters/hostedclusters/tenant-a";

/** The first message while the program waits for the roll-out. */
const WAITS = "OVN's join subnet in Network cluster of operator.openshift.io: ";

/** The message after Ctrl-C. Older releases of Pulumi's own language host, before 3.230, do not pass it on to programs. */
const endOfWait = ({ parts }: Session): RegExp =>
  parts.some(({ name, kind }) => name === "Node.js language host" && kind === "official")
    ? /SIGINT interrupted the wait before the change arrived| after 120 seconds/
    : /rollOut +SIGINT interrupted the wait before the change arrived: nothing is verified: run/;

/** The real engine and API server; the test writes what operators, kubelets and the Job controller would write. */
describe("M7 a verification that waits for the roll-out", () => {
  const folder = mkdtempSync(join(tmpdir(), "roll-out-"));
  let session: Session;
  let network: HostedNetwork;
  let world: ProbeWorld;
  let project: Project;
  /** The kubeconfig of a user with only the smallest roles in the hosted cluster. */
  let hosted: string;

  /** A program that moves the join subnet and verifies it in one deployment. */
  const program = (subnet: string, { kubeconfig = JSON.stringify(hosted), timeoutSeconds = 600 } = {}) => `
    import * as kubernetes from "@pulumi/kubernetes";
    import * as pulumi from "@pulumi/pulumi";
    import { OvnSubnetConfig, OvnSubnetVerification, Platform } from "hypershift-network";
    const topology = {
      name: "tenant-a",
      platform: Platform.None,
      machineNetwork: [{ cidr: "10.0.0.0/16" }],
      clusterNetwork: [{ cidr: "10.132.0.0/14" }],
      serviceNetwork: [{ cidr: "172.31.0.0/16" }],
      internalJoinSubnet: ${JSON.stringify(subnet)},
    };
    const config = new OvnSubnetConfig("tenant-a", {
      topology,
      existingHostedCluster: { name: "tenant-a", namespace: "clusters" },
    });
    new OvnSubnetVerification(
      "tenant-a",
      {
        topology,
        namespace: "verify",
        rollOut: { kubeconfig: ${kubeconfig}, timeoutSeconds: ${timeoutSeconds} },
      },
      {
        provider: new kubernetes.Provider("hosted", { kubeconfig: ${JSON.stringify(hosted)} }),
        dependsOn: config,
      },
    );
  `;
  const joinSubnet = async (): Promise<string | undefined> => {
    const { body } = await session.kubernetes.request("GET", TENANT);
    const { operatorConfiguration } = (body as { spec: { operatorConfiguration?: Operator } }).spec;
    return operatorConfiguration?.clusterNetworkOperator.ovnKubernetesConfig.ipv4.internalJoinSubnet;
  };
  /** Pods and Services of verifications, with any name. */
  const made = async () => {
    const lists = await Promise.all(
      ["pods", "services"].map((kind) =>
        session.kubernetes.request("GET", `/api/v1/namespaces/verify/${kind}`),
      ),
    );
    return (
      lists
        .flatMap(({ body }) => (body as { items: { metadata: { name: string } }[] }).items)
        .map(({ metadata }) => metadata.name)
        // The Job controller owns the pod of a Job.
        .filter((name) => !/-abcd\w$/.test(name))
        .sort()
    );
  };

  beforeAll(async () => {
    session = await sharedSession(join(folder, "state"));
    await namespaced(session, "clusters");
    await applied(session, TENANT, hostedClusterObject());
    network = new HostedNetwork(session);
    await network.runs(OLD);
    world = new ProbeWorld(session.kubernetes);
    const roles = ["verify-hosted.yaml", "ovn-subnet-verification.yaml"];
    hosted = await kubeconfigWithRoles(session, "hosted", ...roles);
    project = await projectIn(session, "roll-out");
  });
  afterAll(async () => {
    await project?.destroy();
    await world?.stop();
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("creates nothing before the new subnets have arrived everywhere, with the smallest roles", async () => {
    let told = "";
    const up = project.up(program("100.98.0.0/16"), (text) => (told += text));
    while ((await joinSubnet()) !== "100.98.0.0/16") await sleep(200);
    // Operators take a moment too, in which the program reads the previous generation, and then prints what it waits for.
    while (!told.includes(WAITS)) await sleep(200);
    // ovnkube-control-plane may write the new addresses before any pod of ovnkube-node has restarted, and the DaemonSet is
    // complete until it changes.
    const steps = [
      () => network.operatorHas("100.98.0.0/16"),
      () => network.node("one", "100.98.0.2/16"),
      () => network.node("two", "100.98.0.3/16"),
      () => network.template("2"),
      async () => network.rolledOut(await network.generation(), 1, 2),
      async () => network.rolledOut(await network.generation(), 2, 1),
    ];
    for (const step of steps) {
      await sleep(2_500);
      expect(await made()).toEqual([]);
      await step();
    }
    await sleep(2_500);
    expect(await made()).toEqual([]);
    await network.rolledOut(await network.generation(), 2);
    const { status, output } = await up;
    expect(output).toContain(
      "generation 1, 2 of 2 pods updated, 2 available: still the generation from before the change",
    );
    expect(output).not.toContain("token");
    expect(status).toBe(0);
    expect(await made()).toHaveLength(3);
  });

  test("does not wait for subnets that have arrived, and the next deployment changes nothing", async () => {
    const before = await made();
    const { status, output } = await project.up(program("100.98.0.0/16"));
    expect(status).toBe(0);
    expect(output).toMatch(/unchanged/);
    expect(output).not.toContain("restarts OVN on every compute node");
    expect(await made()).toEqual(before);
  });

  test("fails with what has not arrived if the roll-out hangs, and the next deployment continues", async () => {
    const before = await made();
    const { status, output } = await project.up(program("100.97.0.0/16", { timeoutSeconds: 10 }));
    expect(status).not.toBe(0);
    expect(output).toMatch(
      /Network cluster of operator\S+ +100\.98\.0\.0\/16, and not 100\.97\.0\.0\/16, after 10 seconds: /,
    );
    expect(output).toContain("still the generation from before the change");
    expect(output).toContain("2 of 2 elsewhere");
    expect(await made()).toEqual(before);
    await network.runs("100.97.0.0/16");
    expect((await project.up(program("100.97.0.0/16"))).status).toBe(0);
    const after = await made();
    expect(after).toHaveLength(3);
    expect(after.filter((name) => before.includes(name))).toEqual([]);
  });

  test.each([
    ["SIGINT", "100.95.0.0/16", endOfWait],
    ["SIGKILL", "100.94.0.0/16", () => /OVN's join subnet/],
  ] as const)(
    "%s ends it while it waits, it creates nothing, and the next deployment continues",
    async (signal, subnet, said) => {
      const before = await made();
      const file = join(project.folder, "index.ts");
      // If the program waited for the timeout, it would report that instead of the signal.
      writeFileSync(file, program(subnet, { timeoutSeconds: 120 }));
      const child = spawn("pulumi", ["up", "--yes", "--stack", "dev", "--non-interactive"], {
        cwd: project.folder,
        env: { ...session.env, PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
      });
      let output = "";
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (text: Buffer) => (output += text.toString()));
      while (!output.includes(WAITS)) await sleep(200);
      child.kill(signal);
      const [status] = (await once(child, "close")) as [number | null];
      await session.reap();
      expect(output).toMatch(said(session));
      expect(status).not.toBe(0);
      expect(await made()).toEqual(before);
      await network.runs(subnet);
      if (signal === "SIGKILL") await project.cancel();
      expect((await project.up(program(subnet))).status).toBe(0);
      expect(await made()).toHaveLength(3);
    },
  );

  test("names verb and resource of a missing permission", async () => {
    const kubeconfig = JSON.stringify(await kubeconfigWithRoles(session, "nobody"));
    const { status, output } = await project.up(program("100.96.0.0/16", { kubeconfig }));
    expect(status).not.toBe(0);
    expect(output).toMatch(/rollOut .*cannot get resource "networks".*rbac\//);
  });

  test.each([
    ["holds nothing", "pulumi.output(undefined as never)", "rollOut.kubeconfig  is empty or not a string"],
    [
      "cannot be read",
      `pulumi.secret("users: [{ name: a, user: { token: tiger } }\\n- x")`,
      "the kubeconfig of the hosted cluster cannot be used: the kubeconfig cannot be read",
    ],
    ["is the Secret's base64", `pulumi.secret("dGlnZXI=")`, "no such file. The value is read as a file path"],
  ])("refuses a kubeconfig that %s, and does not print it", async (_, kubeconfig, fault) => {
    const { status, output } = await project.up(program("100.96.0.0/16", { kubeconfig }));
    expect(status).not.toBe(0);
    expect(output).toContain(fault);
    expect(output).not.toMatch(/tiger|dGlnZXI/);
  });
});

interface Operator {
  clusterNetworkOperator: { ovnKubernetesConfig: { ipv4: { internalJoinSubnet?: string } } };
}
