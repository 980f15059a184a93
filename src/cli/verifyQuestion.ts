import type { Fault } from "../fault";
import type { RouterName } from "../live/egressRouter/objectChecks";
import { labelNameFaults, subdomainNameFaults } from "../objects/places";
import { isOn, Unusable } from "./plans";

/** What to verify in a running hosted cluster. */
export interface VerifyQuestion {
  namespace: string;
  name: string;
  since?: number;
  /** How long to wait, in seconds. */
  timeout: number;
  /** Whether pods are created. */
  probes: boolean;
  /** Whether the required flows are tried, instead of the subnets. */
  flows: boolean;
  /** Whether the NodePools are checked, instead of everything else. */
  bootstrap: boolean;
  /** Namespace in which multicast is tried, instead of the subnets. */
  multicast?: string;
  /** Egress router that is checked, instead of the subnets. */
  egressRouter?: RouterName;
}

/** Parses the command line, and reports all its faults at once. */
export function askedOf(
  [key = "", ...more]: readonly string[],
  options: Record<string, string | undefined>,
): VerifyQuestion {
  const [namespace = "", name = "", ...rest] = key.split("/");
  const since = wholeNumber(options.since);
  const timeout = wholeNumber(options.timeout);
  const probes = (options.probes as unknown) !== false;
  const [flows, bootstrap] = [isOn(options.flows), isOn(options.bootstrap)];
  const faults = [
    ...(namespace === "" || name === "" || rest.length + more.length > 0
      ? ["name one HostedCluster as namespace/name: clusters/tenant-a"]
      : [namespace, name].flatMap((part) => nameFaults(key, part))),
    ...(options.since !== undefined && since === undefined
      ? [`--since ${options.since}: write the generation of ovnkube-node before the change, a whole number`]
      : []),
    ...combinationFaults(options),
    ...[...nameFaults("--namespace", options.namespace), ...imageFaults(options.probeImage)],
    ...[...nameFaults("--multicast", options.multicast), ...routerFaults(options.egressRouter)],
    ...(timeout === undefined ? [`--timeout ${options.timeout ?? ""}: write whole seconds`] : []),
  ];
  if (faults.length > 0) throw new Unusable(faults.map((fault) => `hypershift-network verify: ${fault}`));
  return {
    namespace,
    name,
    timeout: timeout!,
    probes,
    flows,
    bootstrap,
    ...(since !== undefined && { since }),
    ...(options.multicast !== undefined && { multicast: options.multicast }),
    ...(options.egressRouter !== undefined && { egressRouter: routerOf(options.egressRouter) }),
  };
}

/** Options that exclude each other, and why. */
const COMBINATIONS: readonly (readonly [string, string, string])[] = [
  [
    "--flows",
    "--no-probes",
    "flows are tried from pods; leave out one of the two, or prove a plan with prove",
  ],
  ["--flows", "--bootstrap", "write one of the two"],
  ["--flows", "--since", "no roll-out is checked; leave out --since"],
  ...["--multicast", "--egress-router"].flatMap((target) => [
    [target, "--flows", "write one of the two"] as const,
    [target, "--bootstrap", "write one of the two"] as const,
    [target, "--since", "no roll-out is checked; leave out --since"] as const,
  ]),
  ["--multicast", "--no-probes", "multicast is tried from pods; leave out one of the two"],
  [
    "--multicast",
    "--namespace",
    "its pods are created in the namespace of --multicast; leave out --namespace",
  ],
  ["--egress-router", "--namespace", "its name already includes the namespace; leave out --namespace"],
];

function combinationFaults(options: Record<string, string | undefined>): string[] {
  const given: Readonly<Record<string, boolean>> = {
    "--flows": isOn(options.flows),
    "--bootstrap": isOn(options.bootstrap),
    "--no-probes": (options.probes as unknown) === false,
    "--since": options.since !== undefined,
    "--namespace": options.namespace !== undefined,
    "--multicast": options.multicast !== undefined,
    "--egress-router": options.egressRouter !== undefined,
  };
  return COMBINATIONS.flatMap(([one, other, why]) =>
    given[one] && given[other] ? [`${one} ${other}: ${why}`] : [],
  );
}

const ROUTER = "--egress-router";

function routerOf(key: string): RouterName {
  const [namespace = "", name = ""] = key.split("/");
  return { namespace, name };
}

function routerFaults(key: string | undefined): string[] {
  if (key === undefined) return [];
  const { namespace, name } = routerOf(key);
  if (key.split("/").length !== 2 || namespace === "" || name === "")
    return [`${ROUTER} ${key}: write namespace/name, such as shop/egress`];
  return [
    ...nameFaults(ROUTER, namespace),
    ...sentences(ROUTER, subdomainNameFaults({ path: ROUTER, value: name })),
  ];
}

const nameFaults = (flag: string, value: string | undefined): string[] =>
  value === undefined ? [] : sentences(flag, labelNameFaults({ path: flag, value }));

const sentences = (flag: string, faults: readonly Fault[]): string[] =>
  faults.map(({ problem, remedy }) => `${flag} ${problem}: ${remedy}`);

const imageFaults = (image: string | undefined): string[] =>
  image === undefined || /^\S+$/.test(image)
    ? []
    : [`--probe-image ${image}: write it as registry.example.com/name:tag`];

const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
