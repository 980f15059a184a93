import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { devNull } from "node:os";
import { delimiter, dirname, join } from "node:path";

import { userPulumiHome, type ProviderPlugin } from "./engine/plugins";
import type { Ec2Api } from "./servers/ec2";
import { userPath } from "./toolchain/command";
import type { PulumiTool } from "./toolchain/pulumi";

export interface EnvironmentOptions {
  readonly stateFolder: string;
  readonly pulumi: PulumiTool;
  readonly plugins: readonly ProviderPlugin[];
  readonly kubeconfig: string;
  readonly ec2: Ec2Api;
}

/** User settings that would point a program of the session at other accounts or stacks. */
const FOREIGN =
  /^(AWS_(PROFILE|DEFAULT_PROFILE|SESSION_TOKEN|ROLE_ARN|WEB_IDENTITY_.*|CONTAINER_.*)|PULUMI_(ACCESS_TOKEN|STACK|ORG))$/;

/** The complete environment for programs that run in a session. */
export function sessionEnvironment(options: EnvironmentOptions): Record<string, string> {
  const { stateFolder, pulumi, kubeconfig, ec2 } = options;
  const state = ensureFolder(join(stateFolder, "pulumi-state"));
  return {
    ...inherited(process.env),
    PATH: [join(stateFolder, "bin"), dirname(pulumi.command), userPath()].join(delimiter),
    HYPERSHIFT_NETWORK_RECORDS: join(stateFolder, "processes"),
    PULUMI_HOME: pulumiHome(options),
    // No metadata files next to the states: an engine that is killed while it writes one leaves it empty, and then no
    // command can load the stack ("failed to load checkpoint: EOF").
    PULUMI_BACKEND_URL: `file://${state}?metadata=skip`,
    ...passphraseIn(stateFolder),
    PULUMI_SKIP_UPDATE_CHECK: "true",
    ...rareCollections(),
    // Nothing is downloaded behind the user's back: a missing plugin is an error.
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    ...serverEnvironment(kubeconfig, ec2),
  };
}

/** For programs in Go: frequent garbage collection in a session's engines and API servers costs more time than it saves memory. */
export const rareCollections = (): { GOGC: string } => ({ GOGC: process.env.GOGC ?? "400" });

/** The variables by which providers find the session's servers and no others. */
export function serverEnvironment(kubeconfig: string, ec2: Ec2Api): Record<string, string> {
  return {
    KUBECONFIG: kubeconfig,
    AWS_ENDPOINT_URL: ec2.endpoint,
    AWS_ENDPOINT_URL_EC2: ec2.endpoint,
    AWS_ACCESS_KEY_ID: ec2.accessKeyId,
    AWS_SECRET_ACCESS_KEY: ec2.secretAccessKey,
    AWS_REGION: "us-east-1",
    AWS_DEFAULT_REGION: "us-east-1",
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    AWS_EC2_METADATA_DISABLED: "true",
  };
}

/** Sets the variables to empty strings instead of omitting them: the Automation API merges them over its own process environment. */
export function inherited(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, FOREIGN.test(name) ? "" : (value ?? "")]),
  );
}

/** Pulumi's home: the user's own only if its plugins are used, so that the session's settings stay out of it. */
function pulumiHome({ stateFolder, plugins }: EnvironmentOptions): string {
  const home = userPulumiHome();
  const isUsed = plugins.some(({ kind, from }) => kind === "official" && from.startsWith(home));
  return isUsed ? home : ensureFolder(join(stateFolder, "pulumi-home"));
}

/**
 * The passphrase that encrypts secrets in the stacks' state, generated once for each state folder. A passphrase that the
 * user has set for other stacks would override the file, so it is replaced.
 */
function passphraseIn(stateFolder: string): Record<string, string> {
  const file = join(stateFolder, "passphrase");
  if (!existsSync(file)) {
    writeFileSync(file, randomBytes(24).toString("base64url"), { mode: 0o600 });
  }
  return {
    PULUMI_CONFIG_PASSPHRASE_FILE: file,
    ...(process.env.PULUMI_CONFIG_PASSPHRASE === undefined
      ? {}
      : { PULUMI_CONFIG_PASSPHRASE: readFileSync(file, "utf8") }),
  };
}

function ensureFolder(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}
