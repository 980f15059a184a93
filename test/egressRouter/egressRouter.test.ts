import {
  EgressRouterForm,
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
import {
  parseInterfaceAddress,
  platformSetup,
  routerVerification,
  type RouterPlace,
} from "../../src/egressRouter/surroundings";
import { egressRouterSupport } from "../../src/requirements/egressSupport";
import { InfrastructurePlatform } from "../../src/requirements/vocabulary";
import { UNKNOWN } from "../../src/resources/resource";
import { expectGolden } from "../objects/golden";
import { type Inputs, TCP, UDP, rule, judge, faults, warnings, attached, oldest } from "./routers";

describe("M17 an egress router in redirect mode", () => {
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
    ["a mode and a parent of the interface", { macvlan: { mode: "VEPA", master: "bond0.100" } }],
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
  ])("accepts %s", (_, more) => expect(faults(more)).toEqual([]));

  it.each<[string, Inputs, EgressRouterForm]>([
    ["is an EgressRouter object by default", {}, EgressRouterForm.CustomResource],
    ["is an EgressRouter object from 4.8 on", { release: "4.8" }, EgressRouterForm.CustomResource],
    ["is a network attachment before 4.8", oldest, EgressRouterForm.NetworkAttachment],
    ["is a network attachment if form requests it", attached, EgressRouterForm.NetworkAttachment],
  ])("%s", (_, more, form) => expect(judge(more).form).toBe(form));
});

describe("M17 platform support of egress routers", () => {
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
      ["platform OpenStack drops the router's frames until it is configured to allow them"],
    ],
    [
      "KubeVirt",
      { platform: "KubeVirt" },
      ["platform no document states that KubeVirt supports egress routers"],
    ],
    [
      "an interface setting that the operator ignores",
      { macvlan: { master: "eth1" } },
      ["macvlan has no effect with Cluster Network Operators that lack the fix of OCPBUGS-98724"],
    ],
    ["the operator's own mode", { macvlan: { mode: "Bridge" } }, []],
    [
      "a network attachment although the release has EgressRouter objects",
      attached,
      ["form NetworkAttachment is a Technology Preview, and release 4.20 has EgressRouter objects"],
    ],
  ])("%s: has the documented warnings", (_, more, expected) => expect(warnings(more)).toEqual(expected));

  const place: RouterPlace = {
    namespace: "shop",
    name: "egress",
    form: EgressRouterForm.CustomResource,
    workload: EgressRouterWorkload.Deployment,
    address: "192.168.12.99/24",
    gateway: "192.168.12.1",
  };

  it("lists the setup steps of each platform", () => {
    const steps = Object.values(InfrastructurePlatform).flatMap((platform) =>
      platformSetup(place, platform).map((step) => `${platform}: ${step}`),
    );
    expectGolden("manifests/egressRouterPlatforms.txt", `${steps.join("\n")}\n`);
    expect(platformSetup(place, undefined)).toEqual([]);
  });

  it("lists the verification steps of each form", () => {
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

  it("have the documented network attachment for release 4.7", () => {
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

  it("have ports in the network attachment of later releases, with the fallback address last", () => {
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

  it("have the mode in lowercase in the network attachment", () => {
    const macvlan = { mode: MacvlanMode.VEPA, master: "eth1" };
    expect(config({ macvlan, fallbackIp: "203.0.113.28" }, 20)).toMatchObject({
      interfaceType: "macvlan",
      interfaceArgs: { master: "eth1", mode: "vepa" },
    });
  });

  it("state the pod's default route if the release supports it, to keep its routes to the cluster", () => {
    expect(networksAnnotation("egress", "192.168.12.1", { major: 4, minor: 7 })).toBe("egress");
    expect(networksAnnotation("egress", "192.168.12.1", { major: 4, minor: 11 })).toBe(
      '[{"name":"egress","default-route":["192.168.12.1"]}]',
    );
  });

  it("have the API's field names in the EgressRouter object", () => {
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

  it("have a pod that only waits, without privileges", () => {
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

  it("have names for the ports of the Service", () => {
    expect(servicePort({ port: 3306, protocol: TCP })).toEqual({
      name: "tcp-3306",
      protocol: "TCP",
      port: 3306,
    });
    expect(servicePort({ name: "database", port: 3306, protocol: TCP })).toMatchObject({ name: "database" });
  });

  it("keep the host bits of an address, in canonical form", () => {
    expect(parseInterfaceAddress("2001:DB8:0::99/64")).toMatchObject({ text: "2001:db8::99/64" });
  });
});
