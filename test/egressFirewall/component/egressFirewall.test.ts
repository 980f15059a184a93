import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import {
  EgressFirewall,
  type EgressFirewallArgs,
} from "../../../src/egressFirewall/component/egressFirewall";
import { EgressFirewallProtocol, EgressFirewallRuleType, Platform } from "../../../src";
import { eventually } from "../../components/eventually";
import { run, unknownValue } from "../../components/program";

const { Allow, Deny } = EgressFirewallRuleType;
const rules = [
  { type: Allow, cidr: "10.0.0.0/8" },
  { type: Deny, cidr: "0.0.0.0/0" },
];
const create = (args: EgressFirewallArgs) => () => new EgressFirewall("tenant-a", args);

describe("M15 the egress firewall of a namespace", () => {
  it("is one object with the name default and the rules in order", async () => {
    const { objects, resources } = await run(create({ namespace: "tenant-a", rules, allowApiServer: true }));
    expect(resources.map(({ type }) => type)).toContain("hypershift-network:index:EgressFirewall");
    expect(objects).toEqual([
      {
        type: "kubernetes:k8s.ovn.org/v1:EgressFirewall",
        name: "tenant-a",
        inputs: {
          apiVersion: "k8s.ovn.org/v1",
          kind: "EgressFirewall",
          metadata: { name: "default", namespace: "tenant-a" },
          spec: {
            egress: [
              {
                type: "Allow",
                to: { cidrSelector: "172.20.0.1/32" },
                ports: [{ port: 6443, protocol: "TCP" }],
              },
              { type: "Allow", to: { cidrSelector: "10.0.0.0/8" } },
              { type: "Deny", to: { cidrSelector: "0.0.0.0/0" } },
            ],
          },
        },
      },
    ]);
  });

  it("refuses a deny of everything that cuts pods off from the API server, with the fixes", async () => {
    await expect(run(create({ namespace: "tenant-a", rules }))).rejects.toThrow(
      "EgressFirewall tenant-a: 1 fault\n  rules[1]  denies 0.0.0.0/0, which includes the API server at 172.20.0.1 port 6443: " +
        "put an Allow for 172.20.0.1/32 before it, set allowApiServer: true, which does that, or accept it with allowApiServer: false",
    );
  });

  it("reports all faults at once, without a stack", async () => {
    expect.assertions(2);
    const wrong = create({
      namespace: "tenant-a",
      rules: [
        { type: Allow, cidr: "10.0.0.0/8", ports: [{ port: 443 } as never] },
        { type: Deny, cidr: "172.16.1.1" },
      ],
    });
    try {
      await run(wrong);
    } catch (error) {
      expect((error as pulumi.ResourceError).hideStack).toBe(true);
      expect((error as Error).message).toBe(
        [
          "EgressFirewall tenant-a: 2 faults",
          "  rules[0].ports[0].protocol  missing: a port needs TCP, UDP or SCTP",
          "  rules[1].cidr               172.16.1.1 has no mask: write 172.16.1.1/32",
        ].join("\n"),
      );
    }
  });

  it("names the missing inputs if there are no inputs at all", async () => {
    await expect(run(create(undefined as never))).rejects.toThrow(/namespace +missing.*\n +rules +missing/);
  });

  it("outputs the number of its rules and its namespace", async () => {
    const { result } = await run(create({ namespace: "tenant-a", rules, allowApiServer: true }));
    await expect(eventually(result.ruleCount)).resolves.toBe(3);
    await expect(eventually(result.namespace)).resolves.toBe("tenant-a");
  });

  it("accepts Outputs of other resources", async () => {
    const cidr = pulumi.output("198.51.100.0/24");
    const { objects } = await run(
      create({
        namespace: pulumi.output("tenant-a"),
        rules: [{ type: Allow, cidr }, pulumi.output({ type: Deny, dnsName: "example.com" })],
        labels: { team: pulumi.output("a") },
      }),
    );
    expect(objects[0]!.inputs).toMatchObject({
      metadata: { name: "default", namespace: "tenant-a", labels: { team: "a" } },
      spec: {
        egress: [
          { type: "Allow", to: { cidrSelector: "198.51.100.0/24" } },
          { type: "Deny", to: { dnsName: "example.com" } },
        ],
      },
    });
  });

  it("creates no object if an Output turns out to be invalid", async () => {
    const cidr = pulumi.output("198.51.100.1/24");
    const { objects, failures } = await run(
      create({ namespace: "tenant-a", rules: [{ type: Allow, cidr }] }),
    );
    expect(objects).toEqual([]);
    expect(failures).toEqual([
      "EgressFirewall tenant-a: 1 fault\n  rules[0].cidr  198.51.100.1/24 has host bits: write 198.51.100.0/24",
    ]);
  });

  it("shows the other rules in a preview that does not know one", async () => {
    const { objects, failures } = await run(
      create({ namespace: "tenant-a", rules: [{ type: Allow, cidr: unknownValue() }, rules[1]!] }),
      { preview: true },
    );
    expect(failures).toEqual([]);
    expect(JSON.stringify(objects[0]!.inputs.spec)).toContain(
      '{"to":{"cidrSelector":"0.0.0.0/0"},"type":"Deny"}',
    );
  });

  it("warns about a duplicate rule", async () => {
    const { warnings } = await run(create({ namespace: "tenant-a", rules: [rules[0]!, rules[0]!] }));
    expect(warnings).toEqual(["rules[1] duplicates rules[0] and is never reached: remove it"]);
  });

  it("notes once per program that users who can create Routes can bypass it", async () => {
    const { notes } = await run(() => {
      create({ namespace: "tenant-a", rules, allowApiServer: true })();
      new EgressFirewall("tenant-b", { namespace: "tenant-b", rules, allowApiServer: true });
    });
    expect(notes).toEqual([expect.stringMatching(/may create a Route can bypass/)]);
  });

  it("refuses a second component for the same namespace", async () => {
    const again = (namespace: pulumi.Input<string>) =>
      run(() => {
        create({ namespace: "tenant-a", rules: [rules[0]!] })();
        new EgressFirewall("again", { namespace, rules: [rules[0]!] });
      });
    const refusal =
      "EgressFirewall again: 1 fault\n  namespace  tenant-a already has an egress firewall: EgressFirewall tenant-a: " +
      "keep one of the two";
    await expect(again("tenant-a")).rejects.toThrow(refusal);
    expect((await again(pulumi.output("tenant-a"))).failures).toEqual([refusal]);
    expect((await again("tenant-b")).failures).toEqual([]);
  });

  it("accepts namespaces of the same name in two clusters", async () => {
    const { objects, failures } = await run(() => {
      create({ namespace: "tenant-a", rules: [rules[0]!] })();
      const provider = new kubernetes.Provider("other", {});
      new EgressFirewall("other", { namespace: "tenant-a", rules: [rules[0]!] }, { provider });
    });
    expect(failures).toEqual([]);
    expect(objects.filter(({ type }) => type.endsWith("EgressFirewall"))).toHaveLength(2);
  });

  it("reads the API server's address from the topology, which is an output without credentials", async () => {
    const topology = {
      name: "tenant-a",
      platform: Platform.None,
      advertiseAddress: "10.9.9.9",
      apiServerPort: 7443,
      proxy: { httpProxy: "http://me:hunter2@proxy.example.com:3128" },
    };
    const { objects, resources, result } = await run(
      create({ namespace: "tenant-a", rules, allowApiServer: true, topology }),
    );
    expect(objects[0]!.inputs).toMatchObject({
      spec: { egress: [{ to: { cidrSelector: "10.9.9.9/32" }, ports: [{ port: 7443 }] }, {}, {}] },
    });
    await expect(eventually(result.topology!)).resolves.toMatchObject({
      name: "tenant-a",
      namespace: "clusters",
    });
    expect(JSON.stringify(resources)).not.toContain("hunter2");
  });

  it("refuses a topology with an Output that must be plain", async () => {
    const topology = { name: "tenant-a", platform: Platform.None, release: pulumi.output("4.20") as never };
    await expect(run(create({ namespace: "tenant-a", rules: [rules[0]!], topology }))).rejects.toThrow(
      "topology.release  is an Output",
    );
  });

  it("keeps the protocol of ports", async () => {
    const ports = [{ port: 53, protocol: EgressFirewallProtocol.UDP }];
    const { objects } = await run(
      create({ namespace: "tenant-a", rules: [{ type: Deny, cidr: "0.0.0.0/0", ports }] }),
    );
    expect(objects[0]!.inputs).toMatchObject({ spec: { egress: [{ ports }] } });
  });
});
