import * as pulumi from "@pulumi/pulumi";
import {
  MulticastNamespace,
  type MulticastNamespaceArgs,
} from "../../../src/multicast/component/multicastNamespace";
import { eventually } from "../../components/eventually";
import { run, unknownValue } from "../../components/program";

const create = (args: MulticastNamespaceArgs) => () => new MulticastNamespace("shop", args);

describe("M18 multicast between the pods of a namespace", () => {
  it("patches only the annotation of an existing namespace", async () => {
    const { objects } = await run(create({ namespace: "shop" }));
    expect(objects).toEqual([
      {
        type: "kubernetes:core/v1:NamespacePatch",
        name: "shop",
        inputs: {
          apiVersion: "v1",
          kind: "Namespace",
          metadata: {
            name: "shop",
            annotations: {
              "k8s.ovn.org/multicast-enabled": "true",
              "pulumi.com/patchFieldManager": "hypershift-network-multicast",
            },
          },
        },
      },
    ]);
  });

  it("is off without the annotation if disabled", async () => {
    const { objects } = await run(create({ namespace: "shop", enabled: false }));
    expect(objects).toEqual([]);
  });

  it("takes over the annotation from other field managers only with forcePatch", async () => {
    const { objects } = await run(create({ namespace: "shop", forcePatch: true }));
    expect(objects[0]!.inputs).toMatchObject({
      metadata: { annotations: { "pulumi.com/patchForce": "true" } },
    });
  });

  it("outputs a sender and a receiver for verification", async () => {
    const { result } = await run(create({ namespace: "shop" }));
    const { receiver, sender, commands, expected } = await eventually(result.verification);
    const labels = { app: "multicast-verify" };
    const image = "registry.access.redhat.com/ubi8";
    expect(JSON.parse(receiver)).toEqual({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "mlistener", namespace: "shop", labels },
      spec: {
        containers: [
          {
            name: "mlistener",
            image,
            command: ["/bin/sh", "-c"],
            args: ["dnf -y install socat hostname && sleep inf"],
            ports: [{ containerPort: 30102, name: "mlistener", protocol: "UDP" }],
          },
        ],
      },
    });
    expect(JSON.parse(sender)).toMatchObject({
      metadata: { name: "msender", namespace: "shop", labels },
      spec: { containers: [{ image, args: ["dnf -y install socat && sleep inf"] }] },
    });
    expect(commands).toEqual([
      "POD_IP=$(oc get pods mlistener -n shop -o jsonpath='{.status.podIP}')",
      "oc exec mlistener -n shop -i -t -- socat UDP4-RECVFROM:30102,ip-add-membership=224.1.0.1:$POD_IP,fork EXEC:hostname",
      "CIDR=$(oc get Network.config.openshift.io cluster -o jsonpath='{.status.clusterNetwork[0].cidr}')",
      'oc exec msender -n shop -i -t -- /bin/bash -c "echo | socat STDIO UDP4-DATAGRAM:224.1.0.1:30102,range=$CIDR,ip-multicast-ttl=64"',
    ]);
    expect(expected).toBe("mlistener");
  });

  it.each<[string, MulticastNamespaceArgs, string]>([
    ["no inputs", undefined as never, "namespace  missing: write the name of the namespace"],
    ["an invalid name", { namespace: "Shop" }, 'namespace  "Shop" is not a Kubernetes name'],
    ["a name that is too long", { namespace: "a".repeat(64) }, "is not a Kubernetes name"],
    [
      "a switch that is an Output",
      { namespace: "shop", enabled: pulumi.output(true) as never },
      "enabled  is an Output",
    ],
  ])("is refused with %s", async (_, args, fault) => {
    await expect(run(create(args))).rejects.toThrow(fault);
  });

  it("is refused a second time for the same namespace", async () => {
    const both = () => {
      create({ namespace: "shop" })();
      new MulticastNamespace("again", { namespace: "shop" });
    };
    await expect(run(both)).rejects.toThrow(
      "MulticastNamespace again: 1 fault\n  namespace  shop already has multicast settings: MulticastNamespace shop: keep one of the two",
    );
  });

  it("creates no patch if an Output turns out to be invalid", async () => {
    const { objects, failures } = await run(create({ namespace: pulumi.output("Shop") }));
    expect(objects).toEqual([]);
    expect(failures).toEqual([expect.stringContaining('namespace  "Shop" is not a Kubernetes name')]);
  });

  it("does not fail in a preview that does not know the namespace", async () => {
    const { objects, failures } = await run(create({ namespace: unknownValue() }), { preview: true });
    expect(failures).toEqual([]);
    expect(objects).toHaveLength(1);
  });
});
