import { execFile } from "node:child_process";
import { join } from "node:path";

import type { Report } from "../report";
import { repositoryRoot } from "../repository";
import { cached, cachedOrMade, type CacheEntry } from "./cache";
import { isExecutable } from "./command";
import { goBuildOwn, goCompiler, type OwnGoCommand } from "./goBuild";
import { Absent, firstOf, type Found, type Source } from "./sources";
import { KUBERNETES_STAGING_VERSION, SIGS_YAML_VERSION } from "./versions";

/** The documents that kubectl reads from a text, up to the first that it rejects. */
export interface KubectlDocuments {
  readonly documents: readonly unknown[];
  readonly refused?: string;
}

const PROGRAM = "kubectl-yaml";
const COMMAND: OwnGoCommand = {
  source: join(repositoryRoot, "local", "toolchain", "kubectlYaml", "main.go"),
  modules: {
    "k8s.io/apimachinery/pkg/util/yaml": KUBERNETES_STAGING_VERSION,
    "sigs.k8s.io/yaml": SIGS_YAML_VERSION,
  },
  go: "1.24",
};
const BUILT: CacheEntry = {
  tool: "kubectl-yaml",
  version: `${SIGS_YAML_VERSION}-${KUBERNETES_STAGING_VERSION}`,
  proof: PROGRAM,
};

/** Where kubectl's YAML reader may come from, in order of preference. */
export const kubectlYamlSources: readonly Source<string>[] = [
  { from: "the user's cache folder", find: () => Promise.resolve(programIn(cached(BUILT))) },
  { from: "sigs.k8s.io/yaml, built here", find: build },
];

/** Finds or builds the program that reads YAML as kubectl does: sigs.k8s.io/yaml and the decoder around it. */
export function findKubectlYaml(report: Report): Promise<Found<string>> {
  return firstOf("kubectl's reader of YAML", kubectlYamlSources, report);
}

function programIn(folder: string | undefined): string | Absent {
  const program = folder && join(folder, PROGRAM);
  return program && isExecutable(program) ? program : new Absent("it is not there yet");
}

async function build(report: Report): Promise<string | Absent> {
  const go = goCompiler();
  if (go instanceof Absent) {
    return go;
  }
  const folder = await report.step(`building ${PROGRAM} ${BUILT.version}`, () =>
    cachedOrMade(BUILT, report, (root) => goBuildOwn(go, COMMAND, join(root, PROGRAM))),
  );
  return programIn(folder);
}

const MOST_OUTPUT = 256 * 1024 * 1024;

/** Returns what kubectl reads from each of the texts. */
export function readByKubectl(program: string, texts: readonly string[]): Promise<KubectlDocuments[]> {
  return new Promise((resolve, reject) => {
    const running = execFile(program, { maxBuffer: MOST_OUTPUT }, (error, stdout) =>
      error
        ? reject(new Error(`${program}: ${error.message}`))
        : resolve(JSON.parse(stdout) as KubectlDocuments[]),
    );
    running.stdin?.end(JSON.stringify(texts));
  });
}
