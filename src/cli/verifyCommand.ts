import { setTimeout as sleep } from "node:timers/promises";

import {
  hostedCluster,
  hostedKubeconfig,
  isVerified,
  LiveCluster,
  LiveFault,
  verifyBootstrap,
  verifySubnets,
  type LiveCheck,
  type WantedSubnets,
} from "../live";
import { printable } from "../report";
import { internalSubnetProperties } from "../requirements/internalSubnets";
import type { Configuration } from "../rules";
import type { Loaded } from "./commands";
import { configurationOf, orUnusable, Unusable } from "./plans";
import { CLEAN, FINDINGS, type Terminal } from "./terminal";
import { verificationWriters } from "./verifyReport";

/** `hypershift-network verify NAMESPACE/NAME` */
export const verifyCommand: Loaded = (paths, options, terminal) =>
  orUnusable(terminal, async () => {
    const asked = askedOf(paths, options);
    const wanted = wantedOf(configurationOf(options.config), asked.name);
    const waiting = {
      now: () => terminal.now(),
      sleep: (time: number) => sleep(time),
      deadline: terminal.now() + asked.timeout * 1_000,
      progress: ({ what, found }: { what: string; found: string }) => tell(terminal, `${what}: ${found}`),
    };
    try {
      const management = await LiveCluster.open(
        { kubeconfig: options.managementKubeconfig, context: options.managementContext },
        "the management cluster",
      );
      const cluster = `${asked.namespace}/${asked.name}`;
      const answer = (checks: LiveCheck[]): number => {
        terminal.out(verificationWriters[options.format ?? "text"]!({ cluster, checks }));
        return isVerified(checks) ? CLEAN : FINDINGS;
      };
      if (options.bootstrap !== undefined) return answer(await verifyBootstrap(asked, management));
      const kubeconfig =
        options.hostedKubeconfig ??
        (await hostedKubeconfig(management, await hostedCluster(management, asked)));
      const hosted = await LiveCluster.open({ kubeconfig }, "the hosted cluster");
      const question = { ...asked, ...(wanted && { wanted }) };
      return answer(await verifySubnets(question, management, hosted, waiting));
    } catch (error) {
      if (!(error instanceof LiveFault)) throw error;
      throw new Unusable([printable(`${error.message}\n  fix  ${error.remedy}`)]);
    }
  });

/** Somebody who waits for a roll-out sees how far it is. */
const tell = (terminal: Terminal, text: string): void =>
  terminal.error(printable(`hypershift-network: ${text}\n`));

interface Asked {
  namespace: string;
  name: string;
  since?: number;
  /** Seconds. */
  timeout: number;
}

/** All that is wrong with the words of the command line, at once. */
function askedOf([key = "", ...more]: readonly string[], options: Record<string, string | undefined>): Asked {
  const [namespace = "", name = "", ...rest] = key.split("/");
  const since = wholeNumber(options.since);
  const timeout = wholeNumber(options.timeout);
  const faults = [
    ...(namespace === "" || name === "" || rest.length + more.length > 0
      ? ["name one HostedCluster as namespace/name: clusters/tenant-a"]
      : []),
    ...(options.since !== undefined && since === undefined
      ? [`--since ${options.since}: write the generation of ovnkube-node before the change, a whole number`]
      : []),
    ...(timeout === undefined ? [`--timeout ${options.timeout ?? ""}: write whole seconds`] : []),
  ];
  if (faults.length > 0)
    throw new Unusable(faults.map((fault) => printable(`hypershift-network verify: ${fault}`)));
  return { namespace, name, timeout: timeout!, ...(since !== undefined && { since }) };
}

const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;

/** The subnets that the configuration says for a hosted cluster. */
function wantedOf({ clusters }: Configuration, name: string): WantedSubnets | undefined {
  const topology = clusters.find((one) => one.topology.name === name)?.topology as
    Readonly<Record<string, unknown>> | undefined;
  const said = internalSubnetProperties.flatMap((property) => {
    const value = topology?.[property];
    return typeof value === "string" ? [[property, value] as const] : [];
  });
  return said.length > 0 ? Object.fromEntries(said) : undefined;
}
