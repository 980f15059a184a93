import { CLUSTER, CONFIG, FAIL_ON, formatted, LIVE, NO_CONFIG, type OptionSpec, STATE } from "./options";
import type { Terminal } from "./terminal";

/** The function that runs a command: paths and options in, exit status out. */
export type Loaded = (
  paths: string[],
  options: Record<string, string | undefined>,
  terminal: Terminal,
) => Promise<number> | number;

/** One command. */
export interface CommandSpec {
  name: string;
  summary: string;
  description: string;
  arguments?: { name: string; description: string };
  options: readonly OptionSpec[];
  examples: readonly string[];
  load: () => Loaded;
}

const CONFIGURED = [CONFIG, NO_CONFIG];

const PATHS =
  "files or folders: output of pulumi preview --json or pulumi stack export, or Kubernetes manifests in YAML or JSON; - reads standard input";

/* eslint-disable @typescript-eslint/no-require-imports -- an import would load every command with this file */
export const commands: readonly CommandSpec[] = [
  {
    name: "check",
    summary: "check previews, stacks, manifests and running clusters against every rule",
    description:
      "Checks plans and manifests against every rule. --live adds the objects of a running cluster, without its Secrets; --ec2 adds what the EC2 API returns. Both are read-only.\n\nExit status: 0 if nothing reaches the level of --fail-on, 1 if something does, 2 if the input cannot be judged.",
    arguments: { name: "[path...]", description: PATHS },
    options: [
      ...CONFIGURED,
      ...LIVE,
      STATE,
      formatted("format of the report", "text", "json", "sarif", "junit", "markdown", "github"),
      FAIL_ON,
      {
        flags: "--group-by <key>",
        description: "how to group the findings of text reports",
        choices: ["rule", "resource"],
        default: "rule",
      },
      {
        flags: "--map",
        description:
          "after the findings, print the addresses, host names and node ports of all hosted clusters, and which of them collide once the clusters are connected; text and markdown only",
      },
      {
        flags: "--certificate <file>",
        description:
          "check a certificate of proved flows against the plan instead of applying the rules; text and json only",
      },
    ],
    examples: [
      "pulumi preview --json --show-sames | hypershift-network check -",
      "hypershift-network check plan.json --state state.json",
      "hypershift-network check manifests/ --config hypershift-network.yaml --fail-on warning",
      "helm template chart | hypershift-network check - --format github",
      "hypershift-network check plan.json --format sarif > findings.sarif",
      "hypershift-network check fleet/ --map   # every cluster of a fleet, and which of them collide",
      "hypershift-network check plan.json --certificate certificate.json -c hypershift-network.yaml",
      "hypershift-network check --live --kubeconfig management.kubeconfig --config hypershift-network.yaml",
      "hypershift-network check --ec2 --region eu-west-1 --vpc vpc-0a1b2c3d --config hypershift-network.yaml",
    ],
    load: () => (require("./checkCommand") as typeof import("./checkCommand")).checkCommand,
  },
  {
    name: "flows",
    summary: "print the flows that hosted clusters need",
    description:
      "Prints which hosts must reach which hosts on which ports, and the document that says so, for every hosted cluster in the configuration and the paths.",
    arguments: { name: "[path...]", description: PATHS },
    options: [...CONFIGURED, CLUSTER, formatted("format of the flows", "text", "json", "markdown")],
    examples: [
      "hypershift-network flows --config hypershift-network.yaml",
      "hypershift-network flows hostedcluster.yaml --format markdown",
      "hypershift-network flows plan.json --cluster tenant-a --format json",
    ],
    load: () => (require("./flowsCommand") as typeof import("./flowsCommand")).flowsCommand,
  },
  {
    name: "plan",
    summary: "print an address plan, the steps of a change, or the ranges of a fleet",
    description:
      "Prints the address ranges of hosted clusters: machine, cluster and service networks, the ranges that OpenShift and OVN-Kubernetes use by default, now and in later releases, networks around the cluster, and VPCs of a plan. It shows their sizes and what fits into them, what overlaps, and the largest free blocks.\n\n--change and --live compare the wanted state, which is the configuration and the paths, with the current state, which is in files or in the management cluster. They print a run book: which properties a running cluster can change and which are immutable, and the steps in order, each with its disruption, the checks before and after it, the patch and the rollback. Nothing is written to a cluster.\n\n--fleet allocates ranges for many hosted clusters from pools, around the ranges that the paths, a running cluster or EC2 use. It reports what does not fit and why, and how many more clusters fit. Clusters keep the ranges that the ledger holds for them: a folder with one file for each cluster, to which only --write adds.\n\nExit status: 0 if all is well; 1 with --fleet if something does not fit or collides, and with --change or --live if a new cluster is needed, something blocks the change or a value is unknown; 2 if the input cannot be read.",
    arguments: { name: "[path...]", description: PATHS },
    options: [
      ...CONFIGURED,
      {
        flags: "--change <current>",
        description:
          "the current state: a configuration, a HostedCluster manifest, or a folder, preview or stack export that contains it",
      },
      {
        flags: "--fleet <file>",
        description: "a fleet: address pools, and the hosted clusters that get ranges from them",
      },
      {
        flags: "--write",
        description:
          "with --fleet: add a file to the ledger for each new cluster, unless something does not fit",
      },
      ...LIVE,
      CLUSTER,
      formatted("format of the plan", "text", "json", "markdown"),
    ],
    examples: [
      "hypershift-network plan   # with the hypershift-network.yaml in this folder",
      "hypershift-network plan hostedcluster.yaml --format markdown",
      "pulumi preview --json --show-sames | hypershift-network plan - --format json",
      "oc get hostedcluster tenant-a -n clusters -o yaml > current.yaml   # the current state",
      "hypershift-network plan --config wanted.yaml --change current.yaml --format markdown > run-book.md",
      "hypershift-network plan manifests/ --config hypershift-network.yaml --change current.yaml",
      "hypershift-network plan --config wanted.yaml --live --kubeconfig management.kubeconfig   # the running cluster instead of --change",
      "hypershift-network plan --fleet fleet.yaml   # ranges for every cluster of a fleet",
      "hypershift-network plan manifests/ --fleet fleet.yaml --write   # around existing ranges, and recorded in the ledger",
    ],
    load: () => (require("./planCommand") as typeof import("./planCommand")).planCommand,
  },
  {
    name: "report",
    summary: "write findings, flows and addresses to one HTML page",
    description:
      "Checks plans and manifests as check does, and writes one self-contained HTML page: findings, every documented flow with its verdict, what is open without need, and the address plan. For several hosted clusters it also shows a map of all of them and which ranges collide once they are connected. The page contains no secrets.\n\nExit status: 0 if the page is written, 2 if the input cannot be judged.",
    arguments: { name: "<path...>", description: PATHS },
    options: [
      ...CONFIGURED,
      STATE,
      {
        flags: "-o, --out <file>",
        description: "the page to write; - writes to standard output",
      },
    ],
    examples: [
      "hypershift-network report plan.json --out report.html",
      "pulumi preview --json --show-sames | hypershift-network report - --config hypershift-network.yaml --out report.html",
    ],
    load: () => (require("./reportCommand") as typeof import("./reportCommand")).reportCommand,
  },
  {
    name: "prove",
    summary: "prove that a plan allows every documented flow",
    description:
      "Shows for every hosted cluster of a plan which documented flows are proved along their whole path, which are dropped and by what, with the rule that fixes it, which are unknown, and what is open without need. What no plan can show is listed at the end.\n\nExit status: 0 if nothing reaches --fail-on, 1 if something does or if the plan proves nothing and contains nothing of the cluster, 2 if the input cannot be judged.",
    arguments: { name: "[path...]", description: PATHS },
    options: [
      ...CONFIGURED,
      CLUSTER,
      ...LIVE,
      formatted("format of the output", "text", "json", "markdown"),
      FAIL_ON,
    ],
    examples: [
      "pulumi preview --json --show-sames | hypershift-network prove - --config hypershift-network.yaml",
      "hypershift-network prove plan.json --cluster tenant-a --format json",
      "hypershift-network prove manifests/ --fail-on excess",
      "hypershift-network prove --live --config hypershift-network.yaml",
    ],
    load: () => (require("./proveCommand") as typeof import("./proveCommand")).proveCommand,
  },
  {
    name: "diff",
    summary: "print what a change opens and closes",
    description:
      "Compares two plans of the same hosted clusters, or a plan with a running cluster (--live) or an AWS account (--ec2). Prints which packets can pass that could not before, and which no longer can. --live also compares the network objects of the plan with those in the cluster: values that differ, such as proxy settings and ranges, and objects that are missing there.\n\nExit status: 0 unless --fail-on is set, 1 if a change reaches --fail-on, 2 if the input cannot be judged.",
    arguments: {
      name: "<plan...>",
      description:
        "the old plan and the new plan, or one plan to compare with --live or --ec2; accepts the inputs of check",
    },
    options: [
      ...CONFIGURED,
      CLUSTER,
      ...LIVE,
      formatted("format of the difference", "text", "json", "markdown"),
      {
        flags: "--fail-on <change>",
        description:
          "exit with status 1 for: opened, if packets can pass that could not before; unknown, also for unknown values; changed, also if something closes, a documented flow is newly dropped or no longer dropped, or with --live a value differs",
        choices: ["opened", "unknown", "changed"],
      },
    ],
    examples: [
      "hypershift-network diff state.json plan.json",
      "hypershift-network diff old/ new/ --config hypershift-network.yaml --fail-on opened",
      "hypershift-network diff manifests/ --live --config hypershift-network.yaml --fail-on changed   # drift",
      "hypershift-network diff state.json --ec2 --config hypershift-network.yaml",
    ],
    load: () => (require("./diffCommand") as typeof import("./diffCommand")).diffCommand,
  },
  {
    name: "explain",
    summary: "explain a port, packets, an address, a service, a rule or a resource",
    description:
      "Explains packets, addresses, services, topics, rules, and resources of a plan: the requirements behind them, their documents, and where upstream differs. For an address it lists every range that contains it and where that is stated. Topics cover what the documents require other than ports: ipsec, proxy, selinux.\n\nExit status: 0 if explained, 1 if no requirement needs these packets, no range contains the address or the resource filters nothing in front of the cluster, 2 if the argument is none of these or the input cannot be read.",
    arguments: {
      name: "<what...>",
      description:
        "a port, packets, an address or CIDR block, a service, a topic, the id of a rule, `rules` for the list of all, or a resource by name, URN or Name tag; followed by the files of the plan for questions about one",
    },
    options: [...CONFIGURED, CLUSTER, formatted("format of the explanation", "text", "json")],
    examples: [
      "hypershift-network explain 6443",
      'hypershift-network explain "10.0.0.5 -> 10.1.0.9, TCP 443" --config hypershift-network.yaml',
      "hypershift-network explain 10.132.0.7 plan.json",
      "hypershift-network explain kubelet",
      "hypershift-network explain ipsec",
      "hypershift-network explain port-missing",
      "hypershift-network explain rules",
      "hypershift-network explain tenant-a-control-plane plan.json",
    ],
    load: () => (require("./explainCommand") as typeof import("./explainCommand")).explainCommand,
  },
  {
    name: "certificate",
    summary: "write the rules that prove each flow",
    description:
      "Proves the documented flows of a hosted cluster in a plan, and writes each proved flow with the rules that allow it. check --certificate checks that file against a plan without using the engine that proved it.\n\nExit status: 0 if the file is written, 2 if nothing is proved or the input cannot be judged.",
    arguments: {
      name: "<file...>",
      description:
        "the file to write (- writes to standard output), then the plan; accepts the inputs of check",
    },
    options: [...CONFIGURED, { ...CLUSTER, description: "the hosted cluster: name or namespace/name" }],
    examples: [
      "hypershift-network certificate certificate.json plan.json --cluster tenant-a",
      "hypershift-network check plan.json --certificate certificate.json -c hypershift-network.yaml",
    ],
    load: () => (require("./proveCommand") as typeof import("./proveCommand")).certificateCommand,
  },
  {
    name: "verify",
    summary: "verify a running hosted cluster: subnets, flows, multicast, egress routers",
    description:
      "Reads the management cluster and the hosted cluster to see whether a change of the internal subnets has arrived: in the HostedCluster, the Network operator, the roll-out of ovnkube-node, and the nodes. It waits for changes in progress. Then it creates two pods on two nodes, a Service and a Job in the hosted cluster to show that pods and Services reach each other, and removes them at the end.\n\nFour options verify something else instead of the subnets. --flows tests what workers must reach. --multicast and --egress-router, separately or together, run the documented verification of each. --bootstrap reads the NodePools once to see whether you can close the ports from which joining nodes fetch their configuration.\n\nExit status: 0 if verified, 1 if not, 2 if a cluster cannot be read.",
    arguments: { name: "<hosted-cluster...>", description: "the HostedCluster: namespace/name" },
    options: [
      {
        ...CONFIG,
        description:
          "file with the wanted subnets, and for --flows with what the cluster does not state; default: the file that check finds, or else what the HostedCluster states",
      },
      NO_CONFIG,
      {
        flags: "--management-kubeconfig <file>",
        description: "kubeconfig of the management cluster; default: KUBECONFIG, ~/.kube/config",
      },
      { flags: "--management-context <name>", description: "context in it; default: the current one" },
      {
        flags: "--hosted-kubeconfig <file>",
        description: "kubeconfig of the hosted cluster; default: the Secret that the HostedCluster names",
      },
      {
        flags: "--since <generation>",
        description:
          "metadata.generation of the DaemonSet ovnkube-node before the change: only a newer generation passes",
      },
      {
        flags: "--bootstrap",
        description:
          "verify that every node has joined and no node is added automatically, so that bootstrap: false is safe; reads only the management cluster",
      },
      {
        flags: "--timeout <seconds>",
        description: "how long to wait for changes in progress, and again for pods and for their requests",
        default: "300",
      },
      {
        flags: "--flows",
        description:
          "test the flows that workers need: API server, konnectivity, ignition, OAuth, DNS, proxy, registry",
      },
      {
        flags: "--multicast <namespace>",
        description:
          "verify that a pod in this namespace receives what another pod sends to a multicast group",
      },
      {
        flags: "--egress-router <namespace/name>",
        description:
          "verify that the pod of this egress router is ready and that its second interface has the reserved address; creates nothing",
      },
      {
        flags: "--no-probes",
        description: "create no pods, Service or Job in the hosted cluster",
      },
      {
        flags: "--namespace <name>",
        description:
          "namespace for the pods; default: hypershift-network-verify, which is created if it does not exist, and then removed at the end",
      },
      {
        flags: "--probe-image <image>",
        description: "image with Python for the pods; default: registry.access.redhat.com/ubi9/python-312",
      },
      formatted("format of the output", "text", "json", "junit"),
    ],
    examples: [
      "oc get daemonset ovnkube-node -n openshift-ovn-kubernetes -o jsonpath={.metadata.generation}   # before the change",
      "hypershift-network verify clusters/tenant-a --since 3",
      "hypershift-network verify clusters/tenant-a -c hypershift-network.yaml --format junit > verify.xml",
      "hypershift-network verify clusters/tenant-a --bootstrap   # before bootstrap: false",
      "hypershift-network verify clusters/tenant-a --flows",
      "hypershift-network verify clusters/tenant-a --multicast shop --egress-router shop/egress",
    ],
    load: () => (require("./verifyCommand") as typeof import("./verifyCommand")).verifyCommand,
  },
  {
    name: "schema",
    summary: "print the JSON Schema of the configuration",
    description: "Prints the JSON Schema of hypershift-network.yaml, for editors and other tools.",
    options: [],
    examples: [
      "hypershift-network schema > hypershift-network.schema.json",
      "# first line of hypershift-network.yaml:",
      "# yaml-language-server: $schema=hypershift-network.schema.json",
    ],
    load: () =>
      (require("./configurationCommands") as typeof import("./configurationCommands")).schemaCommand,
  },
  {
    name: "policy-config",
    summary: "print the configuration of the policy pack",
    description:
      "Prints the input of pulumi preview --policy-pack-config: the levels of a configuration file as JSON keyed by rule, and the path of that file.",
    options: CONFIGURED,
    examples: [
      "hypershift-network policy-config --config hypershift-network.yaml > policy-config.json",
      "pulumi preview --policy-pack node_modules/hypershift-network/policy --policy-pack-config policy-config.json",
    ],
    load: () =>
      (require("./configurationCommands") as typeof import("./configurationCommands")).policyConfigCommand,
  },
];
