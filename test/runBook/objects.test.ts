import { Platform } from "../../src/requirements/vocabulary";
import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";
import { makeRunBook } from "../../src/runBook/makeRunBook";
import { resource } from "../rules/builders";
import { clusterWith, judgedCluster, type Change } from "../rules/refusals/objects";
import { answers, side, stepIds } from "./sides";
import { Disruption, Outcome, type RunBook } from "../../src/runBook/runBook";

const aws = { platform: "AWS" };
const between = (current: Change, wanted: Change): RunBook =>
  makeRunBook({
    current: side(aws, [judgedCluster(clusterWith(Platform.AWS, current))]),
    wanted: side(aws, [judgedCluster(clusterWith(Platform.AWS, wanted))]),
  });

const publishedBy = (service: string) => ({ service, servicePublishingStrategy: { type: "Route" } });

describe("what two HostedCluster objects state besides their topology", () => {
  test("is answered field by field, and no value is shown", () => {
    const book = between(
      { fips: false },
      {
        fips: true,
        dns: { baseDomain: "hunter2.example.org" },
        channel: "stable-4.20",
        release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.9-x86_64" },
      },
    );
    expect(answers(book)).toEqual([
      ["spec.release.image", "mutable", "release-image"],
      ["spec.dns.baseDomain", "immutable"],
      ["spec.fips", "immutable"],
      ["spec.channel", "not-judged"],
    ]);
    expect(book.newCluster!.because).toEqual(["spec.dns.baseDomain", "spec.fips"]);
    expect(JSON.stringify(book)).not.toContain("hunter2");
  });

  test("stays unchanged if the wanted object does not state it, because the server writes defaults", () => {
    expect(answers(between({ infraID: "tenant-a-x1y2z", channel: "stable-4.20" }, {}))).toEqual([]);
  });

  test("is blocked, without a new cluster, if it states the same value differently", () => {
    const networks = (clusterNetwork: PropertyValue) => ({ networking: { clusterNetwork } });
    const cidr = "10.132.0.0/14";
    const [plain, written] = [networks([{ cidr }]), networks([{ cidr, hostPrefix: 23 }])];
    const reworded = between(plain, written);
    expect(answers(reworded)).toEqual([]);
    expect([reworded.outcome, reworded.newCluster]).toEqual([Outcome.Blocked, undefined]);
    expect(reworded.obstacles).toEqual([
      {
        what: "spec.networking.clusterNetwork: states the current value differently, and the API server accepts it only once",
        fix: "write it as the HostedCluster has it",
      },
    ]);
    expect(between(plain, plain).outcome).toBe(Outcome.NothingToDo);
    const services = [publishedBy("OAuthServer"), publishedBy("Ignition")];
    const turned = between({ services }, { services: [...services].reverse() });
    expect(turned.obstacles.map(({ what }) => what.split(":")[0])).toEqual(["spec.services"]);
    expect(turned.newCluster).toBeUndefined();
    const other = between({ services }, { services: [services[0]!, publishedBy("Konnectivity")] });
    expect(other.newCluster!.because).toEqual(["spec.services"]);
    expect(between({ services: [UNKNOWN] }, { services }).obstacles).toEqual([]);
  });

  const blocks = (...allowedCIDRBlocks: PropertyValue[]) => ({
    networking: { apiServer: { allowedCIDRBlocks } },
  });
  const [one, other] = ["198.51.100.0/24", "203.0.113.0/24"];

  test("has a step and a way back for allowed blocks of the API server", () => {
    const book = between({}, blocks(one));
    expect(answers(book)).toEqual([
      ["spec.networking.apiServer.allowedCIDRBlocks", "mutable", "allowed-blocks"],
    ]);
    const patch = (value: unknown) => ({ spec: { networking: { apiServer: { allowedCIDRBlocks: value } } } });
    expect(book.steps[0]!.patches[0]!.body).toEqual(patch([one]));
    expect(book.steps[0]!.wayBack.patches[0]!.body).toEqual(patch(null));
  });

  test("allows the blocks of both sides before anything moves, and only the wanted ones at the end", () => {
    const book = between(blocks(one), blocks(other));
    expect(answers(book)[0]!.slice(1)).toEqual(["mutable", "open-allowed-blocks", "allowed-blocks"]);
    expect(book.steps.map(({ patches, wayBack }) => [patches, wayBack.patches].map(blocksIn))).toEqual([
      [[[one, other]], [[one]]],
      [[[other]], [[one, other]]],
    ]);
    expect(stepIds(between(blocks(one), blocks(one, other)))).toEqual(["open-allowed-blocks"]);
    expect(stepIds(between(blocks(one, other), blocks(one)))).toEqual(["allowed-blocks"]);
    expect(stepIds(between(blocks(one), blocks()))).toEqual(["open-allowed-blocks"]);
    const moves = makeRunBook({
      current: side({ ...aws, endpointAccess: "PublicAndPrivate" }, [
        judgedCluster(clusterWith(Platform.AWS, blocks(one))),
      ]),
      wanted: side({ ...aws, endpointAccess: "Public" }, [
        judgedCluster(clusterWith(Platform.AWS, blocks(other))),
      ]),
    });
    expect(stepIds(moves).filter((id) => !id.endsWith("flows"))).toEqual([
      "open-allowed-blocks",
      "endpoint-access-Public",
      "allowed-blocks",
    ]);
  });

  const blocksIn = (patches: { body?: unknown }[]) =>
    patches.map(
      ({ body }) =>
        (body as { spec: { networking: { apiServer: { allowedCIDRBlocks: unknown } } } }).spec.networking
          .apiServer.allowedCIDRBlocks,
    );

  test.each([
    ["the list", { networking: { apiServer: { allowedCIDRBlocks: UNKNOWN } } }],
    ["an entry", blocks(one, UNKNOWN)],
    ["the enclosing object", { networking: { apiServer: UNKNOWN } }],
  ])("has no step for allowed blocks if %s is unknown", (_, unknown) => {
    for (const book of [
      between(blocks(one), unknown),
      between(unknown, blocks(one)),
      between(unknown, unknown),
    ]) {
      expect(answers(book)).toContainEqual(["spec.networking.apiServer.allowedCIDRBlocks", "unknown"]);
      expect([book.outcome, book.steps]).toEqual([Outcome.Unknown, []]);
    }
  });

  test("includes an added MTU, which is immutable", () => {
    const mtu = { operatorConfiguration: { clusterNetworkOperator: { ovnKubernetesConfig: { mtu: 1400 } } } };
    expect(answers(between({}, mtu))[0]!.slice(1)).toEqual(["immutable"]);
  });
});

describe("another image of the same minor release", () => {
  const image = (patch: number) => ({
    release: { image: `quay.io/openshift-release-dev/ocp-release:4.20.${patch}-x86_64` },
  });
  test("has a step that writes the image, and a way back", () => {
    const book = between(image(1), image(9));
    expect([book.outcome, stepIds(book)]).toEqual([Outcome.InPlace, ["release-image"]]);
    const [step] = book.steps;
    expect(step!.disruption).toBe(Disruption.NodesRollOut);
    expect([step!.patches[0]!.body, step!.wayBack.patches[0]!.body]).toEqual([
      { spec: image(9) },
      { spec: image(1) },
    ]);
    expect(between(image(9), image(9)).steps).toEqual([]);
  });

  test("opens the ports for joining nodes if they are closed", () => {
    const closed = (patch: number) =>
      side({ ...nodePorts, bootstrap: false }, [judgedCluster(clusterWith(Platform.None, image(patch)))]);
    expect(stepIds(makeRunBook({ current: closed(1), wanted: closed(9) }))).toEqual([
      "open-bootstrap",
      "release-image",
      "close-bootstrap",
    ]);
  });
  const nodePorts = { platform: "None" };
});

test("an upgrade to the release of the wanted object writes its image", () => {
  const image = "quay.io/openshift-release-dev/ocp-release:4.21.0-x86_64";
  const book = makeRunBook({
    current: side({ ...aws, release: "4.20" }, [judgedCluster(clusterWith(Platform.AWS, {}))]),
    wanted: side({ ...aws, release: "4.21" }, [
      judgedCluster(clusterWith(Platform.AWS, { release: { image } })),
    ]),
  });
  expect(book.steps[0]!.patches[0]!.body).toEqual({ spec: { release: { image } } });
});

describe("a release image that the API server refuses", () => {
  const change = (image: PropertyValue) =>
    makeRunBook({
      current: side({ ...aws, release: "4.20" }, [judgedCluster(clusterWith(Platform.AWS, {}))]),
      wanted: side({ ...aws, release: "4.21" }, [
        judgedCluster(clusterWith(Platform.AWS, { release: { image } })),
      ]),
    });

  test.each([
    "quay.io/ocp-release:4.21.0-x86_64 x",
    " quay.io/ocp-release:4.21.0-x86_64",
    "",
    "a",
    "a".repeat(254),
  ])("blocks the upgrade: %j", (image) => {
    const { outcome, obstacles } = change(image);
    expect(outcome).toBe(Outcome.Blocked);
    expect(obstacles).toEqual([
      {
        what: `spec.release.image: ${JSON.stringify(image)} is not an image as the API server accepts it`,
        fix: "write it without spaces, a letter or digit first: quay.io/...:4.20.4-x86_64",
      },
    ]);
  });

  test.each(["quay.io/ocp-release:4.21.0-x86_64", `quay.io/r@sha256:${"0".repeat(64)}`, "a".repeat(253)])(
    "is not %s",
    (image) => expect(change(image).obstacles).toEqual([]),
  );

  test("is not one that is not known yet, nor the current one", () => {
    expect(change(UNKNOWN).obstacles).toEqual([]);
    const kept = { release: { image: "a b" } };
    expect(between(kept, kept).obstacles).toEqual([]);
  });
});

test("services that no topology names stay in the written list", () => {
  const on = { platform: "IBMCloud" };
  const entry = (service: string, type: string) => ({ service, servicePublishingStrategy: { type } });
  const services = [
    entry("APIServer", "LoadBalancer"),
    entry("OIDC", "None"),
    entry("Konnectivity", "Route"),
  ];
  const object = judgedCluster(clusterWith(Platform.IBMCloud, { services }));
  const byRoute = { services: { apiServer: { type: "Route", hostname: "api.example.com" } } };
  const book = makeRunBook({ current: side(on, [object]), wanted: side({ ...on, ...byRoute }) });
  const step = book.steps.find(({ id }) => id === "services")!;
  const { spec } = step.patches[0]!.body as { spec: { services: { service: string }[] } };
  expect(spec.services.map(({ service }) => service)).toContain("OIDC");
  expect(step.wayBack.patches[0]!.body).toEqual({ spec: { services } });
});

describe("NodePools among the inputs", () => {
  const nodePool = (upgradeType: string, status = "True"): Resource => {
    const conditions = ["Ready", "AllMachinesReady", "AllNodesHealthy"].map((type) => ({ type, status }));
    return resource("kubernetes:hypershift.openshift.io/v1beta1:NodePool", "workers", {
      metadata: { name: "workers", namespace: "clusters" },
      spec: { clusterName: "tenant-a", replicas: 2, management: { upgradeType } },
      status: { replicas: 2, conditions },
    });
  };
  const close = (...pools: Resource[]) =>
    makeRunBook({ current: side({}, pools), wanted: side({ bootstrap: false }) }).steps.at(-1)!;

  test("state whether the bootstrap ports can be closed", () => {
    const results = (...pools: Resource[]) => close(...pools).preChecks.map(({ result }) => result);
    expect(results()).toEqual([undefined]);
    expect(results(nodePool("InPlace"))).toEqual([...Array<string>(10).fill("met"), undefined]);
    expect(results(nodePool("Replace"))).toContain("unmet");
    expect(close(nodePool("InPlace", "False")).preChecks).toContainEqual({
      what: "NodePool clusters/workers: Ready True (Ready False)",
      result: "unmet",
    });
    expect(close().preChecks[0]!.command).toBe("hypershift-network verify clusters/tenant-a --bootstrap");
  });

  test("block closing if one autoscales, unless the ports are closed already", () => {
    const pool = nodePool("InPlace");
    const scaling: Resource = {
      ...pool,
      properties: {
        ...pool.properties,
        spec: {
          clusterName: "tenant-a",
          autoScaling: { min: 2, max: 5 },
          management: { upgradeType: "InPlace" },
        },
      },
    };
    const wanted = side({ bootstrap: false });
    const book = makeRunBook({ current: side({}, [scaling]), wanted });
    expect(book.outcome).toBe(Outcome.Blocked);
    expect(book.obstacles).toEqual([
      {
        what: "bootstrap: NodePool clusters/workers: no autoscaling is needed to close the ports, but found: scales from 2 to 5",
        fix: "leave the ports open, or write spec.replicas instead of spec.autoScaling",
      },
    ]);
    expect(makeRunBook({ current: side({}, [pool]), wanted }).outcome).toBe(Outcome.InPlace);
    const closed = makeRunBook({ current: side({ bootstrap: false }, [scaling]), wanted });
    expect(closed.obstacles).toEqual([]);
  });

  test("that upgrade their nodes in place need no open bootstrap ports", () => {
    const closed = { bootstrap: false };
    const wanted = side({ ...closed, proxy: { httpProxy: "http://proxy.example.com:3128" } });
    const ids = (...pools: Resource[]) => stepIds(makeRunBook({ current: side(closed, pools), wanted }));
    expect(ids(nodePool("InPlace"))).toEqual(["proxy"]);
    expect(ids(nodePool("InPlace"), nodePool("Replace"))).toEqual([
      "open-bootstrap",
      "proxy",
      "close-bootstrap",
    ]);
  });
});

describe("the proxy", () => {
  const url = "http://me:hunter2@proxy.example.com:3128";
  const step = (current: object, wanted: object) =>
    makeRunBook({ current: side(current), wanted: side(wanted) }).steps.find(({ id }) => id === "proxy")!;
  const proxy = (settings: object) => ({ proxy: settings });

  test("is written and removed as a whole, so that no settings of others remain", () => {
    const one = step({}, proxy({ httpProxy: "http://proxy.example.com:3128" }));
    const body = (value: unknown) => ({ spec: { configuration: { proxy: value } } });
    expect([one.title, one.patches[0]!.body, one.wayBack.patches[0]!.body]).toEqual([
      "Add the proxy",
      body({ httpProxy: "http://proxy.example.com:3128", httpsProxy: "", noProxy: "" }),
      body(null),
    ]);
    expect(step(proxy({ httpProxy: "http://proxy.example.com:3128" }), {}).title).toBe("Remove the proxy");
  });

  test("is restored with its trust bundle, which no topology states", () => {
    const settings = { httpProxy: url, trustedCA: { name: "corporate-ca" } };
    const object = judgedCluster(clusterWith(Platform.None, { configuration: { proxy: settings } }));
    const { wayBack } = makeRunBook({
      current: side({ platform: "None", ...proxy({ httpProxy: url }) }, [object]),
      wanted: side({ platform: "None" }),
    }).steps.find(({ id }) => id === "proxy")!;
    expect(wayBack.patches[0]).toMatchObject({
      incomplete: true,
      body: {
        spec: {
          configuration: {
            proxy: {
              httpProxy: "http://USER:PASSWORD@proxy.example.com:3128",
              trustedCA: { name: "corporate-ca" },
            },
          },
        },
      },
    });
  });

  test("never shows credentials, and marks a patch without them as incomplete", () => {
    for (const [current, wanted] of [
      [{}, proxy({ httpProxy: url })],
      [proxy({ httpProxy: url }), {}],
    ]) {
      const book = makeRunBook({ current: side(current!), wanted: side(wanted!) });
      expect(JSON.stringify(book)).not.toMatch(/hunter2|me:/);
      const { patches, wayBack } = book.steps.find(({ id }) => id === "proxy")!;
      expect([...patches, ...wayBack.patches].filter(({ incomplete }) => incomplete)).toHaveLength(1);
    }
  });

  test.each([
    [
      ".example.com,http://me:hunter2@a.example.com,10.0.0.0/8",
      ".example.com,http://USER:PASSWORD@a.example.com,10.0.0.0/8",
    ],
    ["me:hunter2@192.168.7.0/24", "USER:PASSWORD@192.168.7.0/24"],
    ["fd00::/8,http://me:hun,ter2@a.example.com", "fd00::/8,http://USER:PASSWORD@a.example.com"],
  ])("never shows credentials in noProxy: %s", (noProxy, shown) => {
    const before = { httpProxy: "http://proxy.example.com:3128" };
    const book = makeRunBook({ current: side(proxy(before)), wanted: side(proxy({ ...before, noProxy })) });
    expect(JSON.stringify(book)).not.toMatch(/hun,?ter2|me:/);
    const [patch] = book.steps.find(({ id }) => id === "proxy")!.patches;
    expect(patch).toMatchObject({
      incomplete: true,
      body: { spec: { configuration: { proxy: { noProxy: shown } } } },
    });
  });

  test("requires a secondary network in noProxy in the management cluster's noProxy, too", () => {
    const before = { httpProxy: "http://proxy.example.com:3128", noProxy: ".example.com" };
    const one = step(proxy(before), proxy({ ...before, noProxy: ".example.com,192.168.7.0/24" }));
    expect(one.title).toBe("Change what bypasses the proxy");
    expect(one.preChecks.map(({ what }) => what)).toEqual([
      expect.stringMatching(/^192\.168\.7\.0\/24 is also in the noProxy of the management cluster/),
    ]);
  });

  test("states which proxy nodes will use for the API server", () => {
    const texts = step({}, proxy({ httpsProxy: "https://proxy.example.com:3128" })).preChecks.map(
      ({ what }) => what,
    );
    expect(texts).toContainEqual(expect.stringContaining("by control-plane-operator, until now by haproxy"));
    expect(texts).toContainEqual(expect.stringContaining("trust the proxy's certificate"));
  });
});
