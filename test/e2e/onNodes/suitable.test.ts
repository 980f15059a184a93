import { suitable } from "./hostedCluster";

describe("a cluster with nodes for the tests", () => {
  const operator = {
    spec: { defaultNetwork: { ovnKubernetesConfig: { ipv4: { internalJoinSubnet: "S" } } } },
  };
  const kinds = ["EgressFirewall", "EgressRouter", "NetworkAttachmentDefinition"];
  const cluster = (object: object, known: readonly string[]) => ({
    request: (_: string, path: string) =>
      Promise.resolve({
        status: 200,
        body: path.endsWith("/cluster") ? object : { resources: known.map((kind) => ({ kind })) },
      }),
  });

  test("is accepted with a join subnet and the kinds that the tests create", async () => {
    expect(await suitable(cluster(operator, kinds))).toBe("S");
  });

  test("is refused with everything that it lacks", async () => {
    await expect(suitable(cluster({}, kinds.slice(0, 1)))).rejects.toThrow(
      /KUBECONFIG: its Network operator has no spec\.default\S+internalJoinSubnet; it has no EgressRouter of network\.operator\.openshift\.io\/v1; it has no NetworkAttachmentDefinition of k8s\.cni\.cncf\.io\/v1\. Take/,
    );
  });
});
