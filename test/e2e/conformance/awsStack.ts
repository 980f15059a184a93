import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { DescribeSecurityGroupRulesCommand, EC2Client, type SecurityGroupRule } from "@aws-sdk/client-ec2";
import { LocalWorkspace, type PulumiFn, type Stack } from "@pulumi/pulumi/automation";

import type { Session, SessionOptions } from "../../../local/session";
import { changesOf } from "../changes";
import { type SharedSession, sharedSession } from "../sharedSession";
import { storedOutputs, storedResources } from "../storedState";
import { withoutSummary } from "../withoutSummary";

/** What a deployment did. */
export interface Deployment {
  /** The kinds of steps: `create`, `update`, `replace`, `delete`, `same`. The stack itself is one of them. */
  changes: string[];
  outputs: Record<string, unknown>;
}

/** A session for the whole suite: the real engine, an EC2 API, and whichever AWS provider was found. */
export class AwsWorld {
  private stacks = 0;

  private constructor(
    readonly session: SharedSession,
    readonly ec2: EC2Client,
    private readonly folder: string,
  ) {}

  static async start(plugins: SessionOptions["plugins"] = "official"): Promise<AwsWorld> {
    const folder = mkdtempSync(join(tmpdir(), "aws-conformance-"));
    const session = await sharedSession(join(folder, "state"), plugins);
    const { AWS_ACCESS_KEY_ID: accessKeyId = "", AWS_SECRET_ACCESS_KEY: secretAccessKey = "" } = session.env;
    const credentials = { accessKeyId, secretAccessKey };
    const ec2 = new EC2Client({ region: "us-east-1", endpoint: session.awsEndpoint, credentials });
    return new AwsWorld(session, ec2, folder);
  }

  async stop(): Promise<void> {
    await this.session.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A new, empty stack. */
  async stack(): Promise<AwsStack> {
    return AwsStack.create(this.session, `aws-conformance-${++this.stacks}`, this.folder);
  }

  /** The rules that a security group has in the EC2 API. */
  async rulesOf(groupId: unknown): Promise<SecurityGroupRule[]> {
    const filter = { Name: "group-id", Values: [String(groupId)] };
    const answer = await this.ec2.send(new DescribeSecurityGroupRulesCommand({ Filters: [filter] }));
    return answer.SecurityGroupRules ?? [];
  }
}

/** A world for the tests of a file, with an empty stack for each test. */
export function eachInAwsStack(plugins?: SessionOptions["plugins"]): {
  readonly world: AwsWorld;
  readonly stack: AwsStack;
} {
  const bench = {} as { world: AwsWorld; stack: AwsStack };
  beforeAll(async () => {
    bench.world = await AwsWorld.start(plugins);
  }, 900_000);
  afterAll(() => bench.world.stop());
  beforeEach(async () => {
    bench.stack = await bench.world.stack();
  }, 60_000);
  return bench;
}

export class AwsStack {
  private constructor(
    private readonly stack: Stack,
    private readonly session: Session,
    readonly project: string,
    private readonly counter: string,
    private env: Record<string, string>,
  ) {}

  static async create(session: SharedSession, projectName: string, folder: string): Promise<AwsStack> {
    const envVars = { ...session.env, ...session.resident.providers };
    const stack = await LocalWorkspace.createStack(
      { stackName: "test", projectName, program: () => Promise.resolve() },
      { envVars, pulumiCommand: session.pulumiCommand },
    );
    return new AwsStack(
      withoutSummary(stack),
      session,
      projectName,
      join(folder, `${projectName}.calls`),
      envVars,
    );
  }

  async up(program: PulumiFn, options: { refresh?: boolean; replace?: string[] } = {}): Promise<Deployment> {
    this.stack.workspace.program = program;
    const changes = await changesOf((onEvent) => this.stack.up({ ...options, onEvent }));
    const outputs = await storedOutputs(this.session, this.project, this.stack);
    return { changes: kindsOf(changes), outputs };
  }

  async preview(program: PulumiFn): Promise<string[]> {
    this.stack.workspace.program = program;
    return kindsOf(await changesOf((onEvent) => this.stack.preview({ onEvent })));
  }

  async refresh(): Promise<string[]> {
    return kindsOf(await changesOf((onEvent) => this.stack.refresh({ onEvent })));
  }

  async destroy(): Promise<void> {
    await this.stack.destroy();
  }

  /** The ids in the engine's state, by name. */
  async ids(): Promise<Record<string, string>> {
    const resources = await storedResources(this.session, this.project, this.stack);
    const own = resources.filter(({ type, id }) => id && !type.startsWith("pulumi:"));
    return Object.fromEntries(own.map(({ urn, id = "" }) => [urn.split("::").at(-1) ?? "", id]));
  }

  /** What the user sees when a deployment fails. */
  async refusal(deploy: () => Promise<unknown>): Promise<string> {
    try {
      await deploy();
    } catch (error) {
      const { stdout, stderr } = error as { commandResult?: { stdout: string; stderr: string } } & {
        stdout?: string;
        stderr?: string;
      };
      return `${stdout ?? ""}${stderr ?? ""}${(error as Error).message}`;
    }
    throw new Error("the deployment succeeded, and was expected to fail");
  }

  /**
   * Deploys and removes again, and says which call of the engine to the provider was the create of each type.
   * `from` is what is deployed before.
   */
  async createCalls(program: PulumiFn, from?: PulumiFn): Promise<Map<string, number>> {
    if (from) await this.up(from);
    rmSync(this.counter, { force: true });
    await this.withInterruption({ counter: this.counter, at: 100_000, when: "before" }, () =>
      this.up(program),
    );
    const lines = readFileSync(this.counter, "utf8").trim().split("\n");
    const calls = lines.map((line) => JSON.parse(line) as { method: string; type: string });
    await this.destroy();
    return new Map(
      calls.flatMap(({ method, type }, index) => (method === "Create" ? [[type, index + 1]] : [])),
    );
  }

  /** Deploys, kills the engine when a call has done its work but has not answered, and makes the stack usable again. */
  async killedAfter(call: number, program: PulumiFn): Promise<void> {
    rmSync(this.counter, { force: true });
    const interruption = { counter: this.counter, at: call, when: "after" };
    // The session of the provider keeps a record of what the provider started.
    this.env = this.session.env;
    await this.withInterruption(interruption, () => this.refusal(() => this.up(program)));
    await this.session.reap();
    await this.stack.cancel();
  }

  private async withInterruption<T>(interruption: object, work: () => Promise<T>): Promise<T> {
    const { workspace } = this.stack;
    workspace.envVars = { ...this.session.env, HYPERSHIFT_NETWORK_INTERRUPT: JSON.stringify(interruption) };
    try {
      return await work();
    } finally {
      workspace.envVars = this.env;
    }
  }
}

const kindsOf = (changes: Readonly<Record<string, number>>): string[] =>
  Object.keys(changes)
    .filter((kind) => changes[kind])
    .sort();
