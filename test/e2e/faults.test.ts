import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { CreateVpcCommand } from "@aws-sdk/client-ec2";

import { repositoryRoot } from "../../local/repository";
import { SharedFieldShare, type SharedFieldInputs } from "../../src/components/dynamicProvider";
import { applied, namespaced } from "./applied";
import { projectIn } from "./badInput/project";
import { Bench, kubectlWith, live } from "./conformance/kubernetesBench";
import { type Asked, type Fault, type Front, frontOf } from "./faults/front";
import { recorded } from "./faults/recorded";
import { hostedClusterObject } from "./hostedCluster";
import { sharedSession, type SharedSession } from "./sharedSession";
import { World } from "./world";

/** The command as users run it. */
const command = join(repositoryRoot, "dist", "src", "cli", "main.js");
const folder = mkdtempSync(join(tmpdir(), "faults-"));
let session: SharedSession;
let kubernetes: Front;
let ec2: Front;
let vpc: string;

beforeAll(async () => {
  session = await sharedSession(join(folder, "state"));
  kubernetes = await frontOf(session.kubernetes);
  ec2 = await frontOf({ url: session.awsEndpoint });
  await namespaced(session, "clusters");
  await applied(
    session,
    "/apis/hypershift.openshift.io/v1beta1/namespaces/clusters/hostedclusters/tenant-a",
    hostedClusterObject(),
  );
  const made = await new World(session).ec2.send(new CreateVpcCommand({ CidrBlock: "10.77.0.0/16" }));
  vpc = made.Vpc!.VpcId!;
}, 900_000);
afterEach(() => [kubernetes, ec2].forEach((front) => (front.fault = () => undefined)));
afterAll(async () => {
  [kubernetes, ec2].forEach((front) => front?.close());
  await session?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Ran {
  status: number;
  out: string;
  error: string;
}
const run = (args: string[], env: Record<string, string> = {}): Promise<Ran> =>
  new Promise((resolve) =>
    execFile(
      process.execPath,
      [command, ...args],
      { env: { ...session.env, ...env }, cwd: folder },
      (failure, out, error) => resolve({ status: failure ? Number(failure.code) : 0, out, error }),
    ),
  );

/** A kubeconfig that leads through the front, as any user. */
const kubeconfig = (): string =>
  JSON.stringify({
    clusters: [{ name: "front", cluster: { server: kubernetes.url, "insecure-skip-tls-verify": true } }],
    users: [{ name: "anybody", user: {} }],
    contexts: [{ name: "front", context: { cluster: "front", user: "anybody" } }],
    "current-context": "front",
  });
const status = (code: number, reason: string, message: string): Fault => ({
  answers: code,
  body: JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", code, reason, message }),
});
const BUSY: Fault = {
  answers: 429,
  body: JSON.stringify({ kind: "Status", code: 429, message: "too many requests" }),
  headers: { "retry-after": "1" },
};
/** Lines next to the reason are notes about what the cluster has. */
const reasonIn = ({ error }: Ran): string =>
  error
    .split("\n")
    .filter((line) => !line.startsWith("note "))
    .join("\n");
/** A check keeps nothing between runs: a failed check prints no verdict, a check that continues prints that of a run without the fault. */
const verdictOf = ({ status, out }: Ran, clean: Ran): string => {
  expect(out).toBe(status === 2 ? "" : clean.out);
  return status === 2 ? "nothing is judged" : "judges all of it";
};
const ended = ({ status }: Ran): string => `status ${status}`;

/** Applies the fault to the first matching requests only. */
const first = (count: number, fault: Fault, isMeant: (asked: Asked) => boolean) => {
  let left = count;
  return (asked: Asked) => (isMeant(asked) && left-- > 0 ? fault : undefined);
};
const ALWAYS = Infinity;

const OF_KUBERNETES: readonly (readonly [what: string, times: number, fault: Fault])[] = [
  ["answers 401: the credentials have expired", ALWAYS, status(401, "Unauthorized", "Unauthorized")],
  ["answers 403: no right to list", ALWAYS, status(403, "Forbidden", "hostedclusters is forbidden")],
  ["answers 429 once", 1, BUSY],
  ["answers 500", ALWAYS, status(500, "InternalError", "etcdserver: request timed out")],
  ["resets the connection", ALWAYS, { cuts: "before" }],
  ["goes away half-way through an answer", ALWAYS, { cuts: "half-way" }],
  ["answers after 2 s", 1, { waitsMs: 2_000 }],
  [
    "answers with a page of a proxy",
    ALWAYS,
    { answers: 200, body: "<html>log in</html>", contentType: "text/html" },
  ],
];

describe("check --live, where the API server", () => {
  let clean: Ran;
  beforeAll(async () => void (clean = await check()));
  const check = async () => {
    const file = join(folder, "kubeconfig.json");
    writeFileSync(file, kubeconfig());
    return run(["check", "--live", "--kubeconfig", file]);
  };

  test.each(OF_KUBERNETES)("%s", async (what, times, fault) => {
    kubernetes.fault = first(times, fault, ({ path }) => path.includes("hostedclusters"));
    const seen = await check();
    recorded(`check --live, the API server ${what}`, {
      ended: ended(seen),
      said: reasonIn(seen),
      next: verdictOf(seen, clean),
    });
  });

  test("is itself again, all of it is judged as before", async () => {
    expect(await check()).toEqual(clean);
  });
});

const refusal = (code: string, message: string, answers: number): Fault => ({
  answers,
  contentType: "text/xml",
  body: `<Response><Errors><Error><Code>${code}</Code><Message>${message}</Message></Error></Errors><RequestID>1</RequestID></Response>`,
});
const OF_EC2: readonly (readonly [what: string, times: number, fault: Fault])[] = [
  [
    "answers RequestExpired: the credentials have expired",
    ALWAYS,
    refusal("RequestExpired", "Request has expired.", 400),
  ],
  [
    "answers UnauthorizedOperation",
    ALWAYS,
    refusal("UnauthorizedOperation", "You are not authorized to perform this operation.", 403),
  ],
  ["answers RequestLimitExceeded once", 1, refusal("RequestLimitExceeded", "Request limit exceeded.", 503)],
  ["answers 429 once", 1, refusal("Throttling", "Rate exceeded", 429)],
  ["answers 500", ALWAYS, refusal("InternalError", "An internal error has occurred", 500)],
  ["resets the connection", ALWAYS, { cuts: "before" }],
  ["resets the connection once", 1, { cuts: "before" }],
  ["goes away half-way through an answer", ALWAYS, { cuts: "half-way" }],
  ["answers after 2 s", 1, { waitsMs: 2_000 }],
  [
    "answers with a page of a proxy",
    ALWAYS,
    { answers: 200, body: "<html>log in</html>", contentType: "text/html" },
  ],
];

describe("check --ec2, where the EC2 API", () => {
  let clean: Ran;
  beforeAll(async () => void (clean = await check()));
  const check = () =>
    run(["check", "--ec2", "--vpc", vpc, "--no-config"], {
      AWS_ENDPOINT_URL: ec2.url,
      AWS_ENDPOINT_URL_EC2: ec2.url,
    });

  test.each(OF_EC2)("%s", async (what, times, fault) => {
    ec2.fault = first(times, fault, ({ body }) => body.includes("DescribeSecurityGroup"));
    const seen = await check();
    recorded(`check --ec2, the EC2 API ${what}`, {
      ended: ended(seen),
      said: reasonIn(seen),
      next: verdictOf(seen, clean),
    });
  });

  test("is itself again, all of it is judged as before", async () => {
    expect(await check()).toEqual(clean);
  });
});

/** The line that states why a run of the engine failed. */
const errorIn = (output: string): string =>
  output
    .split("\n")
    .filter(
      (line) => /error: |^\s+(?:error|the stack is)/.test(line) && !/error: update failed|code: /.test(line),
    )
    .at(0)
    ?.replace(/^.*error: /, "")
    .trim() ?? output;

const isWrite = ({ method }: Asked): boolean => method !== "GET";
const OF_WRITES: readonly (readonly [what: string, times: number, fault: Fault])[] = [
  [
    "answers 409 to the first write: another writer was faster",
    1,
    status(409, "Conflict", "the object has been modified"),
  ],
  ["answers 429 once", 1, BUSY],
  ["answers 403: no right to write", ALWAYS, status(403, "Forbidden", "nodes is forbidden")],
  ["answers 500", ALWAYS, status(500, "InternalError", "etcdserver: request timed out")],
  ["resets the connection before it has the write", ALWAYS, { cuts: "before" }],
  ["resets the connection when the write is carried out", 1, { cuts: "after" }],
];

describe("pulumi up of a share of a field, where the API server", () => {
  const share = (name: string): SharedFieldInputs => ({
    apiVersion: "v1",
    object: "Node",
    name,
    path: ["spec", "taints"],
    shape: { kind: "keyedItems", keys: ["key", "effect"] },
    entries: [{ key: "hypershift.openshift.io/cluster", value: "clusters-a", effect: "NoSchedule" }],
    fieldManager: "hypershift-network-taints",
    kubeconfig: kubeconfig(),
  });
  const ours = (name: string) =>
    ((live(session, "node", name)?.spec?.taints ?? []) as { key: string }[]).filter(
      ({ key }) => key === "hypershift.openshift.io/cluster",
    );

  test.each(OF_WRITES.map((row, place) => [...row, `fault-${place}`] as const))(
    "%s",
    async (what, times, fault, name) => {
      const node = { apiVersion: "v1", kind: "Node", metadata: { name } };
      kubectlWith(session, JSON.stringify(node), "create", "-f", "-");
      const bench = await Bench.open(session, name);
      const program = () => {
        new SharedFieldShare("share", share(name));
        return Promise.resolve();
      };
      try {
        kubernetes.fault = first(times, fault, isWrite);
        const seen = await bench.up(program);
        expect(kubernetes.faults).toBeGreaterThan(0);
        kubernetes.fault = () => undefined;
        const next = await bench.up(program);
        expect([next.ok, ours(name).length]).toEqual([true, 1]);
        expect((await bench.up(program)).changes).toEqual({ same: 2 });
        recorded(`up of a share of a field, the API server ${what}`, {
          ended: seen.ok ? "up succeeds" : "up fails",
          said: seen.ok ? "" : errorIn(seen.output),
          next: "up converges, the entry is there once",
        });
        expect((await bench.destroy()).ok).toBe(true);
        expect(ours(name)).toEqual([]);
      } finally {
        bench.close();
      }
    },
    120_000,
  );
});

test("a second up of a stack beside a first is refused, and the first goes on", async () => {
  const [one, other] = [await Bench.open(session, "twice"), await Bench.open(session, "twice")];
  try {
    let refuse: () => void = () => undefined;
    const isRefused = new Promise<void>((resolve) => (refuse = resolve));
    let begin: () => void = () => undefined;
    const hasBegun = new Promise<void>((resolve) => (begin = resolve));
    const running = one.up(async () => {
      begin();
      await isRefused;
    });
    await hasBegun;
    const seen = await other.up(() => Promise.resolve());
    refuse();
    expect([(await running).ok, seen.ok]).toEqual([true, false]);
    expect((await other.up(() => Promise.resolve())).ok).toBe(true);
    recorded("a second up of a stack beside a first", {
      ended: "up fails",
      said: /the stack is currently locked by 1 lock\(s\)/.exec(seen.output)?.[0] ?? seen.output,
      next: "the first goes on, and the next up converges",
    });
    expect((await one.destroy()).ok).toBe(true);
  } finally {
    one.close();
    other.close();
  }
}, 120_000);

/** A separate, almost full disk that exists while a shell runs; not every system lets a user mount one. */
const mayMount = spawnSync("unshare", ["-Urm", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;
const onFullDisk = (mayMount ? test : test.skip).bind(undefined);

describe("on a disk that is full", () => {
  /** Runs commands with `$DISK`, and returns what they print. `fill PAGES` leaves that many pages free. */
  const onDisk = (commands: string, env: Record<string, string> = {}): string => {
    const disk = join(folder, "disk");
    mkdirSync(disk, { recursive: true });
    const script = `
      mount -t tmpfs -o size=1m none "$DISK"
      fill() { head -c 2000000 /dev/zero > "$DISK/.filler" 2>/dev/null; truncate -s -$(($1 * 4096)) "$DISK/.filler"; }
      room() { rm "$DISK/.filler"; }
      ${commands}`;
    const { stdout, stderr } = spawnSync("unshare", ["-Urm", "bash", "-c", script], {
      env: { ...session.env, ...env, DISK: disk },
      cwd: folder,
      encoding: "utf8",
    });
    return stdout + stderr;
  };
  const node = `"${process.execPath}" "${command}"`;

  onFullDisk("a report leaves the old one", () => {
    writeFileSync(join(folder, "plan.json"), JSON.stringify(hostedClusterObject()));
    const lines = onDisk(`
      echo old > "$DISK/report.html"; fill 0
      ${node} report plan.json --no-config --out "$DISK/report.html" 2>&1; echo "status $?"
      cat "$DISK/report.html"; ls -A "$DISK"
      room; ${node} report plan.json --no-config --out "$DISK/report.html" >/dev/null; echo "status $?"`)
      .trim()
      .split("\n");
    expect(lines.slice(2)).toEqual(["old", ".filler", "report.html", "status 0"]);
    recorded("report --out on a full disk", {
      ended: lines[1]!,
      said: lines[0]!,
      next: "the old report stays, nothing lies beside it, the next run writes it",
    });
  });

  onFullDisk("a ledger keeps what is in it, and the next plan goes on", () => {
    const fleet = (...names: string[]) => `apiVersion: hypershift-network/v1
kind: Fleet
spec:
  ledger: disk/ledger
  pools:
    machineNetwork: [10.0.0.0/16]
    clusterNetwork: [10.128.0.0/12]
    serviceNetwork: [172.24.0.0/14]
  defaults: { platform: KubeVirt, release: "4.20", nodes: 100 }
  clusters: [${names.map((name) => `{ name: ${name} }`).join(", ")}]
`;
    writeFileSync(join(folder, "one.yaml"), fleet("a"));
    writeFileSync(join(folder, "many.yaml"), fleet("a", "b", "c", "d"));
    const plan = (file: string) => `${node} plan --no-config --fleet ${file} --write --format json`;
    const text = onDisk(`
      ${plan("one.yaml")} > one.json; sum=$(sha256sum < "$DISK/ledger/clusters/a.yaml")
      fill 1; ${plan("many.yaml")} 2>&1 >/dev/null; echo "status $?"
      [ "$sum" = "$(sha256sum < "$DISK/ledger/clusters/a.yaml")" ] && echo kept
      ls -A "$DISK/ledger/clusters" | grep -c part
      room; ${plan("many.yaml")} > /dev/null; echo "status $?"; ls -A "$DISK/ledger/clusters"`);
    const lines = text.trim().split("\n");
    expect(lines.slice(2)).toEqual(["kept", "0", "status 0", "a.yaml", "b.yaml", "c.yaml", "d.yaml"]);
    recorded("plan --fleet --write on a full disk", {
      ended: lines[1]!,
      said: lines[0]!,
      next: "what was in the ledger stays, no part of a file lies beside it, the next plan writes the rest",
    });
  });

  /** A stack whose state is on the disk: `run VERB... PATTERN` runs the engine on it, and prints its status and messages. */
  const onDiskOfState = async (name: string, commands: string): Promise<string[]> => {
    const project = await projectIn(session, name);
    writeFileSync(
      join(project.folder, "index.ts"),
      `import * as network from "hypershift-network";
const machineNetwork = [{ cidr: "10.77.0.0/16" }];
new network.PrivateEndpointSecurityGroup("endpoint", {
  topology: { name: "tenant-a", platform: "AWS", release: "4.20", endpointAccess: "Private", machineNetwork },
  vpcId: "${vpc}",
  callers: { offices: { cidr: "10.200.0.0/16" } },
} as never);
`,
    );
    return onDisk(
      `
      cd "${project.folder}"
      pulumi() { "${session.pulumiCommand.command}" --non-interactive --color never "$@" 2>&1; }
      run() { pulumi "\${@:1:$#-1}" --yes --skip-preview > run.out; echo "status $?"; grep -oE "\${@: -1}" run.out | head -1 | tr -s " +-" " "; }
      counted() { run "$@" "^ +[+-]? ?[0-9]+ (created|unchanged|deleted)"; }
      pulumi stack init full > /dev/null; counted up
      ${commands}
      counted destroy`,
      { PULUMI_BACKEND_URL: `file://${join(folder, "disk")}`, PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
    )
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
  };
  const [MADE, SAME, GONE] = ["7 created", "7 unchanged", "7 deleted"].map((count) => ["status 0", count]);

  onFullDisk(
    "a state that cannot be locked stays, and the lock that is half written goes",
    async () => {
      const seen = await onDiskOfState(
        "unlocked",
        `
      fill 0; run destroy "no space left on device"
      room; run up "unexpected end of JSON input"
      pulumi cancel --yes > /dev/null; counted up`,
      );
      const [full, stuck] = ["no space left on device", "unexpected end of JSON input"];
      expect(seen).toEqual([...MADE!, "status 1", full, "status 1", stuck, ...SAME!, ...GONE!]);
      recorded("destroy of a stack whose state is on a full disk", {
        ended: "destroy fails",
        said: full,
        next: `with room up says "${stuck}"; after pulumi cancel it converges, and nothing was deleted`,
      });
    },
    240_000,
  );

  onFullDisk(
    "a state that is half written comes back from an export",
    async () => {
      const seen = await onDiskOfState(
        "torn",
        `
      pulumi stack export > before.json
      fill 3; run destroy --parallel 1 "failed to save snapshot"
      room; run up "failed to load checkpoint"
      pulumi stack import --file before.json > /dev/null
      run up --refresh nothing; echo $(($(sed -nE "s/^ +[+]? ?([0-9]+) (created|unchanged)/\\1/p" run.out | paste -sd +)))
      counted up`,
      );
      const [failed, torn] = ["failed to save snapshot", "failed to load checkpoint"];
      expect(seen).toEqual([
        ...MADE!,
        ...["status 1", failed, "status 1", torn],
        // How many were deleted before the state no longer fitted depends on its size; deleted ones come back.
        ...["status 0", "7"],
        ...SAME!,
        ...GONE!,
      ]);
      recorded("destroy of a stack whose state is on a disk that fills up meanwhile", {
        ended: "destroy fails",
        said: failed,
        next: `with room up says "${torn}"; after pulumi stack import of an export up --refresh converges`,
      });
    },
    480_000,
  );
});
