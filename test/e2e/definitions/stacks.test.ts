import { readFileSync } from "node:fs";
import { join } from "node:path";

import { parseAllDocuments } from "yaml";

import { chooseCrds } from "../../../local/servers/crds";
import { examples } from "../../examples/example";
import type { KubernetesObject } from "./objects";
import { Server } from "./twoServers";

const STACKS = "stacks.pulumi.com";
/** The project has no definition of the Pulumi Kubernetes Operator's objects of its own. */
test("the Stack objects of the fleet are accepted with strict field validation, and misspelled ones refused", async () => {
  const server = await Server.start(chooseCrds().folder, (name) => name === STACKS);
  try {
    const { project } = examples().find(({ name }) => name === "fleet")!;
    const stacks = parseAllDocuments(readFileSync(join(project, "stacks.yaml"), "utf8"))
      .map((document) => document.toJS() as KubernetesObject | null)
      .filter((stack) => stack !== null);
    const answers = async (change: (stack: KubernetesObject) => KubernetesObject) =>
      Promise.all(
        stacks.map(async (stack) => {
          const inNamespace = { ...stack, metadata: { ...stack.metadata, namespace: "sample" } };
          return (await server.create(change(inNamespace), "&dryRun=All", "Strict")).status;
        }),
      );
    expect(stacks.map(({ metadata }) => metadata.name)).toEqual(["tenant-a", "tenant-b", "tenant-c"]);
    expect(await answers((stack) => stack)).toEqual(stacks.map(() => 201));
    expect(await answers((stack) => ({ ...stack, spec: { ...(stack.spec as object), stak: "x" } }))).toEqual(
      stacks.map(() => 400),
    );
  } finally {
    await server.stop();
  }
}, 900_000);
