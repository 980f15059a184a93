import { comparedClusters } from "../../src/cli/changeCommand";
import { Unusable } from "../../src/cli/plans";
import { runBookMarkdown, runBookText } from "../../src/cli/runBookReport";
import { Platform } from "../../src/requirements/vocabulary";
import { immutableFields } from "../../src/requirements/hostedCluster";
import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";
import { JudgedResources } from "../../src/gate/judgedResources";
import { makeRunBook } from "../../src/runBook/makeRunBook";
import { HOSTED_CLUSTER, resource, type Properties } from "../rules/builders";
import { unknownInTurn } from "../rules/secretInTurn";
import { Outcome, type RunBook } from "../../src/runBook/runBook";
import { NO_CONFIGURATION } from "../../src/gate/configuration";

const SECRET = "hunter2";
const spec: Properties = {
  release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.1-x86_64" },
  pullSecret: { name: "pull" },
  infraID: "tenant-a-x1y2z",
  fips: false,
  dns: { baseDomain: "example.com", publicZoneID: "Z1" },
  etcd: {
    managementType: "Managed",
    managed: { storage: { type: "PersistentVolume", persistentVolume: { size: "8Gi" } } },
  },
  platform: { type: "AWS", aws: { endpointAccess: "PublicAndPrivate", region: "eu-west-1" } },
  networking: {
    networkType: "OVNKubernetes",
    machineNetwork: [{ cidr: "10.0.0.0/16" }],
    clusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix: 23 }],
    serviceNetwork: [{ cidr: "172.31.0.0/16" }],
    apiServer: { advertiseAddress: "172.20.0.1", port: 6443, allowedCIDRBlocks: ["203.0.113.0/24"] },
  },
  configuration: {
    proxy: {
      httpProxy: `http://me:${SECRET}@proxy.example.com:3128`,
      noProxy: `.corp.example.com,http://me:${SECRET}@a.example.com`,
      trustedCA: { name: "ca" },
    },
  },
  operatorConfiguration: {
    clusterNetworkOperator: {
      disableMultiNetwork: false,
      ovnKubernetesConfig: { mtu: 1400, ipv4: { internalJoinSubnet: "100.99.0.0/16" } },
    },
  },
  services: [
    {
      service: "APIServer",
      servicePublishingStrategy: { type: "LoadBalancer", loadBalancer: { hostname: "api.example.com" } },
    },
    {
      service: "OAuthServer",
      servicePublishingStrategy: { type: "Route", route: { hostname: "oauth.example.com" } },
    },
    { service: "Konnectivity", servicePublishingStrategy: { type: "Route" } },
    { service: "Ignition", servicePublishingStrategy: { type: "Route" } },
  ],
};
const object: Properties = {
  apiVersion: "hypershift.openshift.io/v1beta1",
  kind: "HostedCluster",
  metadata: { name: "tenant-a", namespace: "clusters" },
  spec,
};

const judged = (properties: Properties, beside: readonly Resource[] = []) =>
  new JudgedResources([resource(HOSTED_CLUSTER, "tenant-a", properties), ...beside], NO_CONFIGURATION);

/** The run book, or the message of an Unusable error. Any other error is a bug of the program. */
function bookOf(was: JudgedResources, is: JudgedResources): RunBook | string {
  try {
    const [compared] = comparedClusters({ judged: was, isLive: false }, is, undefined);
    return makeRunBook(compared!.change, compared!.assumptions);
  } catch (error) {
    if (error instanceof Unusable) return error.message;
    throw error;
  }
}

const printed = (book: RunBook | string): string =>
  typeof book === "string"
    ? book
    : [runBookText([book]), runBookMarkdown([book]), JSON.stringify(book)].join();

const outcomeOf = (book: RunBook | string): string => (typeof book === "string" ? book : book.outcome);

/** What no run book answers: fields unrelated to the network, and what is not a field of the object. */
const BESIDE =
  /^(apiVersion|kind|spec\.pullSecret|spec\.platform\.aws\.region|spec\.etcd\.managed\.storage\.type|spec\.configuration\.proxy\.trustedCA)/;

describe("an unknown or secret value", () => {
  const places = [...unknownInTurn(object)].map(
    ([path, value]) => [path, value as Properties] as [string, Properties],
  );

  test.each(places)(
    "%s, on either side or both, is reported as unknown and never needs a new cluster",
    (path, other) => {
      for (const [was, is] of [
        [object, other],
        [other, object],
        [other, other],
      ] as const) {
        const book = bookOf(judged(was), judged(is));
        const text = printed(book);
        expect(text).not.toContain(SECRET);
        if (BESIDE.test(path)) expect(outcomeOf(book)).toBe(Outcome.NothingToDo);
        else if (typeof book === "string") expect(text).toMatch(/^\S+: its platform is not known yet/);
        else {
          expect(book.outcome).toBe(Outcome.Unknown);
          expect(book).not.toHaveProperty("newCluster");
          expect(book.steps).toEqual([]);
          expect(text).toMatch(/: not known: \S.*; decide once (it is|they are) known/);
        }
      }
    },
  );

  /** An object of a platform with a value at a path of its spec. */
  function withValue(path: string, value: PropertyValue, platform: Platform): Properties {
    const made = structuredClone({ ...spec, platform: { type: platform } }) as Record<string, unknown>;
    const steps = path.split(".");
    const last = steps.pop()!;
    let at = made;
    for (const step of steps) at = (at[step] ??= {}) as Record<string, unknown>;
    at[last] = value;
    return { ...object, spec: made as Properties };
  }

  test.each(immutableFields.filter(({ path }) => path !== "platform.type").map(({ path }) => path))(
    "of the immutable field %s makes the answer unknown and never needs a new cluster",
    (path) => {
      const platform = /^platform\.(azure|gcp|kubevirt)\./.exec(path)?.[1];
      const names: Readonly<Record<string, Platform>> = {
        azure: Platform.Azure,
        gcp: Platform.GCP,
        kubevirt: Platform.KubeVirt,
      };
      const on = names[platform ?? ""] ?? Platform.AWS;
      const known = withValue(path, "one", on);
      const unknown = withValue(path, UNKNOWN, on);
      for (const [was, is] of [
        [known, unknown],
        [unknown, known],
        [unknown, unknown],
      ] as const) {
        const book = bookOf(judged(was), judged(is));
        if (typeof book === "string") throw new Error(book);
        expect(book).not.toHaveProperty("newCluster");
        expect(book.changes.map(({ answer }) => answer)).toContain("unknown");
      }
    },
  );

  test("does not hide known differences between lists of services, which need a new cluster", () => {
    const { services, ...rest } = spec;
    const list = services as Properties[];
    const fewer: PropertyValue = [UNKNOWN, ...list.slice(2)];
    const other = list.with(3, {
      service: "Ignition",
      servicePublishingStrategy: { type: "NodePort", nodePort: { address: UNKNOWN } },
    });
    for (const is of [fewer, other]) {
      const book = bookOf(judged(object), judged({ ...object, spec: { ...rest, services: is } }));
      expect(outcomeOf(book)).toBe(Outcome.NewCluster);
    }
  });

  test("is shown as not known, not as the default", () => {
    const moved = { ...object, metadata: { name: "tenant-a", namespace: "prod" } };
    const unknown: Properties = { ...object, metadata: { name: "tenant-a", namespace: UNKNOWN } };
    expect(bookOf(judged(moved), judged(unknown))).toMatchObject({
      outcome: "unknown",
      changes: [{ property: "namespace", before: "prod", after: "not known", answer: "unknown" }],
    });
  });
});

describe("a missing value or a value of the wrong type", () => {
  const wrong: readonly PropertyValue[] = [7, "text", [[]], null];

  /** The value with `other` in place of each unknown part. */
  function known(value: PropertyValue, other: PropertyValue): PropertyValue {
    if (value === UNKNOWN) return other;
    if (Array.isArray(value)) return (value as readonly PropertyValue[]).map((entry) => known(entry, other));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, known(entry, other)]));
  }

  test.each([0, 1, 2, 3])(
    "at every fourth place from %i, on either side, causes no internal error and shows no secret",
    (first) => {
      const texts = [...unknownInTurn(object)]
        .filter((_, position) => position % wrong.length === first)
        .flatMap(([, value], position) => {
          const other = known(value, wrong[position % wrong.length]!) as Properties;
          return [bookOf(judged(object), judged(other)), bookOf(judged(other), judged(object))].map(printed);
        });
      expect(texts.length).toBeGreaterThan(10);
      expect(texts.filter((text) => text.includes(SECRET))).toEqual([]);
    },
  );
});

describe("an unknown value of an object next to a HostedCluster", () => {
  const named = (name: string, namespace: string) => ({ metadata: { name, namespace } });
  const beside: readonly Resource[] = [
    resource("kubernetes:hypershift.openshift.io/v1beta1:NodePool", "workers", {
      ...named("workers", "clusters"),
      spec: {
        clusterName: "tenant-a",
        replicas: 2,
        management: { upgradeType: "Replace" },
        release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.1-x86_64" },
        platform: {
          type: "KubeVirt",
          kubevirt: { attachDefaultNetwork: false, additionalNetworks: [{ name: "shop/vlan" }] },
        },
      },
      status: { replicas: 2, version: "4.20.1", conditions: [{ type: "AllNodesHealthy", status: "True" }] },
    }),
    resource("kubernetes:config.openshift.io/v1:Proxy", "cluster", {
      metadata: { name: "cluster", resourceVersion: "17" },
      spec: {
        httpsProxy: `http://me:${SECRET}@proxy:3128`,
        noProxy: `localhost,http://me:${SECRET}@a.example.com`,
      },
    }),
    resource("kubernetes:networking.k8s.io/v1:NetworkPolicy", "some", {
      ...named("some", "clusters-tenant-a"),
      spec: {
        podSelector: { matchLabels: { app: "web" } },
        policyTypes: ["Ingress"],
        ingress: [{ from: [{ ipBlock: { cidr: "10.0.0.0/8" } }], ports: [{ port: 443, protocol: "TCP" }] }],
      },
    }),
  ];

  test.each(beside.map((one, at) => [one.name, at] as const))(
    "%s: at each place, on either side, causes no internal error, needs no new cluster and shows no secret",
    (_, at) => {
      for (const [, properties] of unknownInTurn(beside[at]!.properties)) {
        const other = beside.with(at, { ...beside[at]!, properties: properties as Properties });
        for (const [was, is] of [
          [beside, other],
          [other, beside],
        ] as const) {
          const book = bookOf(judged(object, was), judged(object, is));
          expect(outcomeOf(book)).not.toBe(Outcome.NewCluster);
          expect(printed(book)).not.toContain(SECRET);
        }
      }
    },
  );
});
