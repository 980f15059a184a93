/** One option of a command. */
export interface OptionSpec {
  flags: string;
  description: string;
  choices?: readonly string[];
  default?: string;
  /** Whether an environment variable can set it too. */
  fromEnvironment?: true;
}

/** The variable that names the configuration file, the same as for the policy pack. */
export const CONFIGURATION_VARIABLE = "HYPERSHIFT_NETWORK_CONFIG";

/** The option for the configuration file. */
export const CONFIG: OptionSpec = {
  flags: "-c, --config <file>",
  description:
    "file with hosted clusters, levels of rules and exemptions; default: hypershift-network.yaml or .yml in the working folder, or in a folder above it in the same repository",
  fromEnvironment: true,
};

export const NO_CONFIG: OptionSpec = {
  flags: "--no-config",
  description: "use no configuration, even if the environment or a folder has one",
};

export const CLUSTER: OptionSpec = {
  flags: "--cluster <name>",
  description: "only this hosted cluster: name or namespace/name",
};

/** The same verdicts for each command that judges flows. */
export const FAIL_ON: OptionSpec = {
  flags: "--fail-on <verdict>",
  description:
    "exit with status 1 for: refuted, dropped flows and other errors; excess, also rules that open more than is needed and other warnings; unknown, also what is unknown; assumed, also flows that depend on filters of other owners; note, errors, warnings and notes; error and warning are older names of refuted and excess",
  choices: ["refuted", "excess", "unknown", "assumed", "note", "error", "warning"],
  default: "refuted",
};

/** The output format; the first format is the default. */
export const formatted = (description: string, ...choices: readonly [string, ...string[]]): OptionSpec => ({
  flags: "-f, --format <format>",
  description,
  choices,
  default: choices[0],
});

/** Running systems to read, instead of files or in addition to them. */
export const LIVE: readonly OptionSpec[] = [
  {
    flags: "--live",
    description:
      "read a running cluster: a management cluster with its hosted control planes, or a hosted cluster",
  },
  {
    flags: "--kubeconfig <file>",
    description: "kubeconfig of that cluster; default: KUBECONFIG, ~/.kube/config",
  },
  { flags: "--context <name>", description: "context in the kubeconfig; default: the current one" },
  {
    flags: "--ec2",
    description:
      "read the EC2 API, with or without --live: security groups, network ACLs, prefix lists, VPCs, subnets, routes, peerings, transit gateways, VPNs",
  },
  { flags: "--region <name>", description: "region of EC2; default: from the environment or the profile" },
  {
    flags: "--vpc <ids>",
    description: "only these VPCs, separated by commas; default: all VPCs of the region",
  },
];

export const STATE: OptionSpec = {
  flags: "-s, --state <export>",
  description: "stack export with the unchanged resources that a preview omits",
};
