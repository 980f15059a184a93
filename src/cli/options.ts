/** One option of a command. */
export interface OptionSpec {
  flags: string;
  description: string;
  choices?: readonly string[];
  default?: string;
  /** Whether the environment may say it, too. */
  fromEnvironment?: true;
}

/** What decides, beside the paths. */
export const CONFIG: OptionSpec = {
  flags: "-c, --config <file>",
  description:
    "hosted clusters, levels of rules and exemptions; default: hypershift-network.yaml of the working folder, or of one above it in the repository",
  fromEnvironment: true,
};

export const NO_CONFIG: OptionSpec = {
  flags: "--no-config",
  description: "no configuration, whatever the environment names and the folders hold",
};

export const CLUSTER: OptionSpec = {
  flags: "--cluster <name>",
  description: "only one hosted cluster: its name, or namespace/name",
};

/** The same words in each command that judges flows. */
export const FAIL_ON: OptionSpec = {
  flags: "--fail-on <verdict>",
  description:
    "what makes the exit status 1: flows that are dropped, and other errors; rules too that open more than is needed, and other warnings; what is unknown too; what depends on filters of others too. note: errors, warnings and notes. error and warning are older words for the first two",
  choices: ["refuted", "excess", "unknown", "assumed", "note", "error", "warning"],
  default: "refuted",
};

/** How something is written; the first format is the usual one. */
export const formatted = (description: string, ...choices: readonly [string, ...string[]]): OptionSpec => ({
  flags: "-f, --format <format>",
  description,
  choices,
  default: choices[0],
});

/** What runs, in the place of files or beside them. */
export const LIVE: readonly OptionSpec[] = [
  {
    flags: "--live",
    description:
      "read a running cluster: a management cluster with its hosted control planes, or a hosted cluster",
  },
  { flags: "--kubeconfig <file>", description: "of that cluster; default: KUBECONFIG, ~/.kube/config" },
  { flags: "--context <name>", description: "a context in it; default: the current one" },
  {
    flags: "--ec2",
    description:
      "read the EC2 API, by itself or beside --live: security groups, network ACLs, prefix lists, VPCs, subnets, routes, peerings, transit gateways, VPNs",
  },
  { flags: "--region <name>", description: "of EC2; default: that of the environment or the profile" },
  {
    flags: "--vpc <ids>",
    description: "only these VPCs, with commas between them; default: all of the region",
  },
];

export const STATE: OptionSpec = {
  flags: "-s, --state <export>",
  description: "stack export with the unchanged resources that a preview leaves out",
};
