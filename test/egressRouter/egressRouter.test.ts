import fc from "fast-check";
import {
  EgressRouterForm,
  EgressRouterProtocol,
  EgressRouterWorkload,
  MacvlanMode,
  networkInterface,
  redirectRule,
  networkAttachmentConfig,
  networksAnnotation,
  routerPodSpec,
  servicePort,
  type PlainEgressRouter,
} from "../../src/egressRouter/egressRouter";
import { judgeEgressRouter, routerAddresses } from "../../src/egressRouter/judge";
import {
  parseInterfaceAddress,
  platformSetup,
  routerVerification,
  type RouterPlace,
} from "../../src/egressRouter/surroundings";
import { describeFaults } from "../../src/fault";
import { egressRouterSupport } from "../../src/requirements/egressSupport";
import { InfrastructurePlatform } from "../../src/requirements/vocabulary";
import { UNKNOWN, type PropertyValue } from "../../src/resources/resource";
import { expectGolden } from "../objects/golden";

type Inputs = Record<string, PropertyValue>;
const { TCP, UDP } = EgressRouterProtocol;
const rule = { port: 3306, protocol: "TCP", destinationIp: "192.168.12.91" };
const right: Inputs = {
  namespace: "shop",
  objectName: "egress",
  address: "192.168.12.99/24",
  gateway: "192.168.12.1",
  redirectRules: [rule],
};
const judge = (more: Inputs) => judgeEgressRouter({ ...right, ...more });
const text = ({ path, problem }: { path: string; problem: string }) => `${path} ${problem}`;
const faults = (more: Inputs) => judge(more).faults.map(text);
const warnings = (more: Inputs) => judge(more).warnings.map(text);
const attached = { form: "NetworkAttachment", release: "4.20" };
const oldest: Inputs = {
  release: "4.7",
  redirectRules: null,
  fallbackIp: "192.168.12.91",
  servicePorts: [{ port: 3306, protocol: "TCP" }],
};

describe("M17 egress routers in redirect mode", () => {
  it.each<[string, Inputs]>([
    ["the document's example", oldest],
    ["one rule", {}],
    [
      "several rules, with and without a port of the destination",
      {
        redirectRules: [
          rule,
          { ...rule, protocol: "UDP", targetPort: 53 },
          { ...rule, port: 8080, targetPort: 80 },
        ],
      },
    ],
    ["rules and an address for all other ports", { fallbackIp: "203.0.113.28" }],
    [
      "IPv6",
      {
        address: "2001:db8::99/64",
        gateway: "2001:db8::1",
        redirectRules: [{ ...rule, destinationIp: "2001:db8:1::91" }],
      },
    ],
    ["every mode of the interface", { macvlan: { mode: "VEPA", master: "bond0.100" } }],
    [
      "a network attachment with a pod",
      { ...attached, workload: "Pod", image: "registry.example.com/pause", command: ["sleep"] },
    ],
    ["an interface on another network", { macvlan: { master: "eth1" }, nodeSubnets: ["10.0.0.0/24"] }],
    [
      "values that are not known yet",
      { address: UNKNOWN, gateway: UNKNOWN, redirectRules: [UNKNOWN], namespace: UNKNOWN },
    ],
    [
      "a list that is not known yet",
      { redirectRules: UNKNOWN, macvlan: UNKNOWN, fallbackIp: UNKNOWN, servicePorts: UNKNOWN },
    ],
  ])("%s", (_, more) => expect(faults(more)).toEqual([]));

  it.each<[string, Inputs, EgressRouterForm]>([
    ["is an EgressRouter object today", {}, EgressRouterForm.CustomResource],
    ["is an EgressRouter object from 4.8 on", { release: "4.8" }, EgressRouterForm.CustomResource],
    ["is a network attachment before 4.8", oldest, EgressRouterForm.NetworkAttachment],
    ["is what is asked for", attached, EgressRouterForm.NetworkAttachment],
  ])("%s", (_, more, form) => expect(judge(more).form).toBe(form));
});

describe("M17 what is wrong with a router", () => {
  it.each<[string, Inputs, string]>([
    ["no namespace", { namespace: null }, "namespace missing"],
    ["a name that no Service has", { objectName: "1-egress" }, 'objectName "1-egress" is not a Service name'],
    [
      "a name that is too long",
      { objectName: "a".repeat(64) },
      `objectName "${"a".repeat(57)}..." is not a Kubernetes name`,
    ],
    [
      "a Service's name that is none",
      { serviceName: "Egress" },
      'serviceName "Egress" is not a Kubernetes name',
    ],
    ["no address", { address: null }, "address missing"],
    ["an address without mask", { address: "192.168.12.99" }, "address 192.168.12.99 has no mask"],
    [
      "an address that is none",
      { address: "egress/24" },
      "address a string of 9 characters is not a CIDR block",
    ],
    ["a number", { address: 5 }, "address 5 is not an address"],
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
    [
      "a gateway that is none",
      { gateway: "router" },
      "gateway a string of 6 characters is not an IP address",
    ],
    ["a gateway elsewhere", { gateway: "10.0.0.1" }, "gateway 10.0.0.1 lies outside 192.168.12.0/24"],
    ["itself as gateway", { gateway: "192.168.12.99" }, "gateway 192.168.12.99 is the router's own address"],
    [
      "the network as gateway",
      { gateway: "192.168.12.0" },
      "gateway 192.168.12.0 in 192.168.12.0/24 is the network's own address",
    ],
    [
      "nothing to redirect",
      { redirectRules: [] },
      "redirectRules missing, and so is fallbackIp: nothing is redirected",
    ],
    ["rules that are no list", { redirectRules: rule }, "redirectRules an object is not a list"],
    ["a rule that is none", { redirectRules: ["3306"] }, 'redirectRules[0] "3306" is not an object'],
    ["no port", { redirectRules: [{ ...rule, port: null }] }, "redirectRules[0].port missing"],
    [
      "port 70000",
      { redirectRules: [{ ...rule, port: 70000 }] },
      "redirectRules[0].port 70000 is not a port",
    ],
    ["no protocol", { redirectRules: [{ ...rule, protocol: null }] }, "redirectRules[0].protocol missing"],
    [
      "a protocol that is none",
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
      "a destination of the other family",
      { redirectRules: [{ ...rule, destinationIp: "2001:db8::1" }] },
      "redirectRules[0].destinationIp 2001:db8::1 is IPv6, and the router's address 192.168.12.99 is IPv4",
    ],
    [
      "a port behind an IPv6 address, which the plug-in takes for a part of it",
      {
        address: "2001:db8::99/64",
        gateway: "2001:db8::1",
        redirectRules: [{ ...rule, destinationIp: "2001:db8:1::91", targetPort: 80 }],
      },
      "redirectRules[0].targetPort is set together with the IPv6 address 2001:db8:1::91, and the plug-in would send to another address",
    ],
    [
      "itself as destination",
      { fallbackIp: "192.168.12.99" },
      "fallbackIp 192.168.12.99 is the router's own address",
    ],
    [
      "a target port that is none",
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
      "a mode that is none",
      { macvlan: { mode: "bridge" } },
      'macvlan.mode "bridge" is not Bridge, Private, VEPA or Passthru',
    ],
    [
      "an interface that is none",
      { macvlan: { master: 'eth0"' } },
      'macvlan.master "eth0\\"" is not the name of an interface',
    ],
    ["an interface as text", { macvlan: "eth1" }, 'macvlan "eth1" is not an object'],
    [
      "only a fallback and no ports",
      { redirectRules: null, fallbackIp: "192.168.12.91" },
      "servicePorts missing: with only fallbackIp nothing says which ports there are",
    ],
    ["an empty list of ports", { servicePorts: [] }, "servicePorts is empty"],
    [
      "a port that no rule redirects",
      { servicePorts: [{ port: 80, protocol: "TCP" }] },
      "servicePorts[0] 80/TCP is redirected by no rule, and there is no fallbackIp: the router rejects it",
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
      "an image where the operator has its own",
      { image: "registry.example.com/pause" },
      "image has no effect: the Cluster Network Operator makes the pod of an EgressRouter object",
    ],
    [
      "an EgressRouter object before 4.8",
      { ...oldest, form: "CustomResource" },
      "form EgressRouter objects come with release 4.8, and this is 4.7",
    ],
    [
      "ports for the plug-in of 4.7",
      { release: "4.7" },
      "redirectRules the plug-in of release 4.7 reads one address and no ports",
    ],
    [
      "a network attachment for a release that is not stated",
      { form: "NetworkAttachment" },
      "release missing: the plug-in of 4.7 reads other destinations than later ones",
    ],
  ])("%s", (_, more, fault) => expect(faults(more)).toEqual([fault]));

  it("all faults are told at once", () => {
    const { faults: all } = judge({
      namespace: "Shop",
      address: "192.168.12.99",
      gateway: "192.168.12",
      redirectRules: [{ port: 0, protocol: "tcp", destinationIp: "example.com" }],
      platform: "AWS",
    });
    expectGolden("manifests/egressRouterFaults.txt", `${describeFaults("EgressRouter egress", all)}\n`);
  });

  it("whatever is given, the check ends with faults or without, and never throws", () => {
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

describe("M17 not on clouds without macvlan", () => {
  const works: readonly InfrastructurePlatform[] = [
    InfrastructurePlatform.BareMetal,
    InfrastructurePlatform.VSphere,
    InfrastructurePlatform.OpenStack,
    InfrastructurePlatform.OVirt,
    InfrastructurePlatform.None,
    InfrastructurePlatform.Nutanix,
    InfrastructurePlatform.KubeVirt,
  ];
  it.each(Object.values(InfrastructurePlatform))("%s", (platform) => {
    const refusal = `platform ${platform} has no egress routers: ${egressRouterSupport[platform].reason}`;
    expect(faults({ platform })).toEqual(works.includes(platform) ? [] : [refusal]);
    expect(faults({ platform, acceptUnsupportedPlatform: true })).toEqual([]);
  });

  it.each<[string, Inputs, string[]]>([
    ["bare metal", { platform: "BareMetal" }, []],
    [
      "OpenStack",
      { platform: "OpenStack" },
      ["platform OpenStack drops the router's frames until it is told to let them pass"],
    ],
    ["KubeVirt", { platform: "KubeVirt" }, ["platform no document says that KubeVirt has egress routers"]],
    [
      "an interface that the operator ignores",
      { macvlan: { master: "eth1" } },
      ["macvlan has no effect with Cluster Network Operators that lack the fix of OCPBUGS-98724"],
    ],
    ["the operator's own mode", { macvlan: { mode: "Bridge" } }, []],
    [
      "a network attachment where there are EgressRouter objects",
      attached,
      ["form NetworkAttachment is a Technology Preview, and release 4.20 has EgressRouter objects"],
    ],
  ])("%s is warned about as the documents say", (_, more, expected) =>
    expect(warnings(more)).toEqual(expected),
  );

  const place: RouterPlace = {
    namespace: "shop",
    name: "egress",
    form: EgressRouterForm.CustomResource,
    workload: EgressRouterWorkload.Deployment,
    address: "192.168.12.99/24",
    gateway: "192.168.12.1",
  };

  it("what each platform needs around it", () => {
    const steps = Object.values(InfrastructurePlatform).flatMap((platform) =>
      platformSetup(place, platform).map((step) => `${platform}: ${step}`),
    );
    expectGolden("manifests/egressRouterPlatforms.txt", `${steps.join("\n")}\n`);
    expect(platformSetup(place, undefined)).toEqual([]);
  });

  it("its verification steps", () => {
    const forms = [
      place,
      { ...place, form: EgressRouterForm.NetworkAttachment },
      { ...place, form: EgressRouterForm.NetworkAttachment, workload: EgressRouterWorkload.Pod },
    ];
    const written = forms.map((form) => {
      const { commands, expected } = routerVerification(form);
      return `${form.form} ${form.workload}\n${[...commands, ...expected.map((line) => `=> ${line}`)].join("\n")}\n`;
    });
    expectGolden("manifests/egressRouterVerification.txt", written.join("\n"));
  });
});

describe("M17 the objects of a router", () => {
  const router: PlainEgressRouter = {
    name: "egress-router",
    address: "192.168.12.99/24",
    gateway: "192.168.12.1",
  };
  const config = (more: Partial<PlainEgressRouter>, minor: number) =>
    JSON.parse(networkAttachmentConfig({ ...router, ...more }, { major: 4, minor })) as object;

  it("the network attachment of release 4.7 is the document's", () => {
    expect(networkAttachmentConfig({ ...router, fallbackIp: "192.168.12.91" }, { major: 4, minor: 7 })).toBe(
      '{"cniVersion":"0.4.0","type":"egress-router","name":"egress-router",' +
        '"ip":{"addresses":["192.168.12.99/24"],"destinations":["192.168.12.91/32"],"gateway":"192.168.12.1"}}',
    );
    const ipv6 = config(
      { address: "2001:db8::99/64", gateway: "2001:db8::1", fallbackIp: "2001:db8:1::1" },
      7,
    );
    expect(ipv6).toMatchObject({ ip: { destinations: ["2001:db8:1::1/128"] } });
  });

  it("that of later releases has ports, and last the address for all others", () => {
    const redirectRules = [
      { port: 80, protocol: UDP, destinationIp: "10.100.3.1" },
      { port: 8080, protocol: TCP, destinationIp: "203.0.113.26", targetPort: 80 },
    ];
    expect(config({ redirectRules, fallbackIp: "203.0.113.28" }, 20)).toEqual({
      cniVersion: "0.4.0",
      type: "egress-router",
      name: "egress-router",
      ip: {
        addresses: ["192.168.12.99/24"],
        destinations: ["80 UDP 10.100.3.1", "8080 TCP 203.0.113.26 80", "203.0.113.28"],
        gateway: "192.168.12.1",
      },
    });
  });

  it("the plug-in reads modes in small letters", () => {
    const macvlan = { mode: MacvlanMode.VEPA, master: "eth1" };
    expect(config({ macvlan, fallbackIp: "203.0.113.28" }, 20)).toMatchObject({
      interfaceType: "macvlan",
      interfaceArgs: { master: "eth1", mode: "vepa" },
    });
  });

  it("the pod names its default route where the release knows it, so that it keeps those to the cluster", () => {
    expect(networksAnnotation("egress", "192.168.12.1", { major: 4, minor: 7 })).toBe("egress");
    expect(networksAnnotation("egress", "192.168.12.1", { major: 4, minor: 11 })).toBe(
      '[{"name":"egress","default-route":["192.168.12.1"]}]',
    );
  });

  it("the EgressRouter object has the API's names", () => {
    expect(redirectRule({ port: 80, protocol: TCP, destinationIp: "203.0.113.26" })).toEqual({
      destinationIP: "203.0.113.26",
      port: 80,
      protocol: "TCP",
    });
    expect(networkInterface(undefined)).toEqual({ macvlan: { mode: "Bridge" } });
    expect(networkInterface({ mode: MacvlanMode.Private, master: "eth1" })).toEqual({
      macvlan: { mode: "Private", master: "eth1" },
    });
  });

  it("the pod waits, without rights", () => {
    expect(routerPodSpec("egress", "image", ["sleep", "infinity"])).toEqual({
      containers: [
        {
          name: "egress",
          image: "image",
          command: ["sleep", "infinity"],
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
        },
      ],
    });
  });

  it("ports of the Service have names", () => {
    expect(servicePort({ port: 3306, protocol: TCP })).toEqual({
      name: "tcp-3306",
      protocol: "TCP",
      port: 3306,
    });
    expect(servicePort({ name: "database", port: 3306, protocol: TCP })).toMatchObject({ name: "database" });
  });

  it("an address keeps its host bits and takes its canonical form", () => {
    expect(parseInterfaceAddress("2001:DB8:0::99/64")).toMatchObject({ text: "2001:db8::99/64" });
  });
});

describe("M17 what is wrong with a router, and only that", () => {
  const ipv6: Inputs = { address: "2001:db8::99/64", gateway: "2001:db8::1" };
  const to6 = { ...rule, destinationIp: "2001:db8::5" };
  const port = { port: 3306, protocol: "TCP" };
  it.each<[string, Inputs, string[]]>([
    [
      "a form that does not exist, whatever else is given",
      { form: "Pod", workload: "Pod" },
      ['form "Pod" is not CustomResource or NetworkAttachment'],
    ],
    ["a form that is not known yet, whatever else is given", { form: UNKNOWN, workload: "Pod" }, []],
    [
      "a release that is none",
      { form: "NetworkAttachment", release: "latest" },
      ['release "latest" is not an OpenShift release'],
    ],
    ["a release that is not known yet", { form: "NetworkAttachment", release: UNKNOWN }, []],
    [
      "a name of an interface that only ends well",
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
      "a gateway behind the subnet",
      { gateway: "192.168.13.1" },
      ["gateway 192.168.13.1 lies outside 192.168.12.0/24"],
    ],
    [
      "a gateway with the same number in the other family",
      { gateway: "::c0a8:c01" },
      ["gateway ::c0a8:c01 lies outside 192.168.12.0/24"],
    ],
    [
      "an address of another network, on an interface that is not known yet",
      { nodeSubnets: ["10.0.0.0/24"], macvlan: UNKNOWN },
      [],
    ],
    [
      "a port behind an IPv6 address that is not known yet",
      { ...ipv6, redirectRules: [{ ...to6, targetPort: UNKNOWN }] },
      [],
    ],
    [
      "a port behind what is not an address",
      { redirectRules: [{ ...rule, destinationIp: "db.example.com", targetPort: 3307 }] },
      ["redirectRules[0].destinationIp a string of 14 characters is not an IP address"],
    ],
    [
      "destinations of a router whose address is not known yet",
      { address: UNKNOWN, redirectRules: [rule, { ...to6, port: 1 }] },
      [],
    ],
    [
      "ports that are not known yet, twice",
      {
        redirectRules: [
          { ...rule, port: UNKNOWN },
          { ...rule, port: UNKNOWN },
        ],
      },
      [],
    ],
    [
      "a port as text, twice",
      {
        redirectRules: [
          { ...rule, port: "80" },
          { ...rule, port: "80" },
        ],
      },
      ['redirectRules[0].port "80" is not a port', 'redirectRules[1].port "80" is not a port'],
    ],
    [
      "a protocol that is none, twice",
      {
        redirectRules: [
          { ...rule, protocol: "ICMP" },
          { ...rule, protocol: "ICMP" },
        ],
      },
      [0, 1].map((at) => `redirectRules[${at}].protocol "ICMP" is not TCP, UDP or SCTP`),
    ],
    [
      "rules that are not known yet, with a fallback and without ports",
      { redirectRules: UNKNOWN, fallbackIp: "192.168.12.91" },
      [],
    ],
    ["a port of the Service that is not known yet", { servicePorts: [{ ...port, port: UNKNOWN }] }, []],
    [
      "a port of the Service with a protocol that is none",
      { servicePorts: [{ ...port, protocol: "ICMP" }] },
      ['servicePorts[0].protocol "ICMP" is not TCP, UDP or SCTP'],
    ],
  ])("%s", (_, more, expected) => expect(faults(more)).toEqual(expected));

  it("names no address that cannot be read", () => {
    expect(routerAddresses({ address: "192.168.12.99/24" })).toEqual(["192.168.12.99"]);
    for (const address of ["egress", UNKNOWN, null] as const)
      expect(routerAddresses({ address })).toEqual([]);
  });

  it("has no rules before the address for all connections where none are given", () => {
    const plain = {
      name: "egress",
      address: "192.168.12.99/24",
      gateway: "192.168.12.1",
      fallbackIp: "192.168.12.91",
    };
    const config = networkAttachmentConfig(plain, { major: 4, minor: 20 });
    expect(JSON.parse(config)).toMatchObject({ ip: { destinations: ["192.168.12.91"] } });
  });

  it("warns of a mode that the operator ignores, and of none that it has anyway", () => {
    const ignored = "macvlan has no effect with Cluster Network Operators that lack the fix of OCPBUGS-98724";
    const found = (mode: PropertyValue) =>
      warnings({ macvlan: { mode } }).filter((one) => one.startsWith("macvlan"));
    expect(found("Private")).toEqual([ignored]);
    expect(found("Bridge")).toEqual([]);
  });
});

describe("M17 every fault and every warning of a router says the way out", () => {
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
