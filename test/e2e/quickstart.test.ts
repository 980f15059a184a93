import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Stack } from "@pulumi/pulumi/automation";

import { CALL_LOG_VARIABLE, readCalls } from "../../local/plugins/provider/callLog";
import { outcomeOf, type Outcome } from "../../local/quickstart/outcome";
import {
  countResources,
  POLICY_PACK,
  projectBeside,
  selectStack,
  STACKS,
} from "../../local/quickstart/stacks";
import { type Session, startSession } from "../../local/session";
import { World } from "./world";

const HOSTED_CLUSTER = "/apis/hypershift.openshift.io/v1beta1/namespaces/clusters/hostedclusters/tenant-a";
const EGRESS_FIREWALL = "/apis/k8s.ovn.org/v1/namespaces/shop/egressfirewalls/default";

/** One session and one stack for the life cycle of the quick start; the tests are in the order of that cycle. */
describe("the quick start", () => {
  const folder = mkdtempSync(join(tmpdir(), "quickstart-"));
  const callLog = join(folder, "calls");
  let session: Session;

  const stackOf = async (which: (typeof STACKS)[keyof typeof STACKS], env: Record<string, string> = {}) => {
    const place = { env: { ...session.env, ...env }, pulumiCommand: session.pulumiCommand };
    return selectStack(which, { ...place, project: await projectBeside(join(folder, "project"), place) });
  };
  const gated = (run: "preview" | "up", stack: Stack): Promise<Outcome> =>
    outcomeOf((onEvent) => stack[run]({ policyPacks: [POLICY_PACK], onEvent }));

  beforeAll(async () => {
    session = await startSession({ stateFolder: join(folder, "state"), plugins: "stand-in" });
  });
  afterAll(async () => {
    await session.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("M22 the first preview passes the policy pack without findings or unknown values", async () => {
    const outcome = await gated("preview", await stackOf(STACKS.composed));
    expect(outcome.errors).toEqual([]);
    expect(outcome.refusals).toEqual([]);
    expect(outcome.remarks.map(({ policyName, message }) => `${policyName}: ${message}`)).toEqual([]);
    expect(outcome.succeeded).toBe(true);
  });

  test("M23 up makes the security groups, the HostedCluster and the egress firewall", async () => {
    const stack = await stackOf(STACKS.composed);
    const outcome = await gated("up", stack);
    expect(outcome.errors).toEqual([]);
    expect(outcome.succeeded).toBe(true);

    const world = new World(session);
    expect((await world.vpcs()).sort()).toEqual(["10.0.0.0/16", "10.1.0.0/16", "100.64.0.0/16"]);
    const groups = (await stack.outputs()).groups!.value as Record<string, string>;
    expect(await world.rules(groups.controlPlane!)).toMatchSnapshot("control-plane hosts");
    expect(await world.rules(groups.workers!)).toMatchSnapshot("workers");
    expect((await world.object(HOSTED_CLUSTER))?.spec).toMatchObject({
      operatorConfiguration: {
        clusterNetworkOperator: {
          ovnKubernetesConfig: {
            ipv4: { internalJoinSubnet: "100.99.0.0/16", internalTransitSwitchSubnet: "100.69.0.0/16" },
          },
        },
      },
      configuration: { proxy: { httpProxy: "http://proxy.example.com:3128" } },
    });
    expect((await world.object(EGRESS_FIREWALL))?.spec).toMatchSnapshot("egress firewall");
  });

  test("M23 a second up changes nothing, with or without refresh, even after a restart of the servers", async () => {
    const unchanged = async (refresh: boolean) => {
      const stack = await stackOf(STACKS.composed);
      const outcome = await outcomeOf((onEvent) =>
        stack.up({ refresh, onEvent, policyPacks: [POLICY_PACK] }),
      );
      expect(outcome.errors).toEqual([]);
      expect(Object.keys(outcome.changes)).toEqual(["same"]);
    };
    await unchanged(false);
    await unchanged(true);
    session = await session.restart();
    await unchanged(true);
    await unchanged(false);
  });

  test("M22 the handwritten network is refused at preview, and nothing of it is created", async () => {
    const stack = await stackOf(STACKS.handWritten, { [CALL_LOG_VARIABLE]: callLog });
    const outcome = await gated("preview", stack);
    expect(outcome.succeeded).toBe(false);
    const rules = [...new Set(outcome.refusals.map(({ policyName }) => policyName))].sort();
    expect(rules).toEqual(["cidr-reserved-overlap", "port-missing", "port-public"]);
    const missing = outcome.refusals.filter(({ policyName }) => policyName === "port-missing");
    for (const blocked of ["TCP 6443", "TCP 53", "UDP 53"])
      expect(missing.map(({ message }) => message).join("\n")).toContain(
        `control-plane hosts -> any address, ${blocked}`,
      );
    expect(await countResources(stack)).toBe(0);
    const calls = readCalls(callLog).filter(({ method }) => ["Create", "Update", "Delete"].includes(method));
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.filter(({ preview }) => preview !== true)).toEqual([]);
  });

  test("destroy is refused because the HostedCluster is protected, and the cluster stays", async () => {
    const stack = await stackOf(STACKS.composed);
    const outcome = await outcomeOf((onEvent) => stack.destroy({ onEvent }));
    expect(outcome.succeeded).toBe(false);
    expect(outcome.errors.join("\n")).toContain("protect");
    expect(await new World(session).object(HOSTED_CLUSTER)).toBeDefined();
  });
});
