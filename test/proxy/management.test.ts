import {
  judgeManagementProxy,
  managementProxyDeployments,
  mergedNoProxy,
  type ManagementProxyInputs,
} from "../../src/proxy/management";
import { UNKNOWN, type PropertyValue } from "../../src/resources/resource";
import { plannedTopology } from "../../src/topology/addressBlocks";
import { normalizeTopology } from "../../src/topology/normalizeTopology";

const machineNetwork: PropertyValue = [{ cidr: "192.168.10.0/24" }];
const cluster = { name: "tenant-a", platform: "KubeVirt", release: "4.20" };
const on = (more: Record<string, PropertyValue>) => ({ ...cluster, machineNetwork, ...more });
/** With an explicit answer, so that there is no warning about a change. */
const byHand = { topology: on({}), manage: false, currentNoProxy: "" };
const lines = (findings: readonly { path: string; problem: string; remedy: string; ofChange?: boolean }[]) =>
  findings.map(({ path, problem, remedy, ofChange }) =>
    [`${path} ${problem}: ${remedy}`, ...(ofChange ? ["while it is changed"] : [])].join(" | "),
  );
const faults = (inputs: Partial<ManagementProxyInputs>) =>
  lines(judgeManagementProxy({ ...byHand, ...inputs }).faults);
const warnings = (inputs: Partial<ManagementProxyInputs>) =>
  lines(judgeManagementProxy({ ...byHand, ...inputs }).warnings);

describe("M11 the networks that bypass the management cluster's proxy", () => {
  const write = "write the CIDR blocks of the networks to which the virtual machines are attached";

  it.each<[string, Partial<ManagementProxyInputs>, string[]]>([
    ["machine networks of KubeVirt", {}, []],
    ["unknown machine networks", { topology: on({ machineNetwork: UNKNOWN }) }, []],
    [
      "a machine network with an unknown block",
      { topology: on({ machineNetwork: [{ cidr: UNKNOWN }] }) },
      [],
    ],
    [
      "no networks at all",
      { topology: cluster },
      [`secondaryNetworkCidrs missing, and so is topology.machineNetwork: ${write}`],
    ],
    [
      "secondary networks without machine networks",
      { topology: cluster, secondaryNetworkCidrs: ["192.168.10.0/24"] },
      [],
    ],
    [
      "unknown secondary networks without machine networks",
      { topology: cluster, secondaryNetworkCidrs: UNKNOWN },
      [],
    ],
    [
      "machine networks on another platform",
      { topology: on({ platform: "AWS" }) },
      [`secondaryNetworkCidrs missing: on AWS no network is a secondary one by default: ${write}`],
    ],
    [
      "a string instead of a list",
      { secondaryNetworkCidrs: "10.0.0.0/8" },
      ['secondaryNetworkCidrs "10.0.0.0/8" is not a list: write a list of CIDR blocks'],
    ],
    // Another component checks the hosted cluster's own proxy.
    ["an invalid proxy of the hosted cluster", { topology: on({ proxy: { httpProxy: 5 } }) }, []],
    [
      "settings of the wrong type",
      { currentNoProxy: {}, kubeconfig: 5, context: [], removeOnDelete: "yes" },
      [
        "currentNoProxy is not a string: write a string, or leave it out",
        "kubeconfig is not a string: write a string, or leave it out",
        "context is not a string: write a string, or leave it out",
        'removeOnDelete "yes" is neither true nor false: write true or false, without quotes',
      ],
    ],
  ])("have the expected faults with %s", (_, inputs, expected) => expect(faults(inputs)).toEqual(expected));

  const stray = (cidr: string) =>
    `secondaryNetworkCidrs ${cidr} is in no machine network: HyperShift leaves it out of the hosted cluster's own noProxy: add it to topology.machineNetwork when the cluster is created, or to its noProxy`;

  it.each<[string, Partial<ManagementProxyInputs>, string[]]>([
    [
      "in a machine network (no warning)",
      { secondaryNetworkCidrs: ["192.168.10.0/25", "192.168.10.0/24"] },
      [],
    ],
    [
      "outside or around a machine network, but not of unknown ones",
      { secondaryNetworkCidrs: ["172.16.5.0/24", UNKNOWN, "192.168.0.0/16"] },
      [stray("172.16.5.0/24"), stray("192.168.0.0/16")],
    ],
    ["that are unknown (no warning)", { secondaryNetworkCidrs: UNKNOWN }, []],
    ["that are not a list (no warning)", { secondaryNetworkCidrs: "10.0.0.0/8" }, []],
    [
      "next to unknown machine networks (no warning)",
      { topology: on({ machineNetwork: UNKNOWN }), secondaryNetworkCidrs: ["172.16.5.0/24"] },
      [],
    ],
    [
      "next to machine networks whose keyed addresses are unknown (no warning)",
      {
        topology: plannedTopology(
          on({ machineNetwork: [{ cidr: "machines" }], addresses: { machines: { cidr: UNKNOWN } } }),
        ),
        secondaryNetworkCidrs: ["172.16.5.0/24"],
      },
      [],
    ],
    [
      "on another platform",
      { topology: on({ platform: "AWS" }), secondaryNetworkCidrs: ["192.168.10.0/24"] },
      [
        "secondaryNetworkCidrs names networks on AWS, but the documents require this only on KubeVirt, for node pools without the default pod network: make sure that the API server reaches nodes there without a proxy",
      ],
    ],
  ])("warns of networks %s", (_, inputs, expected) => expect(warnings(inputs)).toEqual(expected));

  const object = "spec.noProxy of proxies.config.openshift.io/cluster";
  const rolls = "which rolls the nodes of the management cluster";
  const unset = `manage not set: nothing is changed. ${object} needs the missing entries, ${rolls}: set it, or write false if they are added by hand`;
  const unmerged = `currentNoProxy missing: the output noProxy holds only the new entries: write the current value of ${object}, and never replace it with the output`;

  it.each<[string, Partial<ManagementProxyInputs>, string[]]>([
    ["manage is not set", { manage: undefined, currentNoProxy: undefined }, [unset, unmerged]],
    ["manage is not set, with the current noProxy", { manage: undefined }, [unset]],
    ["manage is false, without the current noProxy", { currentNoProxy: null }, [unmerged]],
    [
      "manage is true",
      { manage: true, currentNoProxy: undefined },
      [
        `manage adds what is missing to ${object}, ${rolls}: deploy the first time, and changes of the networks, in a maintenance window | while it is changed`,
      ],
    ],
    ["the topology is invalid", { topology: "tenant-a", manage: true }, []],
  ])("warns how the nodes are affected: %s", (_, inputs, expected) =>
    expect(warnings(inputs)).toEqual(expected),
  );
});

describe("M11 the merged noProxy", () => {
  it.each<[string | undefined, string[], string, string[]]>([
    [undefined, [], "", []],
    [undefined, ["10.0.0.0/8"], "10.0.0.0/8", ["10.0.0.0/8"]],
    [".a.b, c", ["10.0.0.0/8"], ".a.b, c,10.0.0.0/8", ["10.0.0.0/8"]],
    ["10.0.0.0/8", ["10.1.0.0/16"], "10.0.0.0/8", []],
  ])(
    "of %j with %j keeps the current entries and adds the missing ones",
    (current, entries, noProxy, missing) => {
      expect(mergedNoProxy(current, entries)).toEqual({ noProxy, missing });
    },
  );
});

test("M11 each control-plane deployment that inherits the proxy gets its variables", () => {
  const { topology } = normalizeTopology(on({}));
  const deployments = managementProxyDeployments(topology!);
  const documents = ["HyperShift, support/proxy/proxy.go"];
  const variables = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"];
  const other = { variables, noProxyAdditions: ["kube-apiserver"], documents };
  for (const { name, ...deployment } of deployments)
    expect([name, deployment]).toEqual([
      name,
      name === "kube-apiserver"
        ? { ...other, noProxyAdditions: ["kube-apiserver", "10.132.0.0/14", "172.31.0.0/16"] }
        : name === "cluster-network-operator"
          ? { ...other, variables: variables.map((variable) => `MGMT_${variable}`) }
          : other,
    ]);
});
