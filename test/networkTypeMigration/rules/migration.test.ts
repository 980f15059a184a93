import { immutableField } from "../../../src/hostedCluster/rules/identity";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import {
  migrationIsolationMode,
  migrationMtu,
  migrationOrder,
  migrationPorts,
} from "../../../src/networkTypeMigration/rules";
import {
  hostedCluster,
  linesOf,
  networking,
  resource,
  unknowns,
  violations,
  type Properties,
} from "../../rules/builders";

const ANNOTATION = "networkoperator.openshift.io/network-migration";
const LIVE = "network.openshift.io/network-type-migration";
const operator = (spec: Properties, annotations: Properties = {}) =>
  resource("kubernetes:operator.openshift.io/v1:Network", "cluster", {
    metadata: { name: "cluster", annotations },
    spec,
  });
const both = (ovn: Properties, sdn: Properties) => ({
  defaultNetwork: { ovnKubernetesConfig: ovn, openshiftSDNConfig: sdn },
});
const migrating = (spec: Properties = {}) => operator(spec, { [ANNOTATION]: "" });
const config = (networkType: PropertyValue, more: Properties = {}, metadata: Properties = {}) =>
  resource("kubernetes:config.openshift.io/v1:Network", "config", {
    metadata,
    spec: { networkType, ...more },
  });
/** The start of a live migration: one patch with the annotation and the new type. */
const live = (networkType: PropertyValue, more: Properties = {}) =>
  config(networkType, more, { annotations: { [LIVE]: "" } });

describe("migration-mtu", () => {
  const change = (network: Properties, machine: Properties, more: Properties = {}) =>
    operator({ migration: { mtu: { network, machine } }, ...more });
  const found = (...objects: ReturnType<typeof operator>[]) =>
    violations(migrationMtu, objects).map(({ path }) => path);

  it("M21 requires a machine MTU 100 bytes above the network's MTU, and 146 with IPsec", () => {
    expect(found(change({ from: 1400, to: 8900 }, { to: 9000 }))).toEqual([]);
    expect(found(change({ from: 1400, to: 8901 }, { to: 9000 }))).toEqual(["spec.migration.mtu.machine.to"]);
    const ipsec = (ipsecConfig: Properties) => ({
      defaultNetwork: { ovnKubernetesConfig: { ipsecConfig } },
    });
    for (const config of [{ mode: "Full" }, {}] as Properties[]) {
      expect(
        linesOf(violations(migrationMtu, [change({ from: 1400, to: 8900 }, { to: 9000 }, ipsec(config))])),
      ).toBe(
        `violated spec.migration.mtu.machine.to | 9000 leaves 100 bytes in addition to 8900, but the overlay network needs 146 of each packet | write machine.to 9046 or more, or network.to 8854 or less`,
      );
      expect(found(change({ from: 1400, to: 8854 }, { to: 9000 }, ipsec(config)))).toEqual([]);
    }
    expect(found(change({ from: 1400, to: 8900 }, { to: 9000 }, ipsec({ mode: "Disabled" })))).toEqual([]);
  });

  it("M21 requires every value, and a minimum MTU that depends on IPv6", () => {
    expect(linesOf(violations(migrationMtu, [change({ to: 575 }, {})]))).toBe(
      `violated spec.migration.mtu.network.from | missing: the network operator refuses a change of the MTU without it | write network.from, even if it stays the same
violated spec.migration.mtu.machine.to | missing: the network operator refuses a change of the MTU without it | write machine.to, even if it stays the same
violated spec.migration.mtu.network.to | 575 is less than 576 | write 576 or more`,
    );
    const least = (to: number, ...cidrs: string[]) =>
      found(change({ from: 1400, to }, { to: 1500 }, { clusterNetwork: cidrs.map((cidr) => ({ cidr })) }));
    expect(least(576)).toEqual([]);
    expect(least(1279, "10.128.0.0/14")).toEqual([]);
    expect(least(1279, "10.128.0.0/14", "fd01::/48")).toEqual(["spec.migration.mtu.network.to"]);
    expect(least(1280, "10.128.0.0/14", "fd01::/48")).toEqual([]);
  });

  it("M21 accepts at most the largest MTU of the network operator", () => {
    const [network, machine] = ["spec.migration.mtu.network.to", "spec.migration.mtu.machine.to"];
    expect(linesOf(violations(migrationMtu, [change({ from: 1400, to: 1400 }, { to: 65537 })]))).toBe(
      `violated ${machine} | 65537 is more than 65536, the largest that the network operator accepts | write 65536 or less`,
    );
    expect(found(change({ from: 1400, to: 65537 }, { to: 70000 }))).toEqual([network, machine]);
    expect(found(change({ from: 1400, to: 65436 }, { to: 65536 }))).toEqual([]);
    expect(found(change({ from: 1400, to: 1400 }, { to: UNKNOWN }))).toEqual([]);
  });

  describe("where the change of the MTU begins", () => {
    const path = "spec.migration.mtu.network.from";
    const spec = (
      mtu: PropertyValue,
      from: PropertyValue,
      to: PropertyValue,
      more: Properties = {},
    ): Properties => ({
      defaultNetwork: { ovnKubernetesConfig: { mtu }, ...more },
      migration: { mtu: { network: { from, to }, machine: { to: 9000 } } },
    });
    const since = (before: Properties, now: Properties): Resource => ({
      ...operator(now),
      before: { inputs: { spec: before }, outputs: { spec: before } },
    });
    const of = (mtu: PropertyValue): Properties => ({ defaultNetwork: { ovnKubernetesConfig: { mtu } } });

    it.each<[string, Resource]>([
      ["is another MTU than the object has", operator(spec(1400, 1500, 8900))],
      ["is another MTU than the cluster had", since(of(1400), spec(8900, 1500, 8900))],
      ["is changed to another MTU while it goes on", since(spec(1400, 1400, 8900), spec(8900, 1500, 8900))],
    ])("must be the present MTU: it %s", (_, object) => {
      expect(linesOf(violations(migrationMtu, [object]))).toBe(
        `violated ${path} | 1500 is not the present MTU of the cluster network, 1400: the network operator refuses the change | write 1400`,
      );
    });

    it.each<[string, Resource]>([
      ["has the present MTU", operator(spec(1400, 1400, 8900))],
      ["already has the new MTU", operator(spec(8900, 1400, 8900))],
      ["has no MTU of its own", operator(spec(null, 1400, 8900))],
      ["had no MTU of its own", since({}, spec(8900, 1400, 8900))],
      ["has an MTU that is not known", operator(spec(UNKNOWN, 1400, 8900))],
      ["had an MTU that is not known", since(of(UNKNOWN), spec(8900, 1400, 8900))],
      ["has a target that is not known", operator(spec(1300, 1400, UNKNOWN))],
      ["has a start that is not known", operator(spec(1300, UNKNOWN, 8900))],
      ["began it earlier", since(spec(1400, 1500, 8900), spec(1400, 1500, 8900))],
      ["is of another network type", operator(spec(1400, 1500, 8900, { type: "OpenShiftSDN" }))],
    ])("is accepted of an object that %s", (_, object) => {
      expect(violations(migrationMtu, [object])).toEqual([]);
    });
  });

  it("M21 compares the MTUs of both overlays while the network type changes", () => {
    expect(found(migrating(both({ mtu: 1400 }, { mtu: 1450 })))).toEqual([]);
    const lines = (object: Resource) => linesOf(violations(migrationMtu, [object]));
    expect(lines(migrating(both({ mtu: 1401 }, { mtu: 1450 })))).toBe(
      "violated spec.defaultNetwork.ovnKubernetesConfig.mtu | 1401 is too large for nodes that fit 1450 of OpenShiftSDN: 1400 is left of each packet | write 1400 or less",
    );
    const back = { migration: { networkType: "OpenShiftSDN" } };
    expect(lines(operator({ ...both({ mtu: 1400 }, { mtu: 1451 }), ...back }))).toBe(
      "violated spec.defaultNetwork.openshiftSDNConfig.mtu | 1451 is too large for nodes that fit 1400 of OVNKubernetes: 1450 is left of each packet | write 1450 or less",
    );
    for (const one of [
      both({ mtu: 9000 }, {}),
      both({}, { mtu: 9000 }),
      both({ mtu: "9000" }, { mtu: 1450 }),
    ])
      expect(found(migrating(one))).toEqual([]);
    expect(found(operator(both({ mtu: 1500 }, { mtu: 1450 })))).toEqual([]);
  });

  it("reports unknown values as unknown", () => {
    const paths = (object: ReturnType<typeof operator>) =>
      unknowns(migrationMtu, [object]).map(({ path }) => path);
    expect(paths(change({ from: UNKNOWN, to: 1300 }, { to: 1500 }))).toEqual([
      "spec.migration.mtu.network.from",
    ]);
    expect(paths(operator({ migration: { mtu: UNKNOWN } }))).toEqual(["spec.migration.mtu"]);
    expect(paths(migrating(both({ mtu: UNKNOWN }, { mtu: 1450 })))).toEqual([
      "spec.defaultNetwork.ovnKubernetesConfig.mtu",
    ]);
    expect(paths(migrating(both({ mtu: 1400 }, { mtu: UNKNOWN })))).toEqual([
      "spec.defaultNetwork.openshiftSDNConfig.mtu",
    ]);
  });
});

describe("migration-ports", () => {
  it.each<[string, Properties, string, string]>([
    [
      "Geneve on the default port of VXLAN",
      both({ genevePort: 4789 }, {}),
      "ovnKubernetesConfig.genevePort",
      "UDP 4789 is the port of both Geneve and OpenShift SDN's VXLAN | leave it out for UDP 6081, or choose another one",
    ],
    [
      "VXLAN on the default port of Geneve",
      both({}, { vxlanPort: 6081 }),
      "openshiftSDNConfig.vxlanPort",
      "UDP 6081 is the port of both Geneve and OpenShift SDN's VXLAN | leave it out for UDP 4789, or choose another one",
    ],
  ])("M21 finds %s", (_, spec, path, said) => {
    expect(linesOf(violations(migrationPorts, [migrating(spec)]))).toBe(
      `violated spec.defaultNetwork.${path} | ${said}`,
    );
    expect(violations(migrationPorts, [operator(spec)])).toEqual([]);
  });

  it("M21 accepts different ports, and reports an unknown port as unknown", () => {
    expect(violations(migrationPorts, [migrating(both({ genevePort: 6082 }, {})), migrating()])).toEqual([]);
    const counted = (spec: Properties) => unknowns(migrationPorts, [migrating(spec)]).map(({ path }) => path);
    expect(counted(both({ genevePort: UNKNOWN }, {}))).toEqual([
      "spec.defaultNetwork.ovnKubernetesConfig.genevePort",
    ]);
    expect(counted(both({}, { vxlanPort: UNKNOWN }))).toEqual([
      "spec.defaultNetwork.openshiftSDNConfig.vxlanPort",
    ]);
    const hidden = operator({ migration: { networkType: UNKNOWN }, ...both({ genevePort: 4789 }, {}) });
    expect(violations(migrationPorts, [hidden])).toEqual([]);
  });
});

describe("migration-isolation-mode", () => {
  const inMode = (mode: PropertyValue, type: PropertyValue = "OpenShiftSDN"): Properties => ({
    defaultNetwork: { type, openshiftSDNConfig: { mode } },
  });
  const path = "spec.defaultNetwork.openshiftSDNConfig.mode";

  it.each(["Multitenant", "Subnet"])("M21 finds mode %s, which cannot migrate", (mode) => {
    const error = {
      path,
      level: "error",
      message: `is ${mode}, and only clusters in mode NetworkPolicy can migrate to OVNKubernetes`,
    };
    expect(violations(migrationIsolationMode, [migrating(inMode(mode))])).toMatchObject([error]);
    const unsaid = migrating({ migration: { networkType: "" }, ...inMode(mode) });
    expect(violations(migrationIsolationMode, [unsaid])).toMatchObject([error]);
    const later = operator({ migration: { networkType: "OVNKubernetes" }, ...inMode(mode) });
    expect(violations(migrationIsolationMode, [later])).toMatchObject([
      {
        path,
        level: "warning",
        message: `is ${mode}, which OVNKubernetes does not have: namespaces are open to each other afterwards`,
      },
    ]);
  });

  it("refuses a live migration from mode Multitenant, as the network operator does", () => {
    const stated = (mode: string, how: string) =>
      operator({ migration: { networkType: "OVNKubernetes", mode: how }, ...inMode(mode) });
    const begun = (mode: string) => [operator(inMode(mode)), live("OVNKubernetes")];
    for (const objects of [[stated("Multitenant", "Live")], begun("Multitenant")])
      expect(violations(migrationIsolationMode, objects)).toMatchObject([
        {
          path,
          level: "error",
          message:
            "is Multitenant, from which the network operator refuses a live migration to OVNKubernetes",
        },
      ]);
    for (const objects of [[stated("Multitenant", "Offline")], [stated("Subnet", "Live")], begun("Subnet")])
      expect(violations(migrationIsolationMode, objects)).toMatchObject([{ path, level: "warning" }]);
    const back = [operator(inMode("Multitenant", "OVNKubernetes")), live("OpenShiftSDN")];
    for (const objects of [begun("NetworkPolicy"), back])
      expect(violations(migrationIsolationMode, objects)).toEqual([]);
  });

  it("M21 accepts mode NetworkPolicy, an unstated mode, a rollback, and clusters that do not migrate", () => {
    const back = operator({ migration: { networkType: "OpenShiftSDN" }, ...inMode("Multitenant") });
    const taken = [
      migrating(inMode("NetworkPolicy")),
      migrating(inMode("")),
      migrating(inMode(1)),
      migrating({ defaultNetwork: { type: "OpenShiftSDN" } }),
      migrating(inMode("Multitenant", "OVNKubernetes")),
      back,
      operator(inMode("Multitenant")),
    ];
    for (const one of taken) expect(violations(migrationIsolationMode, [one])).toEqual([]);
    expect(unknowns(migrationIsolationMode, [migrating(inMode(UNKNOWN))])).toMatchObject([{ path }]);
  });
});

describe("migration-order", () => {
  const pool = (paused?: PropertyValue) =>
    resource("kubernetes:machineconfiguration.openshift.io/v1:MachineConfigPool", "worker", {
      spec: paused === undefined ? {} : { paused },
    });
  const sdn = { defaultNetwork: { type: "OpenShiftSDN" } };

  it("leaves a changed type in the operator's object to the rule immutable-field", () => {
    const spec = { defaultNetwork: { type: "OVNKubernetes" } };
    const changed = { ...operator(spec), before: { inputs: { spec: sdn }, outputs: { spec: sdn } } };
    expect(violations(migrationOrder, [changed, config("OpenShiftSDN")])).toEqual([]);
    expect(violations(immutableField, [changed, config("OpenShiftSDN")])).toHaveLength(1);
    const same = { ...operator(sdn), before: { inputs: { spec: sdn }, outputs: { spec: sdn } } };
    expect(violations(migrationOrder, [same, config("OVNKubernetes")])).toHaveLength(1);
  });

  it("M21 finds a new type without a migration", () => {
    const path = "spec.networkType";
    expect(linesOf(violations(migrationOrder, [operator(sdn), config("OVNKubernetes")]))).toBe(
      `violated ${path} | differs from the type of the Network operator, and no migration has begun | begin the migration in the Network operator's object, and change the type in a later deployment`,
    );
    for (const type of ["OVNKubernetes", UNKNOWN] as const) {
      expect(violations(migrationOrder, [operator({}), config(type)])).toEqual([]);
      expect(unknowns(migrationOrder, [operator({}), config(type)])).toEqual([]);
    }
    expect(violations(migrationOrder, [operator(sdn), config(4)])).toEqual([]);
    const hidden = operator({ defaultNetwork: { type: UNKNOWN } });
    expect(violations(migrationOrder, [hidden, config("OVNKubernetes")])).toEqual([]);
    expect(unknowns(migrationOrder, [hidden, config("OVNKubernetes")])).toMatchObject([{ path }]);
    expect(violations(migrationOrder, [operator(sdn), config("OpenShiftSDN")])).toEqual([]);
    expect(violations(migrationOrder, [migrating(sdn), config("OVNKubernetes")])).toEqual([]);
    expect(violations(migrationOrder, [config("OVNKubernetes")])).toEqual([]);
    expect(unknowns(migrationOrder, [operator(sdn), config(UNKNOWN)])).toMatchObject([{ path }]);
  });

  it("accepts the annotation of a live migration beside the new type, the documented start", () => {
    const services = (cidr: string) => ({ serviceNetwork: [cidr] });
    const began = [operator({ ...sdn, ...services("172.30.0.0/16") }), pool(false)];
    const start = live("OVNKubernetes", services("172.30.0.0/16"));
    expect(violations(migrationOrder, [...began, start])).toEqual([]);
    // The service network stays, as in every migration.
    expect(
      violations(migrationOrder, [...began, live("OVNKubernetes", services("172.29.0.0/16"))]),
    ).toMatchObject([{ path: "spec.serviceNetwork" }]);
    // Only these two types migrate. After the migration, the annotation begins nothing.
    for (const type of ["Calico", "Cilium"])
      expect(violations(migrationOrder, [...began, live(type)])).toMatchObject([
        { path: "spec.networkType", message: expect.stringContaining("no migration has begun") as string },
      ]);
    const done = operator({
      defaultNetwork: { type: "OVNKubernetes", ovnKubernetesConfig: { genevePort: 4789 } },
    });
    expect(violations(migrationPorts, [done, live("OVNKubernetes")])).toEqual([]);
    expect(violations(migrationPorts, [done, live("OpenShiftSDN")])).toHaveLength(1);
  });

  it("counts a type as unknown if it is unknown whether a migration has begun", () => {
    const plain = config("OVNKubernetes");
    const open = config("OVNKubernetes", {}, { annotations: UNKNOWN });
    const target = operator({ ...sdn, migration: { networkType: UNKNOWN } });
    const marked = resource("kubernetes:operator.openshift.io/v1:Network", "cluster", {
      metadata: { annotations: UNKNOWN },
      spec: sdn,
    });
    for (const [objects, path] of [
      [[operator(sdn), open], "metadata.annotations"],
      [[marked, plain], "metadata.annotations"],
      [[target, plain], "spec.migration.networkType"],
    ] as const) {
      expect(violations(migrationOrder, objects)).toEqual([]);
      expect(unknowns(migrationOrder, objects)).toMatchObject([{ path }]);
    }
  });

  it("counts a changed type as unknown without the operator's object", () => {
    const changed = (from: PropertyValue, to: Resource): Resource => {
      const before: Properties = { spec: { networkType: from } };
      return { ...to, before: { inputs: before, outputs: before } };
    };
    const paths = (...objects: Resource[]) => unknowns(migrationOrder, objects).map(({ path }) => path);
    const both = ["OpenShiftSDN", "OVNKubernetes"];
    for (const [from, to] of [both, [...both].reverse()] as [string, string][]) {
      expect(paths(changed(from, config(to)))).toEqual(["spec.networkType"]);
      expect(paths(changed(from, config(to)), operator({}))).toEqual(["spec.networkType"]);
      expect(paths(changed(from, live(to)))).toEqual([]);
      expect(paths(changed(from, config(from)))).toEqual([]);
      expect(paths(changed(from, config(UNKNOWN)))).toEqual(["spec.networkType"]);
    }
    const step = changed("OpenShiftSDN", config("OVNKubernetes"));
    expect(paths(step, migrating(sdn))).toEqual([]);
    expect(paths(step, operator(sdn))).toEqual([]);
    expect(violations(migrationOrder, [step, operator(sdn)])).toHaveLength(1);
    // The rule immutable-field reports a type to which no cluster migrates.
    const refused = changed("OVNKubernetes", config("Calico"));
    expect(paths(refused)).toEqual([]);
    const has = operator({ defaultNetwork: { type: "OVNKubernetes" } });
    expect(violations(migrationOrder, [refused, has])).toEqual([]);
    expect(violations(immutableField, [refused, has])).toHaveLength(1);
  });

  describe("in the only hosted cluster", () => {
    const hosted = (networkType: PropertyValue = "OpenShiftSDN") =>
      hostedCluster({ networking: networking("10.0.0.0/16", { networkType }) });
    const toOvn = { migration: { networkType: "OVNKubernetes", mode: "Live" } };
    const found = (...objects: Resource[]) =>
      violations(migrationOrder, objects).map(({ path, message }) => `${path} ${message}`);
    const begins =
      "begins a migration of clusters/tenant-a, and a hosted cluster keeps its network type: its network operator refuses a live migration, and no other one reaches its nodes";

    it("finds a migration, however it is begun", () => {
      expect(found(hosted(), operator({ ...sdn, ...toOvn }))).toEqual([
        `spec.migration.networkType ${begins}`,
      ]);
      expect(found(hosted(), migrating(sdn))).toEqual([
        `metadata.annotations["${ANNOTATION}"] has no effect: network operators of hosted clusters do not read this annotation`,
      ]);
      expect(found(hosted(), live("OVNKubernetes"))).toEqual([`metadata.annotations["${LIVE}"] ${begins}`]);
      const open = operator({ migration: { networkType: UNKNOWN } });
      expect(found(hosted(), open)).toEqual([]);
      expect(unknowns(migrationOrder, [hosted(), open])).toMatchObject([
        { path: "spec.migration.networkType" },
      ]);
    });

    it("finds nothing in the annotation that a live migration to the cluster's type left", () => {
      expect(found(hosted("OVNKubernetes"), live("OVNKubernetes"))).toEqual([]);
      expect(found(hosted("OpenShiftSDN"), live("OVNKubernetes"))).toHaveLength(1);
      const objects = [hosted(UNKNOWN), live("OVNKubernetes")];
      expect(violations(migrationOrder, objects)).toEqual([]);
      expect(unknowns(migrationOrder, objects)).toMatchObject([{ path: "spec.networking.networkType" }]);
    });

    it("is unknown if the object may be that of another cluster", () => {
      const inFile = (one: Resource, file: string): Resource => ({ ...one, origin: { file, line: 1 } });
      const object = operator({ ...sdn, ...toOvn });
      const onKubeVirt = hostedCluster({ platform: { type: "KubeVirt" } });
      for (const objects of [
        [inFile(onKubeVirt, "a/cluster.yaml"), inFile(object, "a/network.yaml")],
        [inFile(hosted(), "a/cluster.yaml"), inFile(object, "a/network.yaml"), inFile(pool(), "b/pool.yaml")],
      ]) {
        expect(found(...objects)).toEqual([]);
        expect(unknowns(migrationOrder, objects)).toMatchObject([
          {
            path: "spec.migration.networkType",
            message: expect.stringMatching(/, if it is in that cluster/) as string,
          },
        ]);
      }
      const beside = [
        inFile(hosted(), "a/cluster.yaml"),
        inFile(object, "b/network.yaml"),
        inFile(pool(true), "b/pool.yaml"),
      ];
      expect(found(...beside)).toEqual([]);
      expect(unknowns(migrationOrder, beside)).toEqual([]);
    });

    it("finds another type than that of the HostedCluster", () => {
      const differs =
        "differs from the network type of clusters/tenant-a, which is OVNKubernetes and never changes";
      expect(found(hosted("OVNKubernetes"), operator(sdn))).toEqual([`spec.defaultNetwork.type ${differs}`]);
      expect(found(hosted("OVNKubernetes"), config("Cilium"))).toEqual([`spec.networkType ${differs}`]);
      for (const [type, same] of [
        ["OVNKubernetes", "ovnkubernetes"],
        ["OVNKubernetes", ""],
        ["OpenShiftSDN", "OpenShiftSDN"],
        ["Cilium", "Cilium"],
      ] as const)
        expect(found(hosted(type), operator({ defaultNetwork: { type: same } }))).toEqual([]);
      for (const [cluster, type, path] of [
        ["OVNKubernetes", UNKNOWN, "spec.defaultNetwork.type"],
        [UNKNOWN, "OpenShiftSDN", "spec.networking.networkType"],
      ] as const) {
        const objects = [hosted(cluster), operator({ defaultNetwork: { type } })];
        expect(violations(migrationOrder, objects)).toEqual([]);
        expect(unknowns(migrationOrder, objects)).toMatchObject([{ path }]);
      }
    });

    it("judges no object of another cluster", () => {
      const begun = operator({ ...sdn, ...toOvn });
      const provider = "urn:pulumi:dev::shop::pulumi:providers:kubernetes::management";
      const own = { ...sdn, clusterNetwork: [{ cidr: "10.128.0.0/14" }] };
      for (const objects of [
        [hosted(), operator({ ...own, ...toOvn })],
        [hosted(), hostedCluster({}, "tenant-b"), begun],
        [hosted(), begun].map((one) => ({ ...one, provider })),
        // A hosted cluster has no machine config pools.
        [hosted(), begun, pool(true)],
        [begun],
      ])
        expect(found(...objects)).toEqual([]);
    });
  });

  it("M21 finds pools that are not paused, except while nodes migrate live", () => {
    for (const running of [pool(), pool(false)])
      expect(violations(migrationOrder, [migrating(), running])).toMatchObject([
        {
          resource: running.origin,
          path: "spec.paused",
          message:
            "is not true while the network type of the cluster is changed: the pool restarts nodes during the change",
          fix: "pause the pool until every node has been restarted",
        },
      ]);
    expect(violations(migrationOrder, [migrating(), pool(true)])).toEqual([]);
    expect(violations(migrationOrder, [operator(sdn), pool()])).toEqual([]);
    const live = operator({ migration: { networkType: "OVNKubernetes", mode: "Live" } });
    expect(violations(migrationOrder, [live, pool()])).toEqual([]);
    expect(unknowns(migrationOrder, [migrating(), pool(UNKNOWN)])).toHaveLength(1);
  });

  it("ignores case in the names of network types, as the network operator does", () => {
    const has = operator({ defaultNetwork: { type: "OVNKubernetes" } });
    expect(violations(migrationOrder, [has, config("ovnkubernetes")])).toEqual([]);
    expect(violations(migrationOrder, [operator(sdn), config("ovnkubernetes")])).toMatchObject([
      { path: "spec.networkType" },
    ]);
  });

  it("M21 compares objects only with the operator of their own cluster, by folder or provider", () => {
    const at = (one: Resource, file: string): Resource => ({ ...one, origin: { file, line: 1 } });
    const networks = { serviceNetwork: ["172.30.0.0/16"] };
    const stage = [migrating({ ...sdn, ...networks }), config("OVNKubernetes", networks), pool(true)];
    const prod = [
      operator({ defaultNetwork: { type: "OVNKubernetes" }, serviceNetwork: ["172.22.0.0/16"] }),
      config("OVNKubernetes", { serviceNetwork: ["172.22.0.0/16"] }),
      pool(false),
    ];
    const inFolders = (...folders: Resource[][]) =>
      folders.flatMap((objects, folder) => objects.map((one, n) => at(one, `clusters/${folder}/${n}.yaml`)));
    expect(violations(migrationOrder, inFolders(stage, prod))).toEqual([]);
    const began = [operator(sdn), config("OVNKubernetes")];
    expect(violations(migrationOrder, inFolders(stage, prod, began))).toMatchObject([
      { path: "spec.networkType" },
    ]);
    const byProviders = [stage, prod].flatMap((objects, cluster) =>
      objects.map((one) => ({
        ...one,
        provider: `urn:pulumi:dev::shop::pulumi:providers:kubernetes::${cluster}`,
      })),
    );
    expect(violations(migrationOrder, byProviders)).toEqual([]);
    const apart = [
      ...stage.slice(0, 2).map((one) => at(one, "network/n.yaml")),
      at(pool(false), "pools/p.yaml"),
    ];
    expect(violations(migrationOrder, apart)).toMatchObject([{ path: "spec.paused" }]);
  });

  it("M21 finds another service network, and an MTU change at the same time", () => {
    const has = migrating({ serviceNetwork: ["172.30.0.0/16"] });
    const wants = (cidr: PropertyValue) => config("OVNKubernetes", { serviceNetwork: [cidr] });
    expect(linesOf(violations(migrationOrder, [has, wants("172.29.0.0/16")]))).toBe(
      "violated spec.serviceNetwork | differs from that of Network cluster, and a migration must keep the service network | keep the current value",
    );
    expect(violations(migrationOrder, [has, config("OVNKubernetes")])).toEqual([]);
    expect(violations(migrationOrder, [migrating(), wants("172.29.0.0/16")])).toEqual([]);
    expect(violations(migrationOrder, [has, wants("172.30.0.0/16")])).toEqual([]);
    expect(unknowns(migrationOrder, [has, wants(UNKNOWN)])).toHaveLength(1);
    const mtu = { network: { from: 1400, to: 1300 }, machine: { to: 1500 } };
    const typed = (mode: string) => operator({ migration: { networkType: "OVNKubernetes", mode, mtu } });
    expect(linesOf(violations(migrationOrder, [typed("Offline")]))).toBe(
      "violated spec.migration.mtu | is set together with networkType, and in a mode other than Live the API server refuses the combination | change the MTU before or after the type",
    );
    expect(violations(migrationOrder, [migrating({ migration: { mtu } })])).toEqual([]);
    expect(violations(migrationOrder, [typed("Live")])).toEqual([]);
  });
});
