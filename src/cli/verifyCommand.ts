import { randomBytes } from "node:crypto";
import { familiesOf } from "../live/probes/place";
import { Interrupted, interruptible, type Waiting } from "../cluster/interruptible";
import {
  isVerified,
  type LiveCheck,
  LiveCluster,
  LiveFault,
  type LiveObject,
  LiveStatus,
} from "../cluster/liveCluster";
import { verifyEgressRouter } from "../live/egressRouter/verifyEgressRouter";
import { verifyMulticast } from "../live/multicast/verifyMulticast";
import { verifyFlows } from "../live/flows/verifyFlows";
import type { WantedSubnets } from "../cluster/ovnRollOut/rollOutChecks";
import { jsonDocument, plural } from "../text";
import { internalSubnetProperties } from "../requirements/internalSubnets";
import { mergeTopology, topologyOfHostedCluster } from "../topology/topologyOfHostedCluster";
import { normalizeTopology } from "../topology/normalizeTopology";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import type { Loaded } from "./commands";
import { Unusable, configurationOf, orUnusable } from "./plans";
import { CLEAN, FINDINGS, tell, textOfLines, type Terminal } from "./terminal";
import { askedOf, type VerifyQuestion } from "./verifyQuestion";
import { element, xmlLines } from "../report/ci";
import { hostedCluster, verifyBootstrap, verifySubnets } from "../live/verifyHostedCluster";
import { hostedKubeconfig } from "../live/readObjects";
import { type ProbeSettings, verifyTraffic } from "../live/probes/verifyTraffic";
import { REOPENING } from "../topology/bootstrapPhase";
import type { Configuration } from "../gate/configuration";

/** `hypershift-network verify NAMESPACE/NAME` */
export const verifyCommand: Loaded = (paths, options, terminal) =>
  orUnusable(terminal, async () => {
    const asked = askedOf(paths, options);
    const configuration = configurationOf(options, [], terminal);
    const begun = terminal.now();
    try {
      const checks = await interruptible((sleep) =>
        verified(asked, configuration, options, { terminal, sleep }),
      );
      const cluster = `${asked.namespace}/${asked.name}`;
      terminal.out(verificationWriters[options.format ?? "text"]!({ cluster, checks }));
      if (!isVerified(checks)) {
        const isOver = terminal.now() - begun >= asked.timeout * 1_000;
        if (asked.timeout > 0 && isOver) note(terminal, timeIsOver(asked.timeout));
        return FINDINGS;
      }
      if (asked.bootstrap) note(terminal, REOPENING);
      return CLEAN;
    } catch (error) {
      if (error instanceof Interrupted) return interrupted(terminal, error);
      if (!(error instanceof LiveFault)) throw error;
      throw new Unusable([error.message, `  fix  ${error.remedy}`]);
    }
  });

const timeIsOver = (seconds: number): string =>
  `--timeout expired after ${plural(seconds, "second")}: changes still in progress are judged as they are now`;

/** Where progress is reported, and how to sleep. */
interface Waiter {
  terminal: Terminal;
  sleep: (time: number) => Promise<void>;
}

/** Runs the checks that only read, then the probes; with `--flows` only probes. With targets, only the targets. */
async function verified(
  asked: VerifyQuestion,
  configuration: Configuration,
  options: Record<string, string | undefined>,
  { terminal, sleep }: Waiter,
): Promise<LiveCheck[]> {
  const waiting = () => ({
    now: () => terminal.now(),
    sleep,
    deadline: terminal.now() + asked.timeout * 1_000,
    progress: ({ what, found }: { what: string; found: string }) => note(terminal, `${what}: ${found}`),
  });
  const management = await LiveCluster.open(
    { kubeconfig: options.managementKubeconfig, context: options.managementContext },
    "the management cluster",
  );
  if (asked.bootstrap) return verifyBootstrap(asked, management);
  const object = await hostedCluster(management, asked);
  const named = options.hostedKubeconfig;
  const kubeconfig = named ?? (await hostedKubeconfig(management, object));
  const hosted = await LiveCluster.open({ kubeconfig }, "the hosted cluster", named === undefined);
  const settings = {
    run: randomBytes(4).toString("hex"),
    namespace: options.namespace,
    image: options.probeImage,
    families: familiesOf(object),
    timeoutSeconds: asked.timeout,
  };
  const targets = await verifiedTargets(asked, hosted, settings, waiting);
  if (targets.length > 0) return targets;
  if (asked.flows) {
    const topology = topologyOf(object, configuration);
    return verifyFlows(hosted, { hostedCluster: object, topology }, settings, waiting());
  }
  const wanted = wantedOf(configuration, asked.name);
  const read = await verifySubnets({ ...asked, ...(wanted && { wanted }) }, management, hosted, waiting());
  if (!asked.probes) return read;
  return [...read, ...(await verifyTraffic(hosted, settings, waiting()))];
}

/** Checks that only read run first: if they cannot read, nothing is created. */
async function verifiedTargets(
  { egressRouter, multicast }: VerifyQuestion,
  hosted: LiveCluster,
  settings: ProbeSettings,
  waiting: () => Waiting,
): Promise<LiveCheck[]> {
  return [
    ...(egressRouter ? await verifyEgressRouter(hosted, egressRouter, waiting()) : []),
    ...(multicast === undefined ? [] : await verifyMulticast(hosted, multicast, settings, waiting())),
  ];
}

function interrupted(terminal: Terminal, interruption: Interrupted): number {
  for (const { what, fix } of interruptedTexts(interruption)) {
    note(terminal, what);
    if (fix !== undefined) tell(terminal, `  fix  ${fix}`);
  }
  return interruption.status;
}

/** Reports progress to a user who waits for a rollout. */
const note = (terminal: Terminal, text: string): void => tell(terminal, `hypershift-network: ${text}`);

/** The topology of the hosted cluster, from its object and the configuration. */
function topologyOf(object: LiveObject, { clusters }: Configuration): NormalizedTopology {
  const raw = topologyOfHostedCluster(object) ?? {};
  const said = clusters.find(({ topology }) => topology.name === raw.name)?.topology ?? {};
  const { readable, faults } = normalizeTopology(mergeTopology(raw, said));
  if (readable) return readable;
  throw new Unusable(
    faults.flatMap(({ path, problem, remedy }) => [`${path}: ${problem}`, `  fix  ${remedy}`]),
  );
}

/** The subnets that the configuration states for a hosted cluster. */
function wantedOf({ clusters }: Configuration, name: string): WantedSubnets | undefined {
  const topology = clusters.find((one) => one.topology.name === name)?.topology as
    Readonly<Record<string, unknown>> | undefined;
  const said = internalSubnetProperties.flatMap((property) => {
    const value = topology?.[property];
    return typeof value === "string" ? [[property, value] as const] : [];
  });
  return said.length > 0 ? Object.fromEntries(said) : undefined;
}

/** The verification of one hosted cluster. */
export interface Verification {
  /** `namespace/name` */
  cluster: string;
  checks: readonly LiveCheck[];
}

/** Formats a verification. */
const verificationWriters: Readonly<Record<string, (verification: Verification) => string>> = {
  text: ({ cluster, checks }) => textOfLines([summary(cluster, checks), "", ...checks.flatMap(checkLines)]),
  json: ({ cluster, checks }) => jsonDocument({ version: 1, cluster, verified: isVerified(checks), checks }),
  junit: ({ cluster, checks }) => {
    const numbers = { tests: checks.length, failures: checks.filter(hasNotPassed).length };
    const suite = element("testsuite", { name: cluster, ...numbers }, checks.map(testCase).join(""));
    return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", { name: "hypershift-network verify", ...numbers }, suite)}\n`;
  },
};

const hasNotPassed = ({ status }: LiveCheck): boolean => status !== LiveStatus.Passed;

function summary(cluster: string, checks: readonly LiveCheck[]): string {
  const passed = checks.length - checks.filter(hasNotPassed).length;
  return `${cluster}: ${isVerified(checks) ? "verified" : "not verified"}, ${passed} of ${checks.length} checks passed`;
}

const checkLines = ({ status, what, expected, found, fix }: LiveCheck): string[] => [
  `${status.padEnd(8)} ${what}`,
  `         expected  ${expected}`,
  `         found     ${found}`,
  ...(fix === undefined ? [] : [`         fix       ${fix}`]),
];

function testCase(check: LiveCheck): string {
  const { id, what, expected, found, status, fix = "", documented } = check;
  const lines = [`expected: ${expected}`, `found: ${found}`, `fix: ${fix}`, `documented: ${documented}`];
  const body = hasNotPassed(check)
    ? element("failure", { message: `expected ${expected}, found ${found}`, type: status }, xmlLines(lines))
    : "";
  return element("testcase", { classname: id, name: what }, body);
}

/** Texts for a user who interrupted a command: what is left behind, if anything could be, and the fix. */
export function interruptedTexts({ by, removal }: Interrupted): { what: string; fix?: string }[] {
  if (!removal) return [{ what: `ended by ${by}` }];
  if (removal.length === 0) return [{ what: `ended by ${by}, and the probes are removed` }];
  return [
    { what: `ended by ${by}` },
    ...removal.map(({ what, found, fix = "" }) => ({ what: `${what} are not removed: ${found}`, fix })),
  ];
}
