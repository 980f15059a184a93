import * as aws from "@pulumi/aws";
import * as kubernetes from "@pulumi/kubernetes";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import { run } from "./program";
import { component, componentNames, minimalArgs } from "./minimalArgs";

/** The request of a component to the engine for one of its children. */
interface Request {
  getType(): string;
  getName(): string;
  getParent(): string;
  getProtect(): boolean;
  getProvider(): string;
}

/** The requests for resources below components, whatever their direct parent. */
async function childrenOf(body: () => unknown): Promise<Request[]> {
  const watch = jest.spyOn(MockMonitor.prototype, "registerResource");
  try {
    await run(body);
    const requests = watch.mock.calls.map(([request]) => request as Request);
    return requests.filter((request) => request.getParent().includes("hypershift-network:index:"));
  } finally {
    watch.mockRestore();
  }
}

describe("every exported component", () => {
  it("has minimal args in minimalArgs.ts", () => {
    expect(Object.keys(minimalArgs).sort()).toEqual(componentNames());
  });

  it.each(componentNames())("%s creates children and passes protect to all of them", async (name) => {
    const children = await childrenOf(() => component(name, "x", { protect: true }));
    expect(children.length).toBeGreaterThan(0);
    expect(children.filter((child) => !child.getProtect()).map((child) => child.getName())).toEqual([]);
  });

  it.each(componentNames())("%s passes its providers to all its children", async (name) => {
    const children = await childrenOf(() => {
      const providers = [
        new aws.Provider("given-aws", { region: "us-east-1" }),
        new kubernetes.Provider("given-kubernetes", { kubeconfig: "{}" }),
      ];
      return component(name, "x", { providers });
    });
    const custom = children.filter((child) => /^(aws|kubernetes):/.test(child.getType()));
    const others = custom.filter((child) => {
      const packageName = child.getType().split(":")[0]!;
      return !child.getProvider().includes(`given-${packageName}`);
    });
    expect(others.map((child) => `${child.getType()} ${child.getName()}`)).toEqual([]);
    expect(children.length).toBeGreaterThan(0);
  });
});
