import { Cluster } from "../../src/cluster/cluster";
import { hostedClusterObject } from "../e2e/hostedCluster";
import { apiServer } from "../live/objects/apiServer";
import { call } from "./terminal";

const TENANT = "/apis/hypershift.openshift.io/v1beta1/namespaces/clusters/hostedclusters/tenant-a";
const OPERATOR = "/apis/operator.openshift.io/v1/networks/cluster";
const WANTED = "100.99.0.0/16";

describe("M7 hypershift-network verify", () => {
  const ovnKubernetesConfig = { ipv4: { internalJoinSubnet: WANTED } };
  const objects = {
    [TENANT]: hostedClusterObject({
      operatorConfiguration: { clusterNetworkOperator: { ovnKubernetesConfig } },
    }),
    [OPERATOR]: { spec: { defaultNetwork: { ovnKubernetesConfig } } },
  };

  beforeEach(() => {
    const send = (_: string, path: string) => Promise.resolve(apiServer({ objects }).answer(path));
    jest.spyOn(Cluster, "open").mockResolvedValue({ send } as unknown as Cluster);
  });
  afterEach(() => jest.restoreAllMocks());

  /** Nothing rolls out, and the clock advances by 100 seconds each time it is read. */
  const verified = (timeout: string) => {
    let now = 0;
    const options = ["--hosted-kubeconfig", "hosted", "--no-probes", "--timeout", timeout];
    return call(["verify", "clusters/tenant-a", ...options], { now: () => (now += 100_000) });
  };

  test("reports that --timeout expired, so that a late change is not mistaken for a wrong one", async () => {
    const { status, out, error } = await verified("300");
    expect(out).toContain("not verified, 2 of 4 checks passed");
    expect(error).toContain(
      "hypershift-network: --timeout expired after 300 seconds: changes still in progress are judged as they are now\n",
    );
    expect(status).toBe(1);
  });

  test("does not report an expired timeout with --timeout 0", async () => {
    const { status, out, error } = await verified("0");
    expect(out).toContain("not verified, 2 of 4 checks passed");
    expect(error).not.toContain("timeout");
    expect(status).toBe(1);
  });
});
