import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { CreateVpcCommand, DescribeVpcsCommand, EC2Client } from "@aws-sdk/client-ec2";
import * as pulumi from "@pulumi/pulumi";
import { LocalWorkspace, type LocalWorkspaceOptions } from "@pulumi/pulumi/automation";

import { compiled, repositoryRoot } from "../../local/repository";
import { processRuns, runningProcesses, signal } from "../../local/servers/processes";
import { startSession, type Session } from "../../local/session";
import { changesOf } from "./changes";

let stateFolder: string;
let session: Session;

beforeAll(async () => {
  stateFolder = mkdtempSync(join(tmpdir(), "session-"));
  session = await startSession({ stateFolder, plugins: "stand-in" });
});
afterAll(async () => {
  await session?.stop();
  rmSync(stateFolder, { recursive: true, force: true });
});

const ec2 = (accessKeyId = session.env.AWS_ACCESS_KEY_ID ?? "") =>
  new EC2Client({
    endpoint: session.awsEndpoint,
    region: "us-east-1",
    credentials: { accessKeyId, secretAccessKey: session.env.AWS_SECRET_ACCESS_KEY ?? "" },
    maxAttempts: 1,
  });

const vpcs = async () => {
  const { Vpcs = [] } = await ec2().send(new DescribeVpcsCommand({}));
  return Vpcs.map(({ VpcId, CidrBlock }) => `${VpcId} ${CidrBlock}`).sort();
};

const statusOf = async (path: string) => (await session.kubernetes.request("GET", path)).status;

const inSession = (): LocalWorkspaceOptions => ({
  // Without type checking a program starts in a second.
  envVars: { ...session.env, PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
  pulumiCommand: session.pulumiCommand,
});

/** A folder with a Node.js program that finds the SDK of this repository. */
function programFolder(files: Record<string, string>): string {
  const folder = mkdtempSync(join(stateFolder, "program-"));
  symlinkSync(join(repositoryRoot, "node_modules"), join(folder, "node_modules"));
  for (const [file, content] of Object.entries(files)) {
    writeFileSync(join(folder, file), content);
  }
  return folder;
}

/** The path to the list of platforms. */
interface HostedClusterCrd {
  spec: {
    versions: {
      schema: {
        openAPIV3Schema: {
          properties: { spec?: { properties: { platform: { properties: { type: { enum: string[] } } } } } };
        };
      };
    }[];
  };
}

const tinyProject = "name: tiny\nruntime: nodejs\nmain: index.ts\n";
const tinyProgram = `
  import * as pulumi from "@pulumi/pulumi";
  class Marker extends pulumi.ComponentResource {
    constructor(name: string, args: { colour: string }) {
      super("tiny:index:Marker", name, args);
      this.registerOutputs({ colour: args.colour });
    }
  }
  new Marker("marker", { colour: new pulumi.Config().require("colour") });
  export const where = process.cwd();
  export const secret = new pulumi.Config().requireSecret("password");
`;

describe("the data of a session", () => {
  test("VPCs and Kubernetes objects survive a restart of the servers, and credentials are replaced", async () => {
    await Promise.all(
      ["10.1.0.0/16", "10.2.0.0/16", "10.3.0.0/16"].map((CidrBlock) =>
        ec2().send(new CreateVpcCommand({ CidrBlock })),
      ),
    );
    await session.kubernetes.request("POST", "/api/v1/namespaces", { metadata: { name: "tenant-a" } });
    const before = {
      vpcs: await vpcs(),
      key: session.env.AWS_ACCESS_KEY_ID,
      kubeconfig: readFileSync(session.kubeconfig),
    };
    session = await session.restart();
    expect(await vpcs()).toEqual(before.vpcs);
    expect(await statusOf("/api/v1/namespaces/tenant-a")).toBe(200);
    expect(await statusOf("/api/v1/namespaces/tenant-b")).toBe(404);
    expect(session.env.AWS_ACCESS_KEY_ID).not.toBe(before.key);
    expect(readFileSync(session.kubeconfig)).not.toEqual(before.kubeconfig);
  });

  test("no other user of the machine can read credentials, passphrase, stacks or logs", () => {
    const readable = readdirSync(stateFolder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => /kubeconfig|tokens|passphrase|gateway\.json|\.key$|journal|\.log$/.test(file))
      .filter((file) => (statSync(file).mode & 0o077) !== 0);
    expect(readable).toEqual([]);
    expect(statSync(stateFolder).mode & 0o077).toBe(0);
  });

  test("an access key of another user is refused", async () => {
    await expect(ec2("AKIAEXAMPLE").send(new DescribeVpcsCommand({}))).rejects.toThrow(/access key/);
  });

  test("a second session in the same folder is refused while the first runs", async () => {
    await expect(startSession({ stateFolder })).rejects.toThrow(`process ${process.pid} has a session`);
  });
});

describe("the Kubernetes API", () => {
  test("has the HostedCluster definition with all nine platforms", async () => {
    const path =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/hostedclusters.hypershift.openshift.io";
    const crd = (await session.kubernetes.request("GET", path)).body as HostedClusterCrd;
    const { spec } = crd.spec.versions[0]?.schema.openAPIV3Schema.properties ?? {};
    expect([...(spec?.properties.platform.properties.type.enum ?? [])].sort()).toEqual(
      ["AWS", "Agent", "Azure", "GCP", "IBMCloud", "KubeVirt", "None", "OpenStack", "PowerVS"].sort(),
    );
  });

  test("can be stopped and started at the same address, as in an outage", async () => {
    await session.stopApiServer();
    await expect(statusOf("/api/v1/namespaces")).rejects.toThrow("ECONNREFUSED");
    await session.startApiServer();
    expect(await statusOf("/api/v1/namespaces/default")).toBe(200);
  });
});

describe("programs in the session", () => {
  test("a program in a folder runs through the language host: configuration, secrets, components, outputs", async () => {
    const workDir = programFolder({ "Pulumi.yaml": tinyProject, "index.ts": tinyProgram });
    const stack = await LocalWorkspace.createOrSelectStack({ stackName: "dev", workDir }, inSession());
    await stack.setAllConfig({ colour: { value: "blue" }, password: { value: "hush", secret: true } });
    expect(await changesOf((onEvent) => stack.preview({ onEvent }))).toEqual({ create: 2 });
    const { outputs, stdout } = await stack.up();
    expect(outputs).toEqual({
      where: { value: workDir, secret: false },
      secret: { value: "hush", secret: true },
    });
    expect(stdout).not.toContain("hush");
    expect(await changesOf((onEvent) => stack.up({ onEvent }))).toEqual({ same: 2 });
    expect(await changesOf((onEvent) => stack.destroy({ onEvent }))).toEqual({ delete: 2 });
  });

  test("a program that fails makes the run fail with its message", async () => {
    const workDir = programFolder({
      "Pulumi.yaml": tinyProject,
      "index.ts": `throw new Error("no such colour");`,
    });
    const stack = await LocalWorkspace.createOrSelectStack({ stackName: "fails", workDir }, inSession());
    await expect(stack.preview()).rejects.toThrow("no such colour");
  });

  test("an inline program runs in the calling process", async () => {
    const stack = await LocalWorkspace.createOrSelectStack(
      {
        stackName: "inline",
        projectName: "inline",
        program: () => {
          new pulumi.ComponentResource("tiny:index:Marker", "marker");
          return Promise.resolve({ answer: 42 });
        },
      },
      inSession(),
    );
    expect(await changesOf((onEvent) => stack.up({ onEvent }))).toEqual({ create: 2 });
    expect((await stack.outputs()).answer?.value).toBe(42);
  });

  test("a policy pack refuses what it forbids, and allows the rest", async () => {
    const pack = programFolder({
      "PulumiPolicy.yaml": "runtime: nodejs\nmain: index.js\n",
      "package.json": JSON.stringify({ name: "tiny-pack", version: "1.0.0" }),
      "index.js": `
        const { PolicyPack } = require("@pulumi/policy");
        new PolicyPack("tiny-pack", { policies: [{
          name: "no-red", description: "Nothing is red.", enforcementLevel: "mandatory",
          validateResource: ({ type, props }, report) => {
            if (type === "tiny:index:Marker" && props.colour === "red") report("it is red");
          } }] });`,
    });
    const workDir = programFolder({ "Pulumi.yaml": tinyProject, "index.ts": tinyProgram });
    const stack = await LocalWorkspace.createOrSelectStack({ stackName: "judged", workDir }, inSession());
    await stack.setAllConfig({ colour: { value: "red" }, password: { value: "hush", secret: true } });
    await expect(stack.preview({ policyPacks: [pack] })).rejects.toThrow("it is red");
    await stack.setConfig("colour", { value: "green" });
    const right = await changesOf((onEvent) => stack.preview({ policyPacks: [pack], onEvent }));
    expect(right).toEqual({ create: 2 });
  });
});

describe("the processes that are left running", () => {
  test("are none after an engine was killed while its program ran", async () => {
    const started = join(stateFolder, "started");
    const workDir = programFolder({
      "Pulumi.yaml": tinyProject,
      "index.ts": `
        require("fs").writeFileSync(${JSON.stringify(started)}, String(process.pid));
        setInterval(() => {}, 1000);
        for (const end = Date.now() + 60000; Date.now() < end; ) {}`,
    });
    const stack = await LocalWorkspace.createOrSelectStack({ stackName: "killed", workDir }, inSession());
    const ended = stack.up().catch((error: unknown) => error);
    const program = await untilWritten(started);
    const host = runningProcesses().find(({ pid }) => pid === program)?.parent;
    const engine = runningProcesses().find(({ pid }) => pid === host)?.parent;
    signal(engine ?? 0, "SIGKILL");
    await ended;
    await session.reap();
    // The program is busy and cannot check its parent, so it is found through its record once its host is gone.
    for (let waited = 0; waited < 120_000 && processRuns(program); waited += 200) {
      await sleep(200);
      await session.reap();
    }
    expect([host, program].filter((pid) => processRuns(pid ?? 0))).toEqual([]);
    await stack.cancel();
  });

  test("are none after the process that started the session was killed", async () => {
    const other = join(stateFolder, "other");
    mkdirSync(other);
    const ready = join(stateFolder, "ready");
    const program = `
      const { startSession } = require(${JSON.stringify(compiled("local/session"))});
      startSession({ stateFolder: ${JSON.stringify(other)}, plugins: "stand-in" })
        .then(() => require("fs").writeFileSync(${JSON.stringify(ready)}, "0"));
      setInterval(() => {}, 1000);`;
    const owner = spawn(process.execPath, ["-e", program], { stdio: "inherit" });
    await untilWritten(ready);
    const groups = serverGroups(other);
    const servers = runningProcesses().filter(({ group }) => groups.includes(group));
    // A supervisor and a server for each of etcd, kube-apiserver and the EC2 gateway, and moto.
    expect(servers.length).toBe(7);
    owner.kill("SIGKILL");
    for (let waited = 0; waited < 120_000 && servers.some(({ pid }) => processRuns(pid)); waited += 100) {
      await sleep(100);
    }
    expect(servers.filter(({ pid }) => processRuns(pid))).toEqual([]);
    const again = await startSession({ stateFolder: other, plugins: "stand-in" });
    await again.stop();
  });

  function serverGroups(folder: string): number[] {
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".pid"))
      .map((file) => Number.parseInt(readFileSync(join(folder, file), "utf8"), 10));
  }
});

async function untilWritten(file: string): Promise<number> {
  while (!existsSync(file) || readFileSync(file, "utf8") === "") {
    await sleep(50);
  }
  return Number(readFileSync(file, "utf8"));
}
