import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";

import { compiled, repositoryRoot } from "../../local/repository";
import { TYPE } from "../../src/resources/resourceTypes";
import { Folder, preview, state, step } from "../plan/plans";

/** The output of a preview of a security group rule. */
export const planOf = (cidrIpv4: string): string =>
  preview([step("create", state(TYPE.ingressRule, "in-443", { cidrIpv4 }))]);

export const CLEAN_PLAN = planOf("10.0.0.0/8");
export const PLAN_WITH_FINDING = planOf("10.0.0.1/8");

/** The result of one step of a pipeline. */
export interface Ended {
  status: number;
  out: string;
}

/**
 * A user's project with the built command line installed, and an engine that prints a given plan, ends with a given
 * status, and records its calls.
 */
export class Project {
  readonly #folder = new Folder();
  readonly path = this.#folder.path;

  constructor() {
    const installed = join(this.path, "node_modules/.bin");
    mkdirSync(installed, { recursive: true });
    symlinkSync(repositoryRoot, join(this.path, "node_modules/hypershift-network"));
    const command = `exec "${process.execPath}" "${compiled("src/cli/main")}" "$@"`;
    this.#program("node_modules/.bin/hypershift-network", command);
    this.#program("bin/npm", `echo npm "$@" >> "${this.path}/calls"`);
    this.#program(
      "bin/pulumi",
      [
        `echo pulumi "$@" >> "${this.path}/calls"`,
        `case "$*" in *--json*) cat "${this.path}/printed"; exit "$(cat "${this.path}/ends")" ;; esac`,
      ].join("\n"),
    );
    this.write("package.json", '{ "name": "network", "version": "1.0.0" }');
    this.write("hypershift-network.yaml", "rules: { all: disabled, cidr-invalid: mandatory }\n");
    this.previews(CLEAN_PLAN);
  }

  /** Sets the output of the next preview, and its exit status. */
  previews(plan: string, status = 0): void {
    this.write("printed", plan);
    this.write("ends", String(status));
  }

  write(name: string, text: string): string {
    mkdirSync(dirname(join(this.path, name)), { recursive: true });
    return this.#folder.write(name, text);
  }

  read(name: string): string {
    return readFileSync(join(this.path, name), "utf8");
  }

  has(name: string): boolean {
    return existsSync(join(this.path, name));
  }

  /** The calls of the engine and of npm. */
  calls(): string[] {
    return this.has("calls") ? this.read("calls").trim().split("\n") : [];
  }

  /** Runs a program like a step: with the variables of the step, in a folder of the project. */
  run(command: readonly string[], env: Readonly<Record<string, string>>, folder = "."): Promise<Ended> {
    const [program = "", ...args] = command;
    const { PATH = "", HOME = "" } = process.env;
    return new Promise((resolve) => {
      execFile(
        program,
        args,
        { cwd: join(this.path, folder), env: { PATH: `${this.path}/bin:${PATH}`, HOME, ...env } },
        (error, stdout, stderr) =>
          resolve({ status: error ? Number(error.code) : 0, out: `${stdout}${stderr}` }),
      );
    });
  }

  remove(): void {
    this.#folder.remove();
  }

  #program(name: string, text: string): void {
    chmodSync(this.write(name, `#!/bin/sh\n${text}\n`), 0o755);
  }
}
