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
/** Answered, so that nothing is said of a change. */
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
    ["machine networks that are not known", { topology: on({ machineNetwork: UNKNOWN }) }, []],
    ["one that is not known", { topology: on({ machineNetwork: [{ cidr: UNKNOWN }] }) }, []],
    [
      "no networks at all",
      { topology: cluster },
      [`secondaryNetworkCidrs missing, and so is topology.machineNetwork: ${write}`],
    ],
    ["their own", { topology: cluster, secondaryNetworkCidrs: ["192.168.10.0/24"] }, []],
    ["their own, not known yet", { topology: cluster, secondaryNetworkCidrs: UNKNOWN }, []],
    [
      "machine networks elsewhere",
      { topology: on({ platform: "AWS" }) },
      [`secondaryNetworkCidrs missing: on AWS no network is a secondary one by default: ${write}`],
    ],
    [
      "a text",
      { secondaryNetworkCidrs: "10.0.0.0/8" },
      ['secondaryNetworkCidrs "10.0.0.0/8" is not a list: write a list of CIDR blocks'],
    ],
    // The rules on the hosted cluster's own proxy are another component's.
    ["a wrong proxy of the hosted cluster", { topology: on({ proxy: { httpProxy: 5 } }) }, []],
    [
      "settings of other kinds",
      { currentNoProxy: {}, kubeconfig: 5, context: [], removeOnDelete: "yes" },
      [
        "currentNoProxy is not a string: write a string, or leave it out",
        "kubeconfig is not a string: write a string, or leave it out",
        "context is not a string: write a string, or leave it out",
        'removeOnDelete "yes" is neither true nor false: write true or false, without quotes',
      ],
    ],
  ])("%s", (_, inputs, expected) => expect(faults(inputs)).toEqual(expected));

  const stray = (cidr: string) =>
    `secondaryNetworkCidrs ${cidr} is in no machine network: HyperShift leaves it out of the hosted cluster's own noProxy: add it to topology.machineNetwork when the cluster is made, or to its noProxy`;

  it.each<[string, Partial<ManagementProxyInputs>, string[]]>([
    ["in a machine network", { secondaryNetworkCidrs: ["192.168.10.0/25", "192.168.10.0/24"] }, []],
    [
      "outside, around or unknown",
      { secondaryNetworkCidrs: ["172.16.5.0/24", UNKNOWN, "192.168.0.0/16"] },
      [stray("172.16.5.0/24"), stray("192.168.0.0/16")],
    ],
    ["not known", { secondaryNetworkCidrs: UNKNOWN }, []],
    ["no blocks", { secondaryNetworkCidrs: "10.0.0.0/8" }, []],
    [
      "beside machine networks that are not known",
      { topology: on({ machineNetwork: UNKNOWN }), secondaryNetworkCidrs: ["172.16.5.0/24"] },
      [],
    ],
    [
      "beside machine networks that only have a key yet",
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
    ["no answer", { manage: undefined, currentNoProxy: undefined }, [unset, unmerged]],
    ["no answer, with the present noProxy", { manage: undefined }, [unset]],
    ["only an answer", { currentNoProxy: null }, [unmerged]],
    [
      "a change",
      { manage: true, currentNoProxy: undefined },
      [
        `manage adds what is missing to ${object}, ${rolls}: deploy the first time, and changes of the networks, in a maintenance window | while it is changed`,
      ],
    ],
    ["a topology that is wrong", { topology: "tenant-a", manage: true }, []],
  ])("says what becomes of the nodes: %s", (_, inputs, expected) =>
    expect(warnings(inputs)).toEqual(expected),
  );
});

describe("M11 the merged noProxy", () => {
  it.each<[string | undefined, string[], string, string[]]>([
    [undefined, [], "", []],
    [undefined, ["10.0.0.0/8"], "10.0.0.0/8", ["10.0.0.0/8"]],
    [".a.b, c", ["10.0.0.0/8"], ".a.b, c,10.0.0.0/8", ["10.0.0.0/8"]],
    ["10.0.0.0/8", ["10.1.0.0/16"], "10.0.0.0/8", []],
  ])("%j with %j", (current, entries, noProxy, missing) => {
    expect(mergedNoProxy(current, entries)).toEqual({ noProxy, missing });
  });
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
