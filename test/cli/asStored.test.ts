import { Folder } from "../plan/plans";
import { call } from "./terminal";

let folder: Folder;
beforeEach(() => (folder = new Folder()));
afterEach(() => folder.remove());

const CLUSTER = `
apiVersion: hypershift.openshift.io/v1beta1
kind: HostedCluster
metadata: { name: tenant-a, namespace: clusters }
spec:
  platform: { type: Agent }
  services:
  - { service: APIServer, servicePublishingStrategy: { type: LoadBalancer } }
  - { service: OAuthServer, servicePublishingStrategy: { type: Route } }
  - { service: Konnectivity, servicePublishingStrategy: { type: Route } }
  - { service: Ignition, servicePublishingStrategy: { type: Route } }
---
`;
const policy = (ingress: string) => `${CLUSTER}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: own, namespace: clusters-tenant-a }
spec:
  podSelector: {}
  policyTypes: [Ingress]
  ingress:${ingress}
`;
const pod = (more: string) => `${CLUSTER}
apiVersion: v1
kind: Pod
metadata: { name: probe, namespace: clusters-tenant-a }
spec:
  containers: [{ name: probe, image: probe }]
${more}
`;

/** The rules that report a finding, each with its path. */
async function found(text: string): Promise<string[]> {
  const { out } = await call(["check", folder.write("a.yaml", text), "--format", "json"]);
  const { findings } = JSON.parse(out) as { findings: { rule: string; path: string }[] };
  return findings.map(({ rule, path }) => `${rule} ${path}`);
}

describe("manifests are judged as the API server stores them", () => {
  it.each([
    ["hostNetwork: yes", "  hostNetwork: yes", ["pod-host-network spec.hostNetwork"]],
    ["hostPID: on", "  hostPID: on", ["pod-host-pid spec.hostPID"]],
    ["hostNetwork: no", "  hostNetwork: no", []],
    [
      "a duplicate key is reported, and its last value counts",
      "  hostNetwork: no\n  hostNetwork: y",
      ["object-invalid spec.hostNetwork", "pod-host-network spec.hostNetwork"],
    ],
    [
      "a YAML merge overrides an earlier value",
      "  hostNetwork: no\n  <<: { hostNetwork: yes }",
      ["pod-host-network spec.hostNetwork"],
    ],
  ])("%s", async (_, more, findings) => {
    expect(await found(pod(more))).toEqual(findings);
  });

  it.each(["\n  -", "\n  - null", "\n  - ~", " [null]", "\n  - from:\n    ports:", "\n  - {}"])(
    "ingress:%s allows every source",
    async (ingress) => {
      expect(await found(policy(ingress))).toEqual([
        expect.stringContaining("isolation-flow-excess spec.ingress[0]"),
      ]);
    },
  );

  it("ingress: without entries allows no source", async () => {
    expect(await found(policy(""))).not.toContainEqual(expect.stringContaining("isolation-flow-excess"));
  });
});
