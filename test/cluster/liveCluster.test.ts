import { Cluster } from "../../src/cluster/cluster";
import { LiveCluster, LiveFault } from "../../src/cluster/liveCluster";

/** A cluster that answers each request in the same way, and the requests that it received. */
function answering(status: number, body: object) {
  const asked: unknown[][] = [];
  const send = (...request: unknown[]) => {
    asked.push(request);
    return Promise.resolve({ status, body });
  };
  return { asked, cluster: new LiveCluster({ send }, "the hosted cluster") };
}

const PODS = "/api/v1/namespaces/a/pods";
const OURS = "?fieldManager=hypershift-network";

describe("a kubeconfig that is not a file", () => {
  const opened = (isContent?: boolean) => {
    jest.spyOn(Cluster, "open").mockRejectedValueOnce(new Error("it cannot be read", { cause: "ENOENT" }));
    return LiveCluster.open({ kubeconfig: "nope" }, "the cluster", isContent).catch(
      (error: unknown) => error,
    );
  };

  test("is named if it is a path", async () => {
    expect(await opened()).toMatchObject({
      message: "the kubeconfig of the cluster cannot be used: there is no such file: nope",
      remedy: "check the path",
    });
  });

  test("is not shown if it may be the content of a kubeconfig", async () => {
    const { message } = (await opened(true)) as LiveFault;
    expect(message).toBe("the kubeconfig of the cluster cannot be used: it cannot be read");
  });
});

describe("writing to a running cluster", () => {
  test("creates, changes and deletes objects with our field manager", async () => {
    const pod = { kind: "Pod", metadata: { name: "one" } };
    const { asked, cluster } = answering(201, pod);
    await expect(cluster.create(PODS, pod)).resolves.toEqual(pod);
    await expect(cluster.patch(`${PODS}/one`, { metadata: {} })).resolves.toEqual(pod);
    await expect(cluster.remove(`${PODS}/one`)).resolves.toBe(true);
    expect(asked).toEqual([
      ["POST", `${PODS}${OURS}`, pod],
      ["PATCH", `${PODS}/one${OURS}`, { metadata: {} }],
      ["DELETE", `${PODS}/one`, { propagationPolicy: "Background" }],
    ]);
  });

  test("reports that there is nothing to change or to delete", async () => {
    const { cluster } = answering(404, { message: "namespaces a not found" });
    await expect(cluster.patch("/api/v1/namespaces/a", {})).resolves.toBeUndefined();
    await expect(cluster.remove("/api/v1/namespaces/a")).resolves.toBe(false);
    await expect(cluster.create(PODS, {})).rejects.toThrow("namespaces a not found");
  });

  test("reports a broken connection without a status", async () => {
    const send = () => Promise.reject(new Error("ECONNRESET"));
    const fault = await new LiveCluster({ send }, "the hosted cluster")
      .get(PODS)
      .catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(LiveFault);
    expect(fault).toMatchObject({
      message: "the hosted cluster does not answer: ECONNRESET",
      status: undefined,
    });
  });

  test.each([
    [403, "denies the request: pods is forbidden", "rbac/"],
    [409, "returns an error: pods is forbidden", "try again"],
    [401, "rejects the credentials", "kubeconfig"],
  ])("reports what the cluster refused with status %d", async (status, problem, remedy) => {
    const { cluster } = answering(status, { message: "pods is forbidden" });
    const requests = [
      cluster.create(PODS, {}),
      cluster.patch(PODS, {}),
      cluster.remove(PODS),
      cluster.get(PODS),
    ];
    for (const request of requests) {
      const fault = await request.catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(LiveFault);
      expect((fault as LiveFault).message).toContain(problem);
      expect(fault).toMatchObject({ status, remedy: expect.stringContaining(remedy) as unknown });
    }
  });
});
