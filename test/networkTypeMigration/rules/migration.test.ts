import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import {
  migrationIsolationMode,
  migrationMtu,
  migrationOrder,
  migrationPorts,
} from "../../../src/networkTypeMigration/rules";
import { resource, unknowns, violations, type Properties } from "../../rules/builders";

const ANNOTATION = "networkoperator.openshift.io/network-migration";
const operator = (spec: Properties, annotations: Properties = {}) =>
  resource("kubernetes:operator.openshift.io/v1:Network", "cluster", {
    metadata: { name: "cluster", annotations },
    spec,
  });
const both = (ovn: Properties, sdn: Properties) => ({
  defaultNetwork: { ovnKubernetesConfig: ovn, openshiftSDNConfig: sdn },
});
const migrating = (spec: Properties = {}) => operator(spec, { [ANNOTATION]: "" });

describe("migration-mtu", () => {
  const change = (network: Properties, machine: Properties, more: Properties = {}) =>
    operator({ migration: { mtu: { network, machine } }, ...more });
  const found = (...objects: ReturnType<typeof operator>[]) =>
    violations(migrationMtu, objects).map(({ path }) => path);

  it("M21 wants 100 bytes beside the network's MTU, with IPsec 146", () => {
    expect(found(change({ from: 1400, to: 8900 }, { to: 9000 }))).toEqual([]);
    expect(found(change({ from: 1400, to: 8901 }, { to: 9000 }))).toEqual(["spec.migration.mtu.machine.to"]);
    const ipsec = { defaultNetwork: { ovnKubernetesConfig: { ipsecConfig: { mode: "Full" } } } };
    expect(found(change({ from: 1400, to: 8900 }, { to: 9000 }, ipsec))).toHaveLength(1);
    expect(found(change({ from: 1400, to: 8854 }, { to: 9000 }, ipsec))).toEqual([]);
  });

  it("M21 wants every value, and an MTU that IPv6 can have", () => {
    expect(found(change({ to: 1300 }, {}))).toEqual([
      "spec.migration.mtu.network.from",
      "spec.migration.mtu.machine.to",
    ]);
    const six = { clusterNetwork: [{ cidr: "fd01::/48", hostPrefix: 64 }] };
    expect(found(change({ from: 1400, to: 1200 }, { to: 1500 }, six))).toEqual([
      "spec.migration.mtu.network.to",
    ]);
    expect(found(change({ from: 1400, to: 1200 }, { to: 1500 }))).toEqual([]);
  });

  it("M21 holds the MTU of one overlay against that of the other while the type changes", () => {
    expect(found(migrating(both({ mtu: 1400 }, { mtu: 1450 })))).toEqual([]);
    expect(found(migrating(both({ mtu: 1401 }, { mtu: 1450 })))).toEqual([
      "spec.defaultNetwork.ovnKubernetesConfig.mtu",
    ]);
    const back = { migration: { networkType: "OpenShiftSDN" } };
    expect(found(operator({ ...both({ mtu: 1400 }, { mtu: 1451 }), ...back }))).toEqual([
      "spec.defaultNetwork.openshiftSDNConfig.mtu",
    ]);
    expect(found(operator(both({ mtu: 1500 }, { mtu: 1450 })))).toEqual([]);
  });

  it("counts unknown values", () => {
    const paths = (object: ReturnType<typeof operator>) =>
      unknowns(migrationMtu, [object]).map(({ path }) => path);
    expect(paths(change({ from: UNKNOWN, to: 1300 }, { to: 1500 }))).toEqual([
      "spec.migration.mtu.network.from",
    ]);
    expect(paths(operator({ migration: { mtu: UNKNOWN } }))).toEqual(["spec.migration.mtu"]);
    expect(paths(migrating(both({ mtu: UNKNOWN }, { mtu: 1450 })))).toHaveLength(1);
  });
});

describe("migration-ports", () => {
  it.each<[string, Properties, string]>([
    ["Geneve on the usual port of VXLAN", both({ genevePort: 4789 }, {}), "ovnKubernetesConfig.genevePort"],
    ["VXLAN on the usual port of Geneve", both({}, { vxlanPort: 6081 }), "openshiftSDNConfig.vxlanPort"],
  ])("M21 finds %s", (_, spec, path) => {
    expect(violations(migrationPorts, [migrating(spec)])).toMatchObject([
      { path: `spec.defaultNetwork.${path}` },
    ]);
    expect(violations(migrationPorts, [operator(spec)])).toEqual([]);
  });

  it("M21 takes different ports, and counts an unknown one", () => {
    expect(violations(migrationPorts, [migrating(both({ genevePort: 6082 }, {})), migrating()])).toEqual([]);
    expect(unknowns(migrationPorts, [migrating(both({ genevePort: UNKNOWN }, {}))])).toHaveLength(1);
  });
});

describe("migration-isolation-mode", () => {
  const inMode = (mode: PropertyValue, type: PropertyValue = "OpenShiftSDN"): Properties => ({
    defaultNetwork: { type, openshiftSDNConfig: { mode } },
  });
  const path = "spec.defaultNetwork.openshiftSDNConfig.mode";

  it.each(["Multitenant", "Subnet"])("M21 finds mode %s, which cannot migrate", (mode) => {
    expect(violations(migrationIsolationMode, [migrating(inMode(mode))])).toMatchObject([
      { path, level: "error" },
    ]);
    const later = operator({ migration: { networkType: "OVNKubernetes" }, ...inMode(mode) });
    expect(violations(migrationIsolationMode, [later])).toMatchObject([{ path, level: "warning" }]);
  });

  it("M21 takes mode NetworkPolicy, a mode that is not said, the way back, and clusters that stay", () => {
    const back = operator({ migration: { networkType: "OpenShiftSDN" }, ...inMode("Multitenant") });
    const taken = [
      migrating(inMode("NetworkPolicy")),
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
  const config = (networkType: PropertyValue, more: Properties = {}) =>
    resource("kubernetes:config.openshift.io/v1:Network", "config", { spec: { networkType, ...more } });
  const pool = (paused?: PropertyValue) =>
    resource("kubernetes:machineconfiguration.openshift.io/v1:MachineConfigPool", "worker", {
      spec: paused === undefined ? {} : { paused },
    });
  const sdn = { defaultNetwork: { type: "OpenShiftSDN" } };

  it("M21 finds a new type without a migration", () => {
    const path = "spec.networkType";
    expect(violations(migrationOrder, [operator(sdn), config("OVNKubernetes")])).toMatchObject([{ path }]);
    expect(violations(migrationOrder, [operator(sdn), config("OpenShiftSDN")])).toEqual([]);
    expect(violations(migrationOrder, [migrating(sdn), config("OVNKubernetes")])).toEqual([]);
    expect(violations(migrationOrder, [config("OVNKubernetes")])).toEqual([]);
    expect(unknowns(migrationOrder, [operator(sdn), config(UNKNOWN)])).toMatchObject([{ path }]);
  });

  it("M21 finds pools that are not paused, except while nodes migrate live", () => {
    for (const running of [pool(), pool(false)])
      expect(violations(migrationOrder, [migrating(), running])).toMatchObject([
        { resource: running.origin, path: "spec.paused" },
      ]);
    expect(violations(migrationOrder, [migrating(), pool(true)])).toEqual([]);
    expect(violations(migrationOrder, [operator(sdn), pool()])).toEqual([]);
    const live = operator({ migration: { networkType: "OVNKubernetes", mode: "Live" } });
    expect(violations(migrationOrder, [live, pool()])).toEqual([]);
    expect(unknowns(migrationOrder, [migrating(), pool(UNKNOWN)])).toHaveLength(1);
  });

  it("M21 holds objects only against the operator of their own cluster, which has a folder or a provider of its own", () => {
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

  it("M21 finds another service network, and an MTU that changes at the same time", () => {
    const has = migrating({ serviceNetwork: ["172.30.0.0/16"] });
    const wants = (cidr: PropertyValue) => config("OVNKubernetes", { serviceNetwork: [cidr] });
    expect(violations(migrationOrder, [has, wants("172.29.0.0/16")])).toMatchObject([
      { path: "spec.serviceNetwork" },
    ]);
    expect(violations(migrationOrder, [has, wants("172.30.0.0/16")])).toEqual([]);
    expect(unknowns(migrationOrder, [has, wants(UNKNOWN)])).toHaveLength(1);
    const mtu = { network: { from: 1400, to: 1300 }, machine: { to: 1500 } };
    const typed = (mode: string) => operator({ migration: { networkType: "OVNKubernetes", mode, mtu } });
    expect(violations(migrationOrder, [typed("Offline")])).toMatchObject([{ path: "spec.migration.mtu" }]);
    expect(violations(migrationOrder, [typed("Live")])).toEqual([]);
  });
});
