import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, dirname } from "node:path";

import { reportOn } from "../report";
import { repositoryRoot } from "../repository";
import { DEFAULT_STATE_FOLDER, startSession, type Session } from "../session";
import { findKubectl } from "../toolchain/kubernetes";
import { onPath } from "../toolchain/command";
import { exitWith } from "./exit";

const HELP = `npm run local -- COMMAND [ARGUMENT...]

Runs a command at the root of this repository with an EC2 API and a Kubernetes API on this machine behind it, and with
a Pulumi engine, its state and its plugins: nothing leaves the machine and no account is needed. The servers stop when
the command ends; their data stay for the next one.

  npm run local -- pulumi stack ls
  npm run local -- pulumi preview --stack quickstart --policy-pack policy
  npm run local -- kubectl get hostedclusters -A -o yaml
  npm run local -- bash                       a shell to try things in

  npm run local -- --parts                    where each part comes from
  npm run local -- --clear                    delete the data: stacks, networks, objects
  npm run local -- --help                     this text

Data are in .hypershift-network/ at the root of this repository, or where HYPERSHIFT_NETWORK_STATE says.`;

async function main(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args;
  if (command === undefined || command === "--help" || command === "-h") {
    console.log(HELP);
    return 0;
  }
  if (command === "--clear") {
    rmSync(DEFAULT_STATE_FOLDER, { recursive: true, force: true });
    console.log("The data of the local servers and the state of their stacks are deleted.");
    return 0;
  }
  if (command !== "--parts" && command.startsWith("-")) {
    console.error(`npm run local does not know ${command}\n\n${HELP}`);
    return 2;
  }
  // From here on Ctrl-C goes to the command; the servers stop when the command has ended.
  process.on("SIGINT", () => {});
  const report = reportOn();
  const session = await startSession({ report });
  try {
    if (command === "--parts") {
      session.parts.forEach(({ name, kind, from }) =>
        console.log(`${name.padEnd(30)} ${kind.padEnd(9)} ${from}`),
      );
      return 0;
    }
    const path = command === "kubectl" ? await pathWithKubectl(session) : session.env.PATH;
    return await runInSession(command, rest, { ...session.env, PATH: path ?? "" });
  } finally {
    await session.stop();
  }

  async function pathWithKubectl({ env }: Session): Promise<string | undefined> {
    if (onPath("kubectl", env.PATH)) {
      return env.PATH;
    }
    const { tool } = await findKubectl(report);
    return [env.PATH, dirname(tool)].join(delimiter);
  }
}

function runInSession(
  command: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(onPath(command, env.PATH) ?? command, args, {
      cwd: repositoryRoot,
      env,
      stdio: "inherit",
    });
    for (const name of ["SIGTERM", "SIGHUP"] as const) {
      process.on(name, () => child.kill(name));
    }
    child.on("error", (error) => {
      console.error(`${command}: ${error.message}`);
      resolve(127);
    });
    child.on("exit", (code, killedBy) => resolve(code ?? 128 + (killedBy ? constants.signals[killedBy] : 1)));
  });
}

exitWith(main(process.argv.slice(2)));
