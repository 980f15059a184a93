import * as pulumi from "@pulumi/pulumi";
import { IpFamily } from "../../../src/probes/objects";
import { NetworkType, Platform } from "../../../src";
import { OvnSubnetVerification } from "../../../src/ovnSubnets/component/ovnSubnetVerification";
import type { OvnSubnetVerificationArgs } from "../../../src/ovnSubnets/component/ovnSubnetArgs";
import { eventually } from "../../components/eventually";
import { run, unknownValue, type Registered, type Running } from "../../components/program";

const create = (args: OvnSubnetVerificationArgs) => () => new OvnSubnetVerification("tenant-a", args);
const topology = { name: "tenant-a", platform: Platform.AWS, release: "4.20" };
const moved = { ...topology, internalJoinSubnet: "100.99.0.0/16" };
const dualStack = {
  ...topology,
  platform: Platform.Agent,
  clusterNetwork: [{ cidr: "10.132.0.0/14" }, { cidr: "fd01::/48" }],
  serviceNetwork: [{ cidr: "172.31.0.0/16" }, { cidr: "fd02::/112" }],
};

/** Mock answers of a cluster that assigns addresses to pods and Services. */
const cluster =
  (podIPs: string[], clusterIPs: string[]): NonNullable<Running["answer"]> =>
  (type, name, inputs) => ({
    id: name,
    state: {
      ...inputs,
      ...(type === "kubernetes:core/v1:Pod" && { status: { podIPs: podIPs.map((ip) => ({ ip })) } }),
      ...(type === "kubernetes:core/v1:Service" && { spec: { ...(inputs.spec as object), clusterIPs } }),
    },
  });
const single = cluster(["10.132.0.9"], ["172.31.4.4"]);

interface Inputs {
  metadata: { name: string; annotations: Record<string, string> };
  spec: { activeDeadlineSeconds: number; template: { spec: { containers: { env: { value: string }[] }[] } } };
}
const jobOf = (objects: Registered[]) =>
  objects.find(({ type }) => type === "kubernetes:batch/v1:Job")!.inputs as unknown as Inputs;
const askedOf = (job: Inputs) =>
  (JSON.parse(job.spec.template.spec.containers[0]!.env[0]!.value) as object[]).map((request) => ({
    ...request,
  }));
const namesOf = (objects: Registered[]) =>
  objects.map(({ inputs }) => (inputs as unknown as Inputs).metadata.name);

describe("M7 a verification of traffic", () => {
  it("creates two pods, a Service and a Job that sends requests to each of them", async () => {
    const { objects, result } = await run(create({ namespace: "verify" }), { answer: single });
    expect(objects.map(({ type }) => type).sort()).toEqual([
      "kubernetes:batch/v1:Job",
      "kubernetes:core/v1:Pod",
      "kubernetes:core/v1:Pod",
      "kubernetes:core/v1:Service",
    ]);
    const job = jobOf(objects);
    expect(job.metadata.name).toMatch(/^tenant-a-[0-9a-f]{8}$/);
    expect(await eventually(result.jobName)).toBe(job.metadata.name);
    expect(new Set(namesOf(objects))).toEqual(
      new Set(["", "-one", "-two"].map((end) => `${job.metadata.name}${end}`)),
    );
    const requests = [
      { id: "pod-to-pod/one/IPv4", address: "10.132.0.9", port: 8080 },
      { id: "pod-to-pod/two/IPv4", address: "10.132.0.9", port: 8080 },
      { id: "pod-to-service/IPv4", address: "172.31.4.4", port: 80 },
    ];
    expect(await eventually(result.requests)).toEqual(requests);
    expect(askedOf(job)).toEqual(
      requests.map((request, index) => ({
        ...request,
        kind: "http",
        // Each pod answers for itself, and either pod for the Service.
        answers: ["one", "two"].flatMap((pod, at) =>
          at === index || index === 2 ? `${job.metadata.name}-${pod}` : [],
        ),
        ...{ timeout: 5, attempts: 5, pause: 2 },
      })),
    );
  });

  it("fails the deployment if the Job fails, and is repeated by the next deployment", async () => {
    const { objects } = await run(create({ namespace: "verify", timeoutSeconds: 60 }), { answer: single });
    const { metadata, spec } = jobOf(objects);
    expect(metadata.annotations).toEqual({
      "pulumi.com/replaceUnready": "true",
      "pulumi.com/deletionPropagationPolicy": "background",
      "pulumi.com/timeoutSeconds": "90",
    });
    expect(spec.activeDeadlineSeconds).toBe(60);
  });

  it("uses the address families of the topology, and reports a missing address", async () => {
    const { result } = await run(create({ namespace: "verify", topology: dualStack }), {
      answer: cluster(["10.132.0.9", "fd01::9"], ["172.31.4.4"]),
    });
    expect((await eventually(result.requests)).map(({ id, address }) => [id, address])).toEqual([
      ["pod-to-pod/one/IPv4", "10.132.0.9"],
      ["pod-to-pod/one/IPv6", "fd01::9"],
      ["pod-to-pod/two/IPv4", "10.132.0.9"],
      ["pod-to-pod/two/IPv6", "fd01::9"],
      ["pod-to-service/IPv4", "172.31.4.4"],
      ["pod-to-service/IPv6", undefined],
    ]);
  });

  it("uses ipFamilies instead of the topology's address families", async () => {
    const args = { namespace: "verify", topology: dualStack, ipFamilies: [IpFamily.IPv6] };
    const { objects } = await run(create(args), { answer: single });
    expect(askedOf(jobOf(objects))).toEqual(
      ["pod-to-pod/one", "pod-to-pod/two", "pod-to-service"].map(
        (id) =>
          expect.objectContaining({ id: `${id}/IPv6`, kind: "http", absent: "no IPv6 address" }) as unknown,
      ),
    );
  });

  describe("has a Job with", () => {
    const nameOf = async (args: Partial<OvnSubnetVerificationArgs>) =>
      jobOf((await run(create({ namespace: "verify", topology, ...args }), { answer: single })).objects)
        .metadata.name;

    it.each<[string, Partial<OvnSubnetVerificationArgs>]>([
      ["image", { image: "registry.example.com/python" }],
      ["trigger", { triggers: ["100.99.0.0/16"] }],
      ["join subnet in the topology", { topology: { ...topology, internalJoinSubnet: "100.99.0.0/16" } }],
      ["release", { topology: { ...topology, release: "4.21" } }],
      ["list of address families", { ipFamilies: [IpFamily.IPv6] }],
      ["time limit", { timeoutSeconds: 60 }],
      ["node selector", { nodeSelector: { pool: "a" } }],
      ["pull secret", { imagePullSecret: "registry" }],
      ["namespace", { namespace: "other" }],
    ])("another name with another %s", async (_, change) => {
      expect(await nameOf(change)).not.toBe(await nameOf({}));
    });

    it("the same name with the same inputs, and with unrelated changes", async () => {
      const name = await nameOf({});
      expect(await nameOf({})).toBe(name);
      expect(await nameOf({ image: pulumi.output("registry.access.redhat.com/ubi9/python-312") })).toBe(name);
      expect(await nameOf({ topology: { ...topology, externalClientCidrs: ["203.0.113.0/24"] } })).toBe(name);
    });
  });

  it("has known object names in a preview", async () => {
    const { objects, failures } = await run(create({ namespace: "verify" }), { preview: true });
    expect(failures).toEqual([]);
    expect(namesOf(objects).every((name) => name.startsWith("tenant-a-"))).toBe(true);
  });

  it("has a preview if the namespace is unknown", async () => {
    const { failures } = await run(create({ namespace: unknownValue() }), { preview: true });
    expect(failures).toEqual([]);
  });

  it("registers the topology without credentials", async () => {
    const proxy = { httpProxy: "http://scott:tiger@proxy.example.com:3128" };
    const { result, resources } = await run(
      create({ namespace: "verify", topology: { ...topology, proxy } }),
      { answer: single },
    );
    expect(JSON.stringify([resources, await eventually(result.topology!)])).not.toContain("tiger");
  });

  it("waits for a roll-out before its pods, with the same names, and keeps the kubeconfig secret", async () => {
    const args = { namespace: "verify", topology: moved };
    const without = await run(create(args), { answer: single });
    const rollOut = { kubeconfig: pulumi.output("tiger: {}\n"), timeoutSeconds: 60 };
    const { objects, resources, failures } = await run(create({ ...args, rollOut }), { answer: single });
    expect(failures).toEqual([]);
    expect(objects[0]?.type).toBe("kubernetes:core/v1:Service");
    expect(new Set(namesOf(objects))).toEqual(new Set(namesOf(without.objects)));
    const component = resources.find(({ type }) => type.endsWith(":OvnSubnetVerification"));
    // The signature with which the SDK marks secrets for the engine.
    expect(JSON.stringify(component?.inputs.rollOut)).toContain("1b47061264138c4ac30d75fd1eb44270");
  });

  it("has a preview if the kubeconfig of a roll-out is unknown", async () => {
    const rollOut = { kubeconfig: unknownValue<string>() };
    const args = { namespace: "verify", topology: moved, rollOut };
    expect((await run(create(args), { preview: true })).failures).toEqual([]);
  });

  it.each<[string, OvnSubnetVerificationArgs, string]>([
    ["no inputs", undefined as never, "namespace  missing: write the name of the namespace"],
    [
      "another network type",
      { namespace: "verify", topology: { ...topology, networkType: NetworkType.Calico } },
      "topology.networkType  Calico is not OVN-Kubernetes",
    ],
    [
      "a name with no room for the digest",
      { namespace: "verify", objectName: "a".repeat(49) },
      "has 49 characters, and a digest is appended to it: write at most 48",
    ],
    [
      "no address family",
      { namespace: "verify", ipFamilies: [] },
      "ipFamilies  is empty: write a list of IPv4, IPv6, or both",
    ],
    [
      "an unknown address family",
      { namespace: "verify", ipFamilies: ["IPv5" as never] },
      'ipFamilies[0]  "IPv5"',
    ],
    ["an image with a space", { namespace: "verify", image: "a b" }, 'image  "a b" is not an image'],
    [
      "a time limit that is too short",
      { namespace: "verify", timeoutSeconds: 1 },
      "timeoutSeconds  1 is not from 10 to 3600: write whole seconds",
    ],
    [
      "a trigger that is not a string",
      { namespace: "verify", triggers: [1 as never] },
      "triggers[0]  1 is not a string",
    ],
    [
      "triggers that are not a list",
      { namespace: "verify", triggers: "x" as never },
      'triggers  "x" is not a list',
    ],
    [
      "a time limit that is an Output",
      { namespace: "verify", timeoutSeconds: pulumi.output(60) as never },
      "timeoutSeconds  is an Output",
    ],
    [
      "a roll-out without a topology",
      { namespace: "verify", rollOut: {} },
      "topology  missing, but rollOut waits for its subnets: write one of internalJoinSubnet, ",
    ],
    [
      "a roll-out without internal subnets",
      { namespace: "verify", topology, rollOut: {} },
      "topology  has no internal subnet that rollOut could wait for",
    ],
    [
      "a roll-out that is not an object",
      { namespace: "verify", topology: moved, rollOut: "yes" as never },
      'rollOut  "yes" is not an object: write an object with kubeconfig, context, timeoutSeconds',
    ],
    [
      "invalid settings of a roll-out",
      {
        namespace: "verify",
        topology: moved,
        rollOut: { kubeConfig: "x", context: 5, timeoutSeconds: 9.5 } as never,
      },
      [
        "rollOut.kubeConfig      no such property: did you mean kubeconfig?",
        "rollOut.context         is not a string: write a string, or leave it out",
        "rollOut.timeoutSeconds  9.5 is not a whole number: write whole seconds from 10 to 14400",
      ].join("\n  "),
    ],
    [
      "a time limit of a roll-out that is an Output",
      { namespace: "verify", topology: moved, rollOut: { timeoutSeconds: pulumi.output(60) as never } },
      "rollOut.timeoutSeconds  is an Output: write a plain value",
    ],
  ])("is refused with %s", async (_, args, fault) => {
    await expect(run(create(args))).rejects.toThrow(fault);
  });
});
