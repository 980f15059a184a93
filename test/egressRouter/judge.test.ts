import fc from "fast-check";
import { networkAttachmentConfig } from "../../src/egressRouter/egressRouter";
import { routerAddresses } from "../../src/egressRouter/judge";
import { describeFaults } from "../../src/fault";
import { UNKNOWN, type PropertyValue } from "../../src/resources/resource";
import { expectGolden } from "../objects/golden";
import { type Inputs, rule, judge, faults, warnings, attached, oldest } from "./routers";

describe("M17 a fault of a router", () => {
  it.each<[string, Inputs, string]>([
    ["no namespace", { namespace: null }, "namespace missing"],
    [
      "a name that a Service cannot have",
      { objectName: "1-egress" },
      'objectName "1-egress" is not a Service name',
    ],
    [
      "a name that is too long",
      { objectName: "a".repeat(64) },
      `objectName "${"a".repeat(57)}..." is not a Kubernetes name`,
    ],
    ["an invalid Service name", { serviceName: "Egress" }, 'serviceName "Egress" is not a Kubernetes name'],
    ["no address", { address: null }, "address missing"],
    ["an address without mask", { address: "192.168.12.99" }, "address 192.168.12.99 has no mask"],
    ["an invalid address", { address: "egress/24" }, "address a string of 9 characters is not a CIDR block"],
    ["a number as the address", { address: 5 }, "address 5 is not an address"],
    [
      "the network as address",
      { address: "192.168.12.0/24" },
      "address 192.168.12.0 in 192.168.12.0/24 is the network's own address",
    ],
    [
      "the broadcast address",
      { address: "192.168.12.255/24" },
      "address 192.168.12.255 in 192.168.12.0/24 is the broadcast address",
    ],
    [
      "an address outside the nodes' network",
      { nodeSubnets: ["10.0.0.0/24"] },
      "address 192.168.12.99 lies outside the subnets of the nodes, 10.0.0.0/24",
    ],
    [
      "an address that is in use",
      { addressesInUse: ["192.168.12.96/28"] },
      "address 192.168.12.99 is in use: addressesInUse[0] is 192.168.12.96/28",
    ],
    ["no gateway", { gateway: null }, "gateway missing"],
    ["an invalid gateway", { gateway: "router" }, "gateway a string of 6 characters is not an IP address"],
    [
      "a gateway outside the subnet",
      { gateway: "10.0.0.1" },
      "gateway 10.0.0.1 lies outside 192.168.12.0/24",
    ],
    [
      "its own address as the gateway",
      { gateway: "192.168.12.99" },
      "gateway 192.168.12.99 is the router's own address",
    ],
    [
      "the network address as the gateway",
      { gateway: "192.168.12.0" },
      "gateway 192.168.12.0 in 192.168.12.0/24 is the network's own address",
    ],
    [
      "nothing to redirect",
      { redirectRules: [] },
      "redirectRules missing, and so is fallbackIp: nothing is redirected",
    ],
    ["rules that are not a list", { redirectRules: rule }, "redirectRules an object is not a list"],
    ["a rule that is not an object", { redirectRules: ["3306"] }, 'redirectRules[0] "3306" is not an object'],
    ["no port", { redirectRules: [{ ...rule, port: null }] }, "redirectRules[0].port missing"],
    [
      "port 70000",
      { redirectRules: [{ ...rule, port: 70000 }] },
      "redirectRules[0].port 70000 is not a port",
    ],
    ["no protocol", { redirectRules: [{ ...rule, protocol: null }] }, "redirectRules[0].protocol missing"],
    [
      "an invalid protocol",
      { redirectRules: [{ ...rule, protocol: "ICMP" }] },
      'redirectRules[0].protocol "ICMP" is not TCP, UDP or SCTP',
    ],
    [
      "no destination",
      { redirectRules: [{ ...rule, destinationIp: null }] },
      "redirectRules[0].destinationIp missing",
    ],
    [
      "a destination with a mask",
      { redirectRules: [{ ...rule, destinationIp: "192.168.12.91/32" }] },
      "redirectRules[0].destinationIp 192.168.12.91/32 has a mask",
    ],
    [
      "a destination of the other address family",
      { redirectRules: [{ ...rule, destinationIp: "2001:db8::1" }] },
      "redirectRules[0].destinationIp 2001:db8::1 is IPv6, and the router's address 192.168.12.99 is IPv4",
    ],
    [
      "a target port after an IPv6 address, which the plug-in reads as part of the address",
      {
        address: "2001:db8::99/64",
        gateway: "2001:db8::1",
        redirectRules: [{ ...rule, destinationIp: "2001:db8:1::91", targetPort: 80 }],
      },
      "redirectRules[0].targetPort is set together with the IPv6 address 2001:db8:1::91, and the plug-in would send to another address",
    ],
    [
      "its own address as the destination",
      { fallbackIp: "192.168.12.99" },
      "fallbackIp 192.168.12.99 is the router's own address",
    ],
    [
      "an invalid target port",
      { redirectRules: [{ ...rule, targetPort: 0 }] },
      "redirectRules[0].targetPort 0 is not a port",
    ],
    [
      "a property that does not exist",
      { redirectRules: [{ ...rule, dstPort: 1 }] },
      "redirectRules[0].dstPort no such property",
    ],
    [
      "one port twice",
      { redirectRules: [rule, { ...rule, destinationIp: "192.168.12.92" }] },
      "redirectRules[1] 3306/TCP is also redirectRules[0]",
    ],
    [
      "an invalid mode",
      { macvlan: { mode: "bridge" } },
      'macvlan.mode "bridge" is not Bridge, Private, VEPA or Passthru',
    ],
    [
      "an invalid interface name",
      { macvlan: { master: 'eth0"' } },
      'macvlan.master "eth0\\"" is not the name of an interface',
    ],
    ["an interface as a string", { macvlan: "eth1" }, 'macvlan "eth1" is not an object'],
    [
      "only a fallback and no ports",
      { redirectRules: null, fallbackIp: "192.168.12.91" },
      "servicePorts missing: with only fallbackIp, no input states the ports",
    ],
    ["an empty list of ports", { servicePorts: [] }, "servicePorts is empty"],
    [
      "a port that no rule redirects",
      { servicePorts: [{ port: 80, protocol: "TCP" }] },
      "servicePorts[0] 80/TCP matches no redirect rule, and there is no fallbackIp: the router rejects it",
    ],
    [
      "a name of a port that is too long",
      { servicePorts: [{ name: "database-of-the-shop", port: 3306, protocol: "TCP" }] },
      'servicePorts[0].name "database-of-the-shop" is not a port name',
    ],
    [
      "a port of the Service twice",
      { servicePorts: [rule, rule].map(({ port, protocol }) => ({ port, protocol })) },
      "servicePorts[1] 3306/TCP is also servicePorts[0]",
    ],
    ["a form that does not exist", { form: "Pod" }, 'form "Pod" is not CustomResource or NetworkAttachment'],
    [
      "a workload that does not exist",
      { ...attached, workload: "Job" },
      'workload "Job" is not Deployment or Pod',
    ],
    [
      "an image for an EgressRouter object, whose pod the operator creates",
      { image: "registry.example.com/pause" },
      "image has no effect: the Cluster Network Operator creates the pod of an EgressRouter object",
    ],
    [
      "an EgressRouter object before 4.8",
      { ...oldest, form: "CustomResource" },
      "form EgressRouter objects need release 4.8 or newer, and this is 4.7",
    ],
    [
      "ports for the plug-in of 4.7",
      { release: "4.7" },
      "redirectRules the plug-in of release 4.7 reads one address and no ports",
    ],
    [
      "a network attachment for a release that is not stated",
      { form: "NetworkAttachment" },
      "release missing: the plug-in of 4.7 reads destinations differently from later ones",
    ],
  ])("is reported for %s", (_, more, fault) => expect(faults(more)).toEqual([fault]));

  it("is reported together with all other faults", () => {
    const { faults: all } = judge({
      namespace: "Shop",
      address: "192.168.12.99",
      gateway: "192.168.12",
      redirectRules: [{ port: 0, protocol: "tcp", destinationIp: "example.com" }],
      platform: "AWS",
    });
    expectGolden("manifests/egressRouterFaults.txt", `${describeFaults("EgressRouter egress", all)}\n`);
  });

  it("is found without an exception, whatever the input", () => {
    const keys = fc.constantFrom(
      "address",
      "gateway",
      "redirectRules",
      "macvlan",
      "servicePorts",
      "fallbackIp",
      "form",
    );
    fc.assert(
      fc.property(keys, fc.jsonValue(), (key, value) => void judge({ [key]: value as PropertyValue })),
    );
  });
});

describe("M17 the exact faults of a router", () => {
  const ipv6: Inputs = { address: "2001:db8::99/64", gateway: "2001:db8::1" };
  const to6 = { ...rule, destinationIp: "2001:db8::5" };
  const port = { port: 3306, protocol: "TCP" };
  it.each<[string, Inputs, string[]]>([
    [
      "an unsupported form, whatever else is given",
      { form: "Pod", workload: "Pod" },
      ['form "Pod" is not CustomResource or NetworkAttachment'],
    ],
    ["an unknown form, whatever else is given (none)", { form: UNKNOWN, workload: "Pod" }, []],
    [
      "an invalid release",
      { form: "NetworkAttachment", release: "latest" },
      ['release "latest" is not an OpenShift release'],
    ],
    ["a release that is not known yet", { form: "NetworkAttachment", release: UNKNOWN }, []],
    [
      "an interface name that is only valid at its end",
      { macvlan: { master: "/eth1" } },
      ['macvlan.master "/eth1" is not the name of an interface'],
    ],
    [
      "IPv4 in IPv6",
      { address: "::ffff:c0a8:c63/64", gateway: UNKNOWN },
      ["address ::ffff:c0a8:c63 is IPv4 inside IPv6"],
    ],
    [
      "an IPv6 address without mask",
      { ...ipv6, address: "2001:db8::99", redirectRules: [to6] },
      ["address 2001:db8::99 has no mask"],
    ],
    [
      "the broadcast address as gateway",
      { gateway: "192.168.12.255" },
      ["gateway 192.168.12.255 in 192.168.12.0/24 is the broadcast address"],
    ],
    [
      "a gateway after the subnet",
      { gateway: "192.168.13.1" },
      ["gateway 192.168.13.1 lies outside 192.168.12.0/24"],
    ],
    [
      "a gateway with the same number in the other family",
      { gateway: "::c0a8:c01" },
      ["gateway ::c0a8:c01 lies outside 192.168.12.0/24"],
    ],
    [
      "an address of another network on an unknown interface (none)",
      { nodeSubnets: ["10.0.0.0/24"], macvlan: UNKNOWN },
      [],
    ],
    [
      "an unknown target port after an IPv6 address (none)",
      { ...ipv6, redirectRules: [{ ...to6, targetPort: UNKNOWN }] },
      [],
    ],
    [
      "a target port after an invalid address",
      { redirectRules: [{ ...rule, destinationIp: "db.example.com", targetPort: 3307 }] },
      ["redirectRules[0].destinationIp a string of 14 characters is not an IP address"],
    ],
    [
      "destinations of a router with an unknown address (none)",
      { address: UNKNOWN, redirectRules: [rule, { ...to6, port: 1 }] },
      [],
    ],
    [
      "two unknown ports (none)",
      {
        redirectRules: [
          { ...rule, port: UNKNOWN },
          { ...rule, port: UNKNOWN },
        ],
      },
      [],
    ],
    [
      "the same port as a string twice",
      {
        redirectRules: [
          { ...rule, port: "80" },
          { ...rule, port: "80" },
        ],
      },
      ['redirectRules[0].port "80" is not a port', 'redirectRules[1].port "80" is not a port'],
    ],
    [
      "the same invalid protocol twice",
      {
        redirectRules: [
          { ...rule, protocol: "ICMP" },
          { ...rule, protocol: "ICMP" },
        ],
      },
      [0, 1].map((at) => `redirectRules[${at}].protocol "ICMP" is not TCP, UDP or SCTP`),
    ],
    [
      "unknown rules with a fallback and without ports (none)",
      { redirectRules: UNKNOWN, fallbackIp: "192.168.12.91" },
      [],
    ],
    ["an unknown port of the Service (none)", { servicePorts: [{ ...port, port: UNKNOWN }] }, []],
    [
      "a port of the Service with an invalid protocol",
      { servicePorts: [{ ...port, protocol: "ICMP" }] },
      ['servicePorts[0].protocol "ICMP" is not TCP, UDP or SCTP'],
    ],
  ])("are reported for %s", (_, more, expected) => expect(faults(more)).toEqual(expected));

  it("exclude unreadable addresses from the router's known addresses", () => {
    expect(routerAddresses({ address: "192.168.12.99/24" })).toEqual(["192.168.12.99"]);
    for (const address of ["egress", UNKNOWN, null] as const)
      expect(routerAddresses({ address })).toEqual([]);
  });

  it("are separate from the network attachment, which has only the fallback address without rules", () => {
    const plain = {
      name: "egress",
      address: "192.168.12.99/24",
      gateway: "192.168.12.1",
      fallbackIp: "192.168.12.91",
    };
    const config = networkAttachmentConfig(plain, { major: 4, minor: 20 });
    expect(JSON.parse(config)).toMatchObject({ ip: { destinations: ["192.168.12.91"] } });
  });

  it("are accompanied by a warning of a mode that the operator ignores, but not of its default", () => {
    const ignored = "macvlan has no effect with Cluster Network Operators that lack the fix of OCPBUGS-98724";
    const found = (mode: PropertyValue) =>
      warnings({ macvlan: { mode } }).filter((one) => one.startsWith("macvlan"));
    expect(found("Private")).toEqual([ignored]);
    expect(found("Bridge")).toEqual([]);
  });
});

describe("M17 every fault and every warning of a router has a fix", () => {
  const each: Inputs[] = [
    { address: null, gateway: null },
    { address: 5 },
    { address: "::ffff:c0a8:c63/64", gateway: UNKNOWN },
    { gateway: "10.0.0.1" },
    { objectName: "1-egress" },
    { redirectRules: [] },
    { redirectRules: "x" },
    { redirectRules: [{}] },
    { redirectRules: [rule, rule, { ...rule, port: 1, destinationIp: "2001:db8::1" }] },
    { redirectRules: [{ ...rule, destinationIp: "192.168.12.99" }] },
    {
      address: "2001:db8::99/64",
      gateway: "2001:db8::1",
      redirectRules: [{ ...rule, destinationIp: "2001:db8::5", targetPort: 1 }],
    },
    { redirectRules: null, fallbackIp: "192.168.12.91" },
    { servicePorts: "x" },
    { servicePorts: [{ protocol: "TCP" }, { port: 1, protocol: "TCP" }] },
    { image: "router" },
    { form: "CustomResource", release: "4.7" },
    { form: "NetworkAttachment" },
    { form: "NetworkAttachment", release: "4.7" },
  ];
  it.each(["faults", "warnings"] as const)("%s", (kind) => {
    const warned: Inputs[] = [
      { platform: "OpenStack" },
      { topology: { name: "a", platform: "OpenStack" } },
      { macvlan: { master: "eth1" } },
      attached,
    ];
    const all = (kind === "faults" ? each : warned).flatMap((more) => judge(more)[kind]);
    const name = kind === "faults" ? "egressRouterEachFault" : "egressRouterWarnings";
    expectGolden(`manifests/${name}.txt`, `${describeFaults("EgressRouter egress", all)}\n`);
  });
});
