import { setTimeout as sleep } from "node:timers/promises";

import { MigrationPhase } from "../../src/networkTypeMigration/phases";
import { inLanes } from "../../local/inLanes";
import { namespaced } from "./applied";
import { fine } from "./conformance/kubernetesBench";
import { versionsOf } from "./examples/inventory";
import { MigrationScene } from "./networkTypeMigration/scene";
import { egressNetworkPolicy, hostSubnet, netNamespace } from "./networkTypeMigration/sdnObjects";

const { Begin, ChangeNetworkType, RollBackEnd } = MigrationPhase;
const INSTEAD = {
  firewall: "an EgressFirewall named default in the same namespace",
  address: "an EgressIP that selects the namespace",
  node: "the label k8s.ovn.org/egress-assignable on the node",
  multicast: "the annotation of OVN-Kubernetes on the namespace, as MulticastNamespace writes it",
};
/** What must be rewritten, of each kind; next to it are objects that need not be. */
const FOUND = [
  { object: "EgressNetworkPolicy bank/default", what: "1 rule", instead: INSTEAD.firewall },
  { object: "EgressNetworkPolicy shop/default", what: "2 rules", instead: INSTEAD.firewall },
  { object: "NetNamespace chat", what: "multicast", instead: INSTEAD.multicast },
  { object: "NetNamespace shop", what: "addresses 192.0.2.1, 192.0.2.2", instead: INSTEAD.address },
  { object: "NetNamespace shop", what: "multicast", instead: INSTEAD.multicast },
  { object: "HostSubnet one", what: "addresses 192.0.2.1", instead: INSTEAD.node },
  { object: "HostSubnet two", what: "addresses 192.0.2.2, 192.0.2.0/28", instead: INSTEAD.node },
];
/** More than any client reads in one page. */
const MANY = 620;

/** The real engine, and objects of OpenShift SDN on the real API server. */
describe("M21 objects that OVN-Kubernetes does not take over", () => {
  let scene: MigrationScene;

  beforeAll(async () => {
    scene = await MigrationScene.open();
  });
  afterAll(() => scene?.close());

  const refusal = ({ object, what, instead }: (typeof FOUND)[number], phase: MigrationPhase = Begin) =>
    `${phase} is refused: ${object} ${what} not taken over: prepare ${instead}, then set translationsPrepared to true`;
  /** The engine's refusals of a phase, each once: it prints them when they occur and again at the end. */
  const lines = (output: string, phase: MigrationPhase = Begin) => [
    ...new Set(output.match(new RegExp(`${phase} is refused: .*`, "g")) ?? []),
  ];

  test("are an empty list if the cluster has only default objects", async () => {
    await netNamespace(scene.session, "default");
    await hostSubnet(scene.session, "three");
    const bench = await scene.bench("nothing");
    fine(await bench.preview(scene.program(Begin)));
    for (const phase of [Begin, RollBackEnd]) {
      fine(await bench.up(scene.program(phase)));
      expect((await bench.outputs()).translations).toEqual([]);
    }
  });

  describe("that exist", () => {
    beforeAll(async () => {
      const { session } = scene;
      for (const name of ["shop", "bank"]) await namespaced(session, name);
      await egressNetworkPolicy(
        session,
        "shop",
        ["Allow", { dnsName: "www.example.com" }],
        ["Deny", { cidrSelector: "0.0.0.0/0" }],
      );
      await egressNetworkPolicy(session, "bank", ["Deny", { cidrSelector: "0.0.0.0/0" }]);
      await netNamespace(session, "shop", { egressIPs: ["192.0.2.1", "192.0.2.2"], multicast: "true" });
      await netNamespace(session, "chat", { multicast: "true" });
      await netNamespace(session, "mute", { multicast: "false" });
      await hostSubnet(session, "one", { egressIPs: ["192.0.2.1"] });
      await hostSubnet(session, "two", { egressIPs: ["192.0.2.2"], egressCIDRs: ["192.0.2.0/28"] });
    });

    test("are listed by name with their replacement at preview and at up, and nothing is written", async () => {
      const bench = await scene.bench("listed");
      const before = await versionsOf(scene.session.kubernetes);
      for (const run of ["preview", "up"] as const) {
        const { ok, output } = await bench[run](scene.program(Begin));
        expect([run, ok, lines(output).sort()]).toEqual([
          run,
          false,
          FOUND.map((one) => refusal(one)).sort(),
        ]);
      }
      expect(await versionsOf(scene.session.kubernetes)).toEqual(before);
    });

    test("are an output once translationsPrepared is set, are refused again before the change, and not on the way back", async () => {
      const bench = await scene.bench("prepared");
      const prepared = scene.program(Begin, { translationsPrepared: true });
      fine(await bench.preview(prepared));
      fine(await bench.up(prepared));
      expect((await bench.outputs()).translations).toEqual(FOUND);
      const { output } = await bench.preview(scene.program(ChangeNetworkType));
      expect(lines(output, ChangeNetworkType)).toEqual(
        expect.arrayContaining(FOUND.map((one) => refusal(one, ChangeNetworkType))),
      );
      fine(await bench.up(scene.program(RollBackEnd)));
      expect((await bench.outputs()).translations).toEqual([]);
    });

    test("are all listed if there are hundreds", async () => {
      const names = Array.from({ length: MANY }, (_, place) => `project-${String(place).padStart(3, "0")}`);
      const eight = Array.from({ length: 8 }, (_, lane) => lane);
      await inLanes(eight, names, (_, name) => netNamespace(scene.session, name, { multicast: "true" }));
      const bench = await scene.bench("hundreds");
      const { ok, output } = await bench.preview(scene.program(Begin));
      expect([ok, lines(output)]).toEqual([false, expect.arrayContaining(FOUND.map((one) => refusal(one)))]);
      expect(lines(output)).toHaveLength(FOUND.length + MANY);
      fine(await bench.up(scene.program(Begin, { translationsPrepared: true })));
      const { translations } = (await bench.outputs()) as { translations: { object: string }[] };
      const multicast = names.map((name) => `NetNamespace ${name}`);
      expect(translations.map(({ object }) => object)).toEqual(expect.arrayContaining(multicast));
      expect(translations).toHaveLength(FOUND.length + MANY);
      fine(await bench.up(scene.program(RollBackEnd)));
    });
  });

  test("are not listed if the cluster does not know their kinds", async () => {
    for (const kinds of ["egressnetworkpolicies", "netnamespaces", "hostsubnets"]) {
      const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${kinds}.network.openshift.io`;
      await scene.session.kubernetes.request("DELETE", path);
      // Its objects are deleted first.
      while ((await scene.session.kubernetes.request("GET", path)).status !== 404) await sleep(200);
    }
    fine(await (await scene.bench("unknown-kinds")).preview(scene.program(Begin)));
  });
});
