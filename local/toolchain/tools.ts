import type { Report } from "../report";
import { findKubernetes, type KubernetesTools } from "./kubernetes";
import { findEc2, type Ec2Tool } from "./moto";
import { findPulumi, type PulumiTool } from "./pulumi";
import { ToolMissing, type Found } from "./sources";

/** The tools that a session runs on. */
export interface Tools {
  readonly pulumi: Found<PulumiTool>;
  readonly kubernetes: Found<KubernetesTools>;
  readonly ec2: Found<Ec2Tool>;
}

/** Finds or builds every tool in parallel. An error lists every missing tool, and why it is missing. */
export async function findTools(report: Report): Promise<Tools> {
  const [pulumi, kubernetes, ec2] = await Promise.allSettled([
    findPulumi(report),
    findKubernetes(report),
    findEc2(report),
  ]);
  if (pulumi.status === "fulfilled" && kubernetes.status === "fulfilled" && ec2.status === "fulfilled") {
    return { pulumi: pulumi.value, kubernetes: kubernetes.value, ec2: ec2.value };
  }
  const reasons = [pulumi, kubernetes, ec2].flatMap((result): unknown[] =>
    result.status === "rejected" ? [result.reason] : [],
  );
  const missing = reasons.filter((reason) => reason instanceof ToolMissing);
  const failure = reasons.find((reason) => !(reason instanceof ToolMissing));
  if (failure !== undefined) {
    throw failure instanceof Error ? failure : new Error(JSON.stringify(failure));
  }
  throw new ToolMissing(
    missing.map(({ tool }) => tool).join(", "),
    missing.flatMap(({ tool, reasons: why }) => why.map((reason) => `${tool}: ${reason}`)),
  );
}
