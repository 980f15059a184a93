import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalWorkspace, type InlineProgramArgs, type Stack } from "@pulumi/pulumi/automation";
import { startSession, type Session } from "../../local/session";
import type { Figure } from "../figure";
import { timingOf } from "../timing";
import { components, raw, type Written } from "./program";

const CLUSTERS = 200;
const AT_MOST = 1.1;

/** Previews of many hosted clusters' security groups on the real engine, with the component and with the resources written out. */
export async function componentsFigure(turns: number, clusters = CLUSTERS): Promise<Figure> {
  const folder = mkdtempSync(join(tmpdir(), "components-bench-"));
  const session = await startSession({ stateFolder: join(folder, "state"), plugins: "stand-in" });
  try {
    const stackOf = (name: string, program: InlineProgramArgs["program"]) =>
      stackIn(session, folder, name, program);
    const ours = await stackOf("components", components(clusters));
    const { resources } = await previewed(ours);
    const theirs = await stackOf("raw", raw(resources));
    const times: [number[], number[]] = [[], []];
    for (let turn = -1; turn < turns; turn++) {
      const pair = [await previewed(ours), await previewed(theirs)] as const;
      // The first turn fills the file cache.
      if (turn >= 0) pair.forEach(({ took }, side) => times[side]!.push(took));
    }
    return {
      name: `a preview of the security groups of ${clusters} hosted clusters, ${resources.length} resources`,
      ours: timingOf(times[0]),
      other: "the same, written out",
      theirs: timingOf(times[1]),
      limit: { atMost: AT_MOST },
    };
  } finally {
    await session.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const stackIn = (
  session: Session,
  folder: string,
  stackName: string,
  program: InlineProgramArgs["program"],
): Promise<Stack> =>
  LocalWorkspace.createStack(
    { stackName, projectName: "components-bench", program },
    { workDir: folder, envVars: session.env, pulumiCommand: session.pulumiCommand },
  );

/** The time of a preview, and its provider resources. */
async function previewed(stack: Stack): Promise<{ took: number; resources: Written[] }> {
  const resources: Written[] = [];
  const begin = performance.now();
  await stack.preview({
    onEvent: ({ resourcePreEvent }) => {
      const made = resourcePreEvent?.metadata.new;
      if (!made || !made.type.startsWith("aws:")) return;
      const { securityGroupId: _, ...inputs } = made.inputs as Record<string, unknown>;
      resources.push({ type: made.type, name: made.urn.split("::").slice(3).join("::"), inputs });
    },
  });
  // Groups come first, as in programs.
  const isRule = ({ type }: Written) => Number(!type.endsWith(":SecurityGroup"));
  return { took: performance.now() - begin, resources: resources.sort((a, b) => isRule(a) - isRule(b)) };
}
