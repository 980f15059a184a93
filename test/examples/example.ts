import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";

import { parse } from "yaml";

import { repositoryRoot } from "../../local/repository";

/** A program of examples/, and what the comment at its top promises. */
export interface Example {
  name: string;
  /** The folder with its Pulumi.yaml. */
  project: string;
  /** Name of the Pulumi project. */
  projectName: string;
  /** The file that runs. */
  program: string;
  /** The configuration file of the policy pack, if the example has one. */
  configuration: string | undefined;
  /** From `pulumi config set KEY VALUE && pulumi up` in the comment: the setting that changes something in place. */
  change: Setting | undefined;
  /** Whether it reads the kubeconfig of a hosted cluster from its configuration, which does not exist before the cluster. */
  takesHostedCluster: boolean;
  /** Whether it needs a whole OpenShift cluster, which the tests then simulate. */
  needsOpenShift: boolean;
  /** From `Expected finding \`rule\`: reason` in the comment: rules of the policy pack with the reason why the example violates them. */
  expectedFindings: ReadonlyMap<string, string>;
}

/** The setting for the kubeconfig of a hosted cluster, a secret: the tests fill it with that of the local API server. */
export const HOSTED_CLUSTER_SETTING = "hostedClusterKubeconfig";

export interface Setting {
  key: string;
  value: string;
}

const EXAMPLES = join(repositoryRoot, "examples");

/** Every folder of examples/. The Pulumi.yaml of the quick start is the one at the root. */
export function examples(): Example[] {
  return readdirSync(EXAMPLES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => exampleIn(join(EXAMPLES, name)));
}

function exampleIn(folder: string): Example {
  const project = existsSync(join(folder, "Pulumi.yaml")) ? folder : repositoryRoot;
  const settings = parse(readFileSync(join(project, "Pulumi.yaml"), "utf8")) as {
    name: string;
    main?: string;
  };
  const program = resolve(project, settings.main ?? "index.ts");
  const source = readFileSync(program, "utf8");
  const comment = topComment(source);
  const configuration = join(folder, "hypershift-network.yaml");
  return {
    name: basename(folder),
    project,
    projectName: settings.name,
    program,
    configuration: existsSync(configuration) ? configuration : undefined,
    change: changeIn(comment),
    takesHostedCluster: source.includes(`Secret("${HOSTED_CLUSTER_SETTING}")`),
    needsOpenShift: comment.includes("It needs such a cluster."),
    expectedFindings: new Map(
      [...comment.matchAll(/^Expected finding `([a-z-]+)`: (.+)$/gm)].map(([, rule = "", why = ""]) => [
        rule,
        why,
      ]),
    ),
  };
}

/** The comment at the top of a file, without its stars. */
function topComment(source: string): string {
  const [, text = ""] = /^\/\*\*(.*?)\*\//s.exec(source) ?? [];
  return text.replace(/^ *\* ?/gm, "");
}

function changeIn(comment: string): Setting | undefined {
  const [, key, value] =
    /pulumi config set (?:--path )?(\S+) ('[^']*'|"[^"]*"|\S+) && pulumi up\b/.exec(comment) ?? [];
  return key === undefined || value === undefined
    ? undefined
    : { key, value: value.replace(/^(['"])(.*)\1$/, "$2") };
}
