import * as pulumi from "@pulumi/pulumi";
import { EgressIP } from "../../../src/egressIp/component/egressIp";
import { EgressRouter } from "../../../src/egressRouter/component/egressRouter";
import {
  EgressRouterForm,
  EgressRouterProtocol,
  EgressRouterWorkload,
  MacvlanMode,
} from "../../../src/egressRouter/egressRouter";
import { InfrastructurePlatform, Platform } from "../../../src";
import type { EgressRouterArgs } from "../../../src/egressRouter/component/egressRouterArgs";
import { expectGolden } from "../../objects/golden";
import { eventually } from "../../components/eventually";
import { run, unknownValue } from "../../components/program";

const { TCP } = EgressRouterProtocol;
const { NetworkAttachment } = EgressRouterForm;
const database: EgressRouterArgs = {
  namespace: "shop",
  address: "192.168.12.99/24",
  gateway: "192.168.12.1",
  redirectRules: [{ port: 3306, protocol: TCP, destinationIp: "192.168.12.91" }],
};
const attachment = { form: NetworkAttachment, release: "4.20" };
const create =
  (args: Partial<EgressRouterArgs> = {}, name = "egress") =>
  () =>
    new EgressRouter(name, { ...database, ...args });
const golden = (objects: unknown) => `${JSON.stringify(objects, null, 2)}\n`;

describe("M17 an egress router", () => {
  it("is an EgressRouter object with a Service in front of it", async () => {
    const { objects } = await run(
      create({
        redirectRules: [
          { port: 3306, protocol: TCP, destinationIp: "192.168.12.91" },
          { port: 8080, protocol: TCP, destinationIp: "203.0.113.26", targetPort: 80 },
        ],
        fallbackIp: "203.0.113.28",
        macvlan: { mode: MacvlanMode.Private, master: "eth1" },
        labels: { team: "shop" },
      }),
    );
    expectGolden("components/egressRouter.json", golden(objects));
  });

  it("is a network attachment, a Deployment of one replica and a Service for releases without the object", async () => {
    const { objects } = await run(
      create({
        release: "4.7",
        platform: InfrastructurePlatform.VSphere,
        redirectRules: undefined as never,
        fallbackIp: "192.168.12.91",
        servicePorts: [{ name: "database", port: 3306, protocol: TCP }],
        labels: { team: "shop" },
        annotations: { note: "a" },
      }),
    );
    expectGolden("components/egressRouterDeployment.json", golden(objects));
  });

  it("is a network attachment, a Pod and a Service", async () => {
    const { objects } = await run(
      create({
        ...attachment,
        workload: EgressRouterWorkload.Pod,
        image: "registry.example.com/pause",
        command: ["sleep", "infinity"],
        labels: { team: "shop" },
        annotations: { note: "a" },
        serviceName: "database",
      }),
    );
    expectGolden("components/egressRouterPod.json", golden(objects));
  });

  it("restarts when its network attachment changes", async () => {
    const digest = async (gateway: string) => {
      const { objects } = await run(create({ ...attachment, gateway }));
      const { spec } = objects.find(({ type }) => type.endsWith("Deployment"))!.inputs as {
        spec: { template: { metadata: { annotations: Record<string, string> } } };
      };
      return spec.template.metadata.annotations["hypershift-network/network-attachment"];
    };
    expect(await digest("192.168.12.1")).toBe(await digest("192.168.12.1"));
    expect(await digest("192.168.12.1")).not.toBe(await digest("192.168.12.2"));
  });

  it("outputs its address, its Service, the platform setup and verification steps", async () => {
    const { result, warnings } = await run(
      create({ ...attachment, platform: InfrastructurePlatform.OpenStack, address: "192.168.12.99/24" }),
    );
    await expect(eventually(result.sourceAddress)).resolves.toBe("192.168.12.99");
    await expect(eventually(result.serviceHost)).resolves.toBe("egress.shop.svc");
    await expect(eventually(result.networkAttachment!)).resolves.toContain("3306 TCP 192.168.12.91");
    await expect(eventually(result.platformSetup)).resolves.toEqual([
      expect.stringContaining("MAC address"),
      expect.stringContaining("openstack port set --allowed-address ip_address=192.168.12.99,"),
    ]);
    const { commands, expected } = await eventually(result.verification);
    expect(commands).toContain("oc get events -n shop --field-selector involvedObject.name=$POD");
    expect(expected[0]).toBe("AddedInterface   pod   Add net1 [192.168.12.99/24] from shop/egress");
    expect(warnings.join()).toContain("follow the output platformSetup");
  });

  it("accepts Outputs of other resources", async () => {
    const { objects, failures } = await run(
      create({
        ...attachment,
        namespace: pulumi.output("shop"),
        address: pulumi.output("192.168.12.99/24"),
        gateway: pulumi.output("192.168.12.1"),
        redirectRules: pulumi.output([{ port: 3306, protocol: TCP, destinationIp: "192.168.12.91" }]),
        annotations: pulumi.output({ note: "a" }),
        workload: EgressRouterWorkload.Pod,
      }),
    );
    const plain = await run(
      create({ ...attachment, annotations: { note: "a" }, workload: EgressRouterWorkload.Pod }),
    );
    expect(failures).toEqual([]);
    expect(objects).toEqual(plain.objects);
  });

  it("outputs the topology without credentials, and reads release and network from it", async () => {
    const topology = {
      name: "tenant-a",
      platform: Platform.Agent,
      release: "4.20",
      machineNetwork: [{ cidr: "192.168.12.0/24" }],
      proxy: { httpProxy: "http://me:hunter2@proxy.example.com:3128" },
    };
    const { resources, result } = await run(create({ topology }));
    await expect(eventually(result.topology!)).resolves.toMatchObject({ namespace: "clusters" });
    expect(JSON.stringify(resources)).not.toContain("hunter2");
  });

  it("reports all faults at once, without a stack", async () => {
    expect.assertions(2);
    try {
      await run(create({ address: "192.168.12.99", platform: InfrastructurePlatform.AWS }));
    } catch (error) {
      expect((error as pulumi.ResourceError).hideStack).toBe(true);
      expect((error as Error).message).toMatch(
        /^EgressRouter egress: 2 faults\n {2}address .*\n {2}platform +AWS has no egress routers/,
      );
    }
  });

  it("names the missing inputs if there are no inputs at all", async () => {
    await expect(run(() => new EgressRouter("egress", undefined as never))).rejects.toThrow(
      /namespace +missing.*\n +address +missing.*\n +gateway +missing.*\n +redirectRules +missing/,
    );
  });

  it.each<[string, Partial<EgressRouterArgs>]>([
    ["form", { form: pulumi.output(NetworkAttachment) as never }],
    ["workload", { ...attachment, workload: pulumi.output(EgressRouterWorkload.Pod) as never }],
    ["platform", { platform: pulumi.output("BareMetal") as never }],
  ])("refuses a %s that is an Output, because it must be plain", async (input, args) => {
    await expect(run(create(args))).rejects.toThrow(`${input}  is an Output`);
  });

  it("creates nothing if an Output turns out to be invalid", async () => {
    const { objects, failures } = await run(create({ ...attachment, gateway: pulumi.output("10.0.0.1") }));
    expect(objects).toEqual([]);
    expect(failures).toEqual([expect.stringContaining("gateway  10.0.0.1 lies outside 192.168.12.0/24")]);
  });

  it("shows the rest in a preview that does not know the gateway", async () => {
    const { objects, failures } = await run(create({ gateway: unknownValue() }), { preview: true });
    expect(failures).toEqual([]);
    expect(JSON.stringify(objects)).toContain("192.168.12.91");
  });

  it("notes once per program that it adds a MAC address to its node", async () => {
    const { notes } = await run(() => {
      create()();
      create({ namespace: "other", address: "192.168.12.98/24" }, "other")();
    });
    expect(notes).toEqual([expect.stringMatching(/adds a MAC address/)]);
  });
});

describe("M17 several egress routers of one program", () => {
  it.each<[string, Partial<EgressRouterArgs>, string]>([
    [
      "one namespace with two EgressRouter objects",
      { address: "192.168.12.98/24" },
      "namespace  shop already has an egress router: EgressRouter egress",
    ],
    ["one address", { namespace: "other" }, "address  192.168.12.99 is in use by EgressRouter egress"],
  ])("are refused with %s", async (_, args, fault) => {
    const both = () => {
      create()();
      create(args, "second")();
    };
    await expect(run(both)).rejects.toThrow(fault);
  });

  it("can share a namespace if each has its own network attachment", async () => {
    const { failures } = await run(() => {
      create(attachment)();
      create({ ...attachment, address: "192.168.12.98/24" }, "second")();
    });
    expect(failures).toEqual([]);
  });

  it("are refused with the address of an EgressIP object", async () => {
    const both = () => {
      create()();
      new EgressIP("prod", {
        addresses: ["192.168.12.99"],
        namespaceSelector: { matchLabels: { env: "prod" } },
        nodes: ["node1"],
        nodeSubnets: ["192.168.12.0/24"],
      });
    };
    await expect(run(both)).rejects.toThrow("addresses  192.168.12.99 is in use by EgressRouter egress");
  });
});
