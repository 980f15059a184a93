import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { repositoryRoot } from "../../local/repository";
import { freePort } from "../../local/servers/ports";
import type { Session } from "../../local/session";
import { applied, namespaced } from "./applied";
import { hostedClusterObject } from "./hostedCluster";
import { HostedNetwork, TRANSIT } from "./probes/hostedNetwork";
import { answers, everythingAnswers, ProbeWorld, ready } from "./probes/probeWorld";
import { kubeconfigWithRoles } from "./roles";
import { sharedSession } from "./sharedSession";

const JOIN = "100.99.0.0/16";
/** The command as users run it. */
const command = join(repositoryRoot, "dist", "src", "cli", "main.js");
const ipv4 = { internalJoinSubnet: JOIN, internalTransitSwitchSubnet: TRANSIT };

/** A kube-apiserver that is both management and hosted cluster; the test writes what operators and kubelets would write. */
describe("hypershift-network verify", () => {
  const folder = mkdtempSync(join(tmpdir(), "verify-"));
  let session: Session;
  let network: HostedNetwork;
  let kubeconfig: string;
  let hosted: string;

  const apply = (path: string, object: object) => applied(session, path, object);

  const HOSTED_CLUSTER = "/apis/hypershift.openshift.io/v1beta1/namespaces/clusters/hostedclusters/tenant-a";
  const hostedCluster = { apiVersion: "hypershift.openshift.io/v1beta1", kind: "HostedCluster" };
  const run = (...args: string[]): Promise<{ status: number; out: string; error: string }> =>
    new Promise((resolve) =>
      execFile(process.execPath, [command, "verify", ...args], (failure, out, error) =>
        resolve({ status: failure ? Number(failure.code) : 0, out, error }),
      ),
    );
  const verify = (...options: string[]) =>
    run(
      "clusters/tenant-a",
      "--management-kubeconfig",
      kubeconfig,
      "--timeout",
      "0",
      "--no-probes",
      ...options,
    );

  const withRoles = (name: string, ...files: string[]) => kubeconfigWithRoles(session, name, ...files);

  beforeAll(async () => {
    session = await sharedSession(join(folder, "state"));
    network = new HostedNetwork(session);
    await network.runs(JOIN);
    await namespaced(session, "clusters");
    const operatorConfiguration = { clusterNetworkOperator: { ovnKubernetesConfig: { ipv4 } } };
    await apply(HOSTED_CLUSTER, hostedClusterObject({ operatorConfiguration }));
    kubeconfig = await withRoles("management", "verify-management.yaml");
    hosted = await withRoles("hosted", "verify-hosted.yaml");
  });
  afterAll(async () => {
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("fails with the reason and the fix before the hosted cluster has a kubeconfig", async () => {
    const { status, out, error } = await verify();
    expect([status, out]).toEqual([2, ""]);
    expect(error).toContain("no kubeconfig in its status");
    expect(error).toContain("--hosted-kubeconfig");
  });

  describe("with the smallest roles, and the kubeconfig that the HostedCluster names", () => {
    beforeAll(async () => {
      const name = "tenant-a-admin-kubeconfig";
      await apply(`/api/v1/namespaces/clusters/secrets/${name}`, {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name },
        data: { kubeconfig: readFileSync(hosted).toString("base64") },
      });
      await apply(`${HOSTED_CLUSTER}/status`, {
        ...hostedCluster,
        metadata: { name: "tenant-a" },
        status: { kubeconfig: { name } },
      });
    });

    test("passes if the subnet has arrived everywhere", async () => {
      const { status, out } = await verify("--since", "0");
      expect(out).toContain("clusters/tenant-a: verified, 7 of 7 checks passed\n");
      expect(out).toContain("found     generation 1, 2 of 2 pods updated, 2 available\n");
      expect(status).toBe(0);
    });

    test("fails for the state from before the change, even if it is rolled out completely", async () => {
      const { status, out } = await verify("--since", `${await network.generation()}`);
      expect(status).toBe(1);
      expect(out).toContain("still the generation from before the change");
    });

    test("reports a roll-out that begins and stalls, and passes once it is complete", async () => {
      const before = `${await network.generation()}`;
      await network.template("2");
      expect((await verify("--since", before)).out).toContain("has not seen this generation yet");
      await network.rolledOut(await network.generation(), 1, 2);
      const stalled = await verify("--since", before, "--timeout", "2");
      expect([stalled.status, stalled.out]).toEqual([
        1,
        expect.stringContaining("1 of 2 pods updated, 2 available"),
      ]);
      expect(stalled.error).toContain("--timeout expired after 2 seconds");
      await network.rolledOut(await network.generation(), 2, 1);
      expect((await verify("--since", before)).status).toBe(1);
      const waiting = verify("--since", before, "--timeout", "600");
      await network.rolledOut(await network.generation(), 2);
      const { status, error } = await waiting;
      expect(status).toBe(0);
      expect(error.split("\n").length).toBeLessThan(4);
    });

    test("fails while the roll-out status is that of an earlier generation", async () => {
      await network.template("3");
      await network.rolledOut((await network.generation()) - 1, 2);
      expect((await verify()).status).toBe(1);
      await network.rolledOut(await network.generation(), 2);
      expect((await verify()).status).toBe(0);
    });

    test("fails for a node that keeps its old address, and for one that does not state its address", async () => {
      await network.node("two", "100.64.0.3/16");
      const old = await verify();
      expect(old.status).toBe(1);
      expect(old.out).toContain("found     1 of 2 elsewhere: two 100.64.0.3/16");
      await network.node("two", "", { "k8s.ovn.org/node-gateway-router-lrp-ifaddrs": "{}" });
      const silent = await verify();
      expect(silent.status).toBe(1);
      expect(silent.out).toContain("unknown  the nodes' addresses in OVN's join subnet");
      await network.node("two", "100.99.0.3/16");
    });

    test("fails if the operator or the HostedCluster does not have the configured subnet", async () => {
      await network.operatorHas("100.64.0.0/16");
      const { status, out } = await verify("--format", "json");
      expect(status).toBe(1);
      expect(JSON.parse(out)).toMatchObject({
        version: 1,
        cluster: "clusters/tenant-a",
        verified: false,
        checks: expect.arrayContaining([
          expect.objectContaining({
            id: "network-operator-value/internalJoinSubnet",
            expected: JOIN,
            found: "100.64.0.0/16",
            status: "failed",
          }),
        ]) as unknown,
      });
      await network.operatorHas(JOIN);
      const config = join(folder, "hypershift-network.yaml");
      const wish = "hostedClusters: [{ name: tenant-a, internalJoinSubnet: 100.98.0.0/16 }]\n";
      writeFileSync(config, wish);
      const junit = await verify("-c", config, "--format", "junit");
      expect(junit.status).toBe(1);
      expect(junit.out).toMatch(/<testsuite name="clusters\/tenant-a" tests="4" failures="3">/);
    });
  });

  describe("M7 with probes", () => {
    const PLACE = "hypershift-network-verify";
    const PODS = `/api/v1/namespaces/${PLACE}/pods`;
    let world: ProbeWorld;
    let withProbes: string;

    const argsOf = (hosted: string, ...options: string[]) => [
      ...["clusters/tenant-a", "--management-kubeconfig", kubeconfig, "--hosted-kubeconfig", hosted],
      ...options,
    ];
    const probe = (hosted: string, ...options: string[]) =>
      run(...argsOf(hosted, "--timeout", "600", ...options));
    const namesAt = async (path: string): Promise<string[]> => {
      const { body } = await session.kubernetes.request("GET", path);
      return ((body as { items?: { metadata: { name: string } }[] }).items ?? []).map(
        ({ metadata }) => metadata.name,
      );
    };
    /** The objects of probes that still exist. */
    const left = async () =>
      (
        await Promise.all(
          [PODS, `/api/v1/namespaces/${PLACE}/services`, `/apis/batch/v1/namespaces/${PLACE}/jobs`].map(
            namesAt,
          ),
        )
      ).flat();
    const gone = async (path: string) => (await session.kubernetes.request("GET", path)).status === 404;

    beforeAll(() => {
      world = new ProbeWorld(session.kubernetes);
    });
    beforeEach(() => {
      world.pods = ({ metadata: { name } }) => ready(name.endsWith("-one") ? "10.132.0.9" : "10.132.2.9");
      world.jobs = everythingAnswers;
    });
    afterAll(() => world?.stop());

    test("names the missing verb and resource without the role for probes, and still reports the other checks", async () => {
      const { status, out } = await probe(hosted);
      expect(status).toBe(1);
      expect(out).toContain("not verified, 7 of 8 checks passed");
      expect(out).toMatch(/unknown {2}probes .*\n.*\n.*cannot get resource "namespaces".*\n.*rbac\//);
    });

    describe("with the smallest roles, in an existing namespace", () => {
      beforeAll(async () => {
        withProbes = await withRoles("probes", "verify-hosted.yaml", "verify-probes.yaml");
      });
      afterEach(async () => {
        expect(await left()).toEqual([]);
        expect(await gone(`/api/v1/namespaces/${PLACE}`)).toBe(false);
      });

      test("fails for a Service that does not answer", async () => {
        const failed = { reason: "BackoffLimitExceeded", message: "Job has reached the limit" };
        world.jobs = (job) => ({ failed, message: answers(job, (id) => !id.startsWith("pod-to-service")) });
        const { status, out } = await probe(withProbes, "--format", "junit");
        expect(status).toBe(1);
        expect(out).toContain('tests="11" failures="1"');
        expect(out).toContain('<testcase classname="pod-to-service/IPv4"');
        expect(out).toContain("found no answer within 5 seconds");
      });

      test.each([
        [
          "an image that cannot be pulled",
          {
            containerStatuses: [
              {
                name: "server",
                image: "",
                imageID: "",
                ready: false,
                restartCount: 0,
                state: { waiting: { reason: "ErrImageNeverPull", message: "not there" } },
              },
            ],
          },
          /image cannot be pulled, registry\.example\.com\/python: not there(.*\n)*.*--probe-image/,
        ],
        [
          "nodes that accept no pods",
          {
            conditions: [
              {
                type: "PodScheduled",
                status: "False",
                reason: "Unschedulable",
                message: "0/1 nodes are available",
              },
            ],
          },
          /not scheduled: 0\/1 nodes are available, when the timeout expired(.*\n)*.*two nodes must accept pods/,
        ],
      ])("reports %s", async (_, status, words) => {
        world.pods = () => ({ phase: "Pending", ...status });
        const options = ["--probe-image", "registry.example.com/python", "--timeout", "20"];
        const { status: exit, out } = await probe(withProbes, ...options);
        expect(exit).toBe(1);
        expect(out).toMatch(words);
      });

      test.each([
        ["SIGINT", 130],
        ["SIGTERM", 143],
      ] as const)("removes the probes after %s", async (signal, expected) => {
        world.pods = () => undefined;
        const child = spawn(process.execPath, [command, "verify", ...argsOf(withProbes)], {
          stdio: ["ignore", "ignore", "pipe"],
        });
        let error = "";
        child.stderr.on("data", (text: Buffer) => (error += text.toString()));
        while ((await namesAt(PODS)).length < 2) await new Promise((resolve) => setTimeout(resolve, 100));
        child.kill(signal);
        expect((await once(child, "close"))[0]).toBe(expected);
        expect(error).toContain(`ended by ${signal}, and the probes are removed`);
      });

      describe("the flows that workers need", () => {
        const at = `/apis/apps/v1/namespaces/kube-system/daemonsets/konnectivity-agent`;
        const flows = (...options: string[]) => probe(withFlows, "--flows", "--namespace", PLACE, ...options);
        let withFlows: string;

        beforeAll(async () => {
          withFlows = await withRoles("flows", "verify-probes.yaml", "verify-flows.yaml");
          const labels = { app: "konnectivity-agent" };
          const args = ["--proxy-server-host", "192.0.2.10", "--proxy-server-port", "8091"];
          const containers = [{ name: "konnectivity-agent", image: "konnectivity", args }];
          await apply(at, {
            apiVersion: "apps/v1",
            kind: "DaemonSet",
            metadata: { name: "konnectivity-agent" },
            spec: {
              selector: { matchLabels: labels },
              template: { metadata: { labels }, spec: { containers } },
            },
          });
        });
        const statusOf = (status: object) =>
          apply(`${HOSTED_CLUSTER}/status`, { ...hostedCluster, metadata: { name: "tenant-a" }, status });
        const kubeconfigOf = { kubeconfig: { name: "tenant-a-admin-kubeconfig" } };

        test("are tested at the endpoints that the cluster states, each with its requirement", async () => {
          await statusOf({
            ...kubeconfigOf,
            controlPlaneEndpoint: { host: "api.example.com", port: 6443 },
            ignitionEndpoint: "ignition.example.com",
            oauthCallbackURLTemplate: "https://oauth.example.com/oauth2callback/[identity-provider-name]",
          });
          const { status, out } = await flows("--format", "json");
          const { checks } = JSON.parse(out) as {
            checks: { id: string; requirement: string; expected: string }[];
          };
          expect(checks.map(({ id, expected }) => [id, expected])).toEqual([
            ["flow/dns-tcp", "an answer of port 53, TCP"],
            ["flow/dns-udp", "an answer of port 53, UDP"],
            ["flow/kube-apiserver", "an answer of api.example.com:6443, TCP"],
            ["flow/konnectivity", "an answer of 192.0.2.10:8091, TCP"],
            ["flow/ignition", "an answer of ignition.example.com:443, TCP"],
            ["flow/oauth", "an answer of oauth.example.com:443, TCP"],
            ["flow/registry", "an answer of quay.io:443, TCP"],
          ]);
          expect(checks.every(({ requirement }) => requirement !== "")).toBe(true);
          expect(status).toBe(0);
        });

        test("fail if they are closed, and are unknown if their endpoint is not stated", async () => {
          await statusOf(kubeconfigOf);
          world.jobs = (job) => ({ message: answers(job, (id) => id !== "flow/konnectivity") });
          const { status, out } = await flows();
          expect(status).toBe(1);
          expect(out).toMatch(/failed {3}workers reach the konnectivity server \(.*\)\n.*192\.0\.2\.10:8091/);
          expect(out).toMatch(
            /unknown {2}workers reach the API server .*\n.*\n.*is not stated.*\n.*status\.controlPlaneEndpoint/,
          );
        });
      });

      test("removes what a killed run left behind", async () => {
        world.pods = () => undefined;
        const child = spawn(process.execPath, [command, "verify", ...argsOf(withProbes)], {
          stdio: "ignore",
        });
        while ((await namesAt(PODS)).length < 2) await new Promise((resolve) => setTimeout(resolve, 100));
        child.kill("SIGKILL");
        await once(child, "exit");
        expect((await namesAt(PODS)).length).toBe(2);
        world.pods = () => ready("10.132.0.9");
        expect((await probe(withProbes)).status).toBe(0);
      });
    });
  });

  test.each([
    [
      "a missing permission",
      "clusters/tenant-b",
      /denies the request: .*cannot get resource "hostedclusters".*\n.*rbac\//,
    ],
    ["a name without a namespace", "tenant-a", /name one HostedCluster as namespace\/name/],
    ["an invalid namespace", "clusters/a --namespace A", /--namespace "A" is not a Kubernetes name/],
  ])("exits with status 2 for %s", async (_, words, expected) => {
    const { status, error } = await run(...words.split(" "), "--management-kubeconfig", kubeconfig);
    expect(status).toBe(2);
    expect(error).toMatch(expected);
  });

  test("exits with status 2 for a missing HostedCluster, a missing kubeconfig and an unreachable cluster", async () => {
    const gone = await run("clusters/gone", "--management-kubeconfig", session.kubeconfig);
    expect([gone.status, gone.error]).toEqual([
      2,
      expect.stringContaining("has no HostedCluster clusters/gone"),
    ]);
    const none = await run("clusters/gone", "--management-kubeconfig", join(folder, "none"));
    expect([none.status, none.error]).toEqual([2, expect.stringContaining("cannot be used")]);
    expect(none.error).toContain(`there is no such file: ${join(folder, "none")}`);
    const away = join(folder, "away");
    const nowhere = `https://127.0.0.1:${await freePort()}`;
    writeFileSync(away, readFileSync(session.kubeconfig, "utf8").replace(session.kubernetes.url, nowhere));
    const { status, error } = await run("clusters/gone", "--management-kubeconfig", away);
    expect([status, error]).toEqual([2, expect.stringContaining("does not answer")]);
  });
});
