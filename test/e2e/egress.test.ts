import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Session } from "../../local/session";
import { EgressAssignableNodes, EgressIP } from "../../src/egressIp/component/egressIp";
import { EgressFirewall } from "../../src/egressFirewall/component/egressFirewall";
import { EgressFirewallRuleType, InfrastructurePlatform } from "../../src";
import { EgressRouter } from "../../src/egressRouter/component/egressRouter";
import {
  EgressRouterForm,
  EgressRouterProtocol,
  EgressRouterWorkload,
} from "../../src/egressRouter/egressRouter";
import { MulticastNamespace } from "../../src/multicast/component/multicastNamespace";
import type { EgressRouterArgs } from "../../src/egressRouter/component/egressRouterArgs";
import { Bench, fine, kubectl, kubectlWith } from "./conformance/kubernetesBench";
import { inventory } from "./examples/inventory";
import { strictRefusals } from "./examples/strict";
import { World } from "./world";
import { sharedSession } from "./sharedSession";

/** Objects of others, with the content that they wrote. */
const foreign = {
  labels: { "team.example.com/owner": "a" },
  annotations: { "team.example.com/note": "keep" },
};
const theirs = [
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "clusters" } },
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop", ...foreign } },
  { apiVersion: "v1", kind: "Node", metadata: { name: "worker-0", ...foreign } },
  { apiVersion: "v1", kind: "Node", metadata: { name: "worker-1", ...foreign } },
  {
    apiVersion: "hypershift.openshift.io/v1beta1",
    kind: "NodePool",
    metadata: { name: "workers", namespace: "clusters", ...foreign },
    spec: {
      clusterName: "tenant-a",
      replicas: 2,
      nodeLabels: foreign.labels,
      management: { upgradeType: "InPlace" },
      platform: { type: "Agent", agent: {} },
      release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" },
    },
  },
];
const NODE_POOL = "/apis/hypershift.openshift.io/v1beta1/namespaces/clusters/nodepools/workers";
const PLACES = ["/api/v1/namespaces/shop", "/api/v1/nodes/worker-0", "/api/v1/nodes/worker-1", NODE_POOL];
const LABEL = "k8s.ovn.org/egress-assignable";

const router =
  (more: Partial<EgressRouterArgs>) =>
  (destinationIp: string): void => {
    new EgressRouter("egress", {
      namespace: "shop",
      release: "4.20",
      platform: InfrastructurePlatform.BareMetal,
      nodeSubnets: ["192.0.2.0/24"],
      address: "192.0.2.99/24",
      gateway: "192.0.2.1",
      redirectRules: [{ port: 5432, protocol: EgressRouterProtocol.TCP, destinationIp }],
      ...more,
    });
  };
/** No pods are started here, so nothing waits for them. */
const attached = {
  form: EgressRouterForm.NetworkAttachment,
  annotations: { "pulumi.com/skipAwait": "true" },
};

interface Life {
  title: string;
  /** The components, each with two values of an input that is updated in place. */
  make: (value: string) => void;
  values: [string, string];
  /** The object that is updated in place. */
  object: string;
}

const lives: Life[] = [
  {
    title: "M15 an egress firewall",
    make: (cidr) => {
      const { Allow, Deny } = EgressFirewallRuleType;
      const rules = [
        { type: Allow, cidr },
        { type: Deny, cidr: "0.0.0.0/0" },
      ];
      new EgressFirewall("shop", { namespace: "shop", allowApiServer: true, rules });
    },
    values: ["203.0.113.0/24", "198.51.100.0/24"],
    object: "/apis/k8s.ovn.org/v1/namespaces/shop/egressfirewalls/default",
  },
  {
    title: "M16 an egress IP with its nodes",
    make: (address) => {
      new EgressIP("shop", {
        addresses: [address],
        namespaceSelector: { matchLabels: foreign.labels },
        nodes: ["worker-0", "worker-1"],
        nodeSubnets: ["192.0.2.0/24"],
      });
    },
    values: ["192.0.2.200", "192.0.2.201"],
    object: "/apis/k8s.ovn.org/v1/egressips/shop",
  },
  {
    title: "M17 an egress router by its object",
    make: router({}),
    values: ["203.0.113.21", "203.0.113.22"],
    object: "/apis/network.operator.openshift.io/v1/namespaces/shop/egressrouters/egress",
  },
  {
    title: "M17 an egress router by network attachment and Deployment",
    make: router(attached),
    values: ["203.0.113.21", "203.0.113.22"],
    object: "/apis/k8s.cni.cncf.io/v1/namespaces/shop/network-attachment-definitions/egress",
  },
];

/** The real engine and the real API server, with the CRDs of the product. */
describe("egress controls", () => {
  const folder = mkdtempSync(join(tmpdir(), "egress-"));
  let session: Session;
  let world: World;
  let before: Set<string>;
  let untouched: unknown[];
  const benches: Bench[] = [];

  const open = async (name: string) => {
    const bench = await Bench.open(session, name);
    benches.push(bench);
    return bench;
  };
  const program = (make: () => unknown) => () => {
    make();
    return Promise.resolve();
  };
  /** The current state of what others wrote. */
  const others = () => Promise.all(PLACES.map(async (path) => written(await world.object(path))));
  const gone = async (bench: Bench) => {
    fine(await bench.destroy());
    expect([...(await inventory(session))].filter((thing) => !before.has(thing))).toEqual([]);
    expect(await others()).toEqual(untouched);
  };

  beforeAll(async () => {
    session = await sharedSession(folder);
    world = new World(session);
    const flags = ["--server-side", "--validate=strict", "--field-manager=admin"];
    for (const object of theirs) kubectlWith(session, JSON.stringify(object), "apply", ...flags, "-f", "-");
    before = await inventory(session);
    untouched = await others();
  });
  afterAll(async () => {
    for (const bench of benches) bench.close();
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  describe.each(lives)("$title", ({ title, make, values: [first, second], object }) => {
    const of = (value: string) => program(() => make(value));
    let bench: Bench;
    let uid: string;

    test("is accepted with strict field validation, and a second up changes nothing", async () => {
      bench = await open(title.toLowerCase().replace(/[^a-z0-9]+/g, "-"));
      fine(await bench.up(of(first)));
      expect(await strictRefusals(session.kubernetes, bench.resources())).toEqual([]);
      expect(await others()).toMatchObject(untouched);
      expect(Object.keys(fine(await bench.up(of(first), true)).changes)).toEqual(["same"]);
      uid = metadataOf(await world.object(object)).uid;
    });

    test("is updated in place, and keeps labels that others set", async () => {
      const { kind, apiVersion } = (await world.object(object)) as never;
      const labelled = { apiVersion, kind, metadata: { labels: foreign.labels } };
      await session.kubernetes.request("PATCH", `${object}?fieldManager=audit`, labelled);
      const { changes } = fine(await bench.up(of(second)));
      expect(Object.keys(changes).sort()).toEqual(["same", "update"]);
      const changed = await world.object(object);
      expect(metadataOf(changed)).toMatchObject({ uid, labels: foreign.labels });
      expect(JSON.stringify(changed?.spec)).toContain(second);
    });

    test("is deleted by destroy, and objects of others stay unchanged", () => gone(bench));
  });

  test("M16 nodes keep their label while a component sets it, in addition to labels of others", async () => {
    const labels = async () => metadataOf(await world.object("/api/v1/nodes/worker-0")).labels;
    const bench = await open("nodes");
    fine(await bench.up(program(() => new EgressAssignableNodes("nodes", { nodes: ["worker-0"] }))));
    expect(await labels()).toMatchObject({ ...foreign.labels, [LABEL]: "" });
    const beside = await open("beside");
    const also = program(() => new EgressAssignableNodes("nodes", { nodes: ["worker-0", "worker-1"] }));
    fine(await beside.up(also));
    fine(await bench.destroy());
    expect(await labels()).toHaveProperty([LABEL]);
    await gone(beside);
  });

  test("M16 NodePools get the node label in addition to labels of others", async () => {
    const bench = await open("node-pools");
    const nodePools = [{ name: "workers", namespace: "clusters" }];
    const label = program(() => new EgressAssignableNodes("pools", { nodePools }));
    fine(await bench.up(label));
    expect((await world.object(NODE_POOL))?.spec?.nodeLabels).toEqual({ ...foreign.labels, [LABEL]: "" });
    expect(await strictRefusals(session.kubernetes, bench.resources())).toEqual([]);
    expect(Object.keys(fine(await bench.up(label, true)).changes)).toEqual(["same"]);
    await gone(bench);
  });

  test("M17 a router's Pod is replaced when its network attachment changes", async () => {
    const bench = await open("router-pod");
    const make = router({ ...attached, workload: EgressRouterWorkload.Pod });
    fine(await bench.up(program(() => make("203.0.113.21"))));
    expect(await strictRefusals(session.kubernetes, bench.resources())).toEqual([]);
    const { changes } = fine(await bench.up(program(() => make("203.0.113.22"))));
    expect(changes).toMatchObject({ replace: 1 });
    await gone(bench);
  });

  const annotations = async () => metadataOf(await world.object("/api/v1/namespaces/shop")).annotations;

  test("M18 multicast is turned on and off by one annotation, and annotations of others stay", async () => {
    const multicast = (enabled: boolean) =>
      program(() => new MulticastNamespace("shop", { namespace: "shop", enabled }));
    const bench = await open("multicast");
    fine(await bench.up(multicast(true)));
    expect(await annotations()).toMatchObject({
      ...foreign.annotations,
      "k8s.ovn.org/multicast-enabled": "true",
    });
    expect(await strictRefusals(session.kubernetes, bench.resources())).toEqual([]);
    expect(Object.keys(fine(await bench.up(multicast(true), true)).changes)).toEqual(["same"]);
    fine(await bench.up(multicast(false)));
    expect(await others()).toEqual(untouched);
    fine(await bench.up(multicast(true)));
    await gone(bench);
  });

  test("M18 an annotation that another owner set to a different value causes a conflict, and stays", async () => {
    kubectl(session, "annotate", "namespace", "shop", "k8s.ovn.org/multicast-enabled=false");
    const bench = await open("multicast-of-others");
    const { ok, output } = await bench.up(
      program(() => new MulticastNamespace("shop", { namespace: "shop" })),
    );
    expect(ok).toBe(false);
    expect(output).toMatch(/conflict/i);
    const values = { ...foreign.annotations, "k8s.ovn.org/multicast-enabled": "false" };
    expect(await annotations()).toEqual(values);
    fine(await bench.destroy());
    expect(await annotations()).toEqual(values);
    kubectl(session, "annotate", "namespace", "shop", "k8s.ovn.org/multicast-enabled-");
    expect(await others()).toEqual(untouched);
  });
});

interface Metadata {
  uid: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

const metadataOf = (object: object | undefined): Metadata =>
  (object as { metadata: Metadata } | undefined)!.metadata;

/** The part of an object that people and programs write, without fields that the server manages. */
function written(object: { spec?: unknown } | undefined): unknown {
  const { labels, annotations } = metadataOf(object);
  return { labels, annotations, spec: object?.spec };
}
