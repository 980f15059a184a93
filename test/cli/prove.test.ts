import { TYPE } from "../../src/resources/resourceTypes";
import type { PlanAnswer } from "../../src/reachability/answers/answer";
import { Folder, stackExport, state } from "../plan/plans";
import { NODE_PORT_CLUSTER } from "./nodePortCluster";
import { call } from "./terminal";

let folder: Folder;
beforeEach(() => (folder = new Folder()));
afterEach(() => folder.remove());

const tags = { "hypershift-network/cluster": "tenant-a", "hypershift-network/role": "control-plane" };
const group = state(TYPE.securityGroup, "hosts", { tags }, { id: "sg-1" });
const rule = (name: string, from: number, to: number, cidrIpv4: string, more: object = {}) =>
  state(TYPE.ingressRule, name, {
    securityGroupId: "sg-1",
    ipProtocol: "tcp",
    fromPort: from,
    toPort: to,
    cidrIpv4,
    ...more,
  });
const ssh = rule("ssh", 2022, 2022, "192.0.2.0/24");
const config = () => folder.write("hypershift-network.yaml", NODE_PORT_CLUSTER);
const prove = (resources: object[], ...more: string[]) =>
  call(["prove", folder.write("plan.json", stackExport(resources)), "-c", config(), ...more]);

describe("hypershift-network prove", () => {
  it("reports each dropped flow with a packet and the rule to add, and fails", async () => {
    const { status, out, error } = await prove([group, ssh]);
    expect([status, error]).toEqual([1, ""]);
    expect(out).toMatch(
      /^clusters\/tenant-a: 0 of \d+ documented flows proved, 18 assumed, \d+ unknown, 11 refuted: this plan proves nothing; /,
    );
    expect(out).toMatch(/\n {4}workers-konnectivity: .*\n {6}packet {6}.*TCP 31091\n/);
    expect(out).toContain("repair      add to SecurityGroup hosts: ingress tcp 31091 from 198.51.100.7/32");
    expect(out).toContain("ssh: TCP 2022 from 192.0.2.0/24, at ingress of control-plane");
    expect(out).toContain("outside the model");
  });

  it("names filters that it does not read", async () => {
    const { error } = await prove([group, ssh, state("aws-native:ec2:SecurityGroup", "other", {})]);
    expect(error).toBe(
      "note  filters that are not read: aws-native:ec2:SecurityGroup (1): what they allow or block is unknown\n",
    );
  });

  it("fails for excess, and for unknown and assumed flows, only with --fail-on", async () => {
    const open = (type: string, protocol: string) =>
      state(type, `${protocol}-${type}`, {
        securityGroupId: "sg-1",
        ipProtocol: protocol,
        cidrIpv4: "0.0.0.0/0",
      });
    const all = [group, open(TYPE.ingressRule, "-1"), open(TYPE.egressRule, "-1")];
    const plain = await prove(all);
    expect(plain.out).toMatch(
      /proved, 0 assumed, [1-9]\d* unknown, 0 refuted; 2 rules open more than is needed/,
    );
    expect(plain.out).toContain(" from 0.0.0.0/0 except 10.0.0.0/15, 198.51.100.7/32, at ingress of");
    const statusOf = async (...words: string[]) =>
      Promise.all(words.map(async (word) => (await prove(all, "--fail-on", word)).status));
    expect([plain.status, ...(await statusOf("refuted", "excess"))]).toEqual([0, 0, 1]);
    expect(await statusOf("error", "warning", "unknown", "assumed")).toEqual([0, 1, 1, 1]);
  });

  it("fails if nothing is proved, because an input without filters is not correct", async () => {
    const { status, out } = await prove([state("kubernetes:core/v1:Namespace", "shop", {})]);
    expect(out).toMatch(
      /^clusters\/tenant-a: 0 of (\d+) documented flows proved, .*: this plan proves nothing;/,
    );
    expect(status).toBe(1);
  });

  it("lists flows that depend on the same foreign groups together, and fails for them only with --fail-on", async () => {
    const open = state(TYPE.egressRule, "open", {
      securityGroupId: "sg-1",
      ipProtocol: "-1",
      cidrIpv4: "0.0.0.0/0",
    });
    const hosts = [31_443, 31_444, 31_091, 31_090].map((port) =>
      rule(`workers-${port}`, port, port, "198.51.100.7/32"),
    );
    const plan = [group, open, ...hosts];
    const { status, out } = await prove(plan);
    expect(status).toBe(0);
    expect(out).toMatch(
      /\nassumed {2}9 flows\n {2}by {10}openshift-install's security groups .*\n {2}as of {7}.*\n {2}to prove {4}list the groups .*\n {4}control-plane-ingress-nodes-kubelet: /,
    );
    const json = await prove(plan, "--format", "json");
    const [{ summary, flows }] = (JSON.parse(json.out) as { hostedClusters: [PlanAnswer] }).hostedClusters;
    expect(summary).toMatchObject({ assumed: 9, refuted: 0, optionalRefuted: 0 });
    expect(flows.find(({ key }) => key === "control-plane-ingress-nodes-kubelet")).toMatchObject({
      proof: "assumed",
      assumptions: [{ by: "installer-node-groups", place: "ingress of control-plane" }],
    });
    expect((await prove(plan, "--fail-on", "assumed")).status).toBe(1);
  });

  it("lists flows that are unknown for the same reason together", async () => {
    const { out } = await prove([group]);
    expect(out).toMatch(
      /\nunknown {2}\d+ flows\n {2}not shown {3}what guards egress of workers\n {4}workers-egress-https: .*\n {4}workers-egress-dns-tcp: /,
    );
  });

  it("does not count a rule that a controller writes as excess", async () => {
    const written = { description: "kubernetes.io/rule/nlb/client=10.0.0.0/16" };
    const { out } = await prove([group, rule("controller", 2022, 2022, "192.0.2.0/24", written)]);
    expect(out).toContain("0 rules open more than is needed");
  });

  it("finds excess that network policies allow into the control plane's pods", async () => {
    const policy = state("kubernetes:networking.k8s.io/v1:NetworkPolicy", "etcd-for-all", {
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: { name: "etcd-for-all", namespace: "clusters-tenant-a" },
      spec: { podSelector: { matchLabels: { app: "etcd" } }, ingress: [{ ports: [{ port: 2379 }] }] },
    });
    const { out } = await prove([group, policy]);
    expect(out).toContain("ingress[0] of NetworkPolicy etcd-for-all: TCP 2379 from ");
    expect(out).toContain("at pods with app=etcd");
    const json = await prove([group, policy], "--format", "json");
    expect(JSON.parse(json.out)).toMatchObject({
      version: 1,
      hostedClusters: [{ excess: [{ places: [{ guard: "network policies of clusters-tenant-a" }] }] }],
    });
  });

  it("writes Markdown for a comment", async () => {
    const { out } = await prove([group], "--format", "markdown");
    expect(out).toMatch(/^<!-- hypershift-network prove -->\n\n```text\nclusters\/tenant-a: 0 of /);
  });

  it.each([
    ["no plan", ["prove"], "name the files of a plan, or what is running, with --live or --ec2"],
    ["a missing plan file", ["prove", "missing.json"], "no such file"],
    ["a plan without a hosted cluster", ["prove", "plan.json"], "no hosted cluster"],
    ["an unknown cluster", ["prove", "plan.json", "--cluster", "tenant-b"], "no hosted cluster tenant-b"],
    ["an unknown answer for --fail-on", ["prove", "plan.json", "--fail-on", "nothing"], "Allowed choices"],
  ])("exits with status 2 for %s", async (_, args, words) => {
    folder.write("plan.json", stackExport([group]));
    const named = args.map((arg) => (arg.endsWith(".json") ? `${folder.path}/${arg}` : arg));
    const { status, out, error } = await call(named);
    expect([status, out]).toEqual([2, ""]);
    expect(error).toContain(words);
  });
});
