import { CLUSTER, CONFIG, FAIL_ON, formatted, LIVE, NO_CONFIG, type OptionSpec, STATE } from "./options";
import type { Terminal } from "./terminal";

/** What runs a command: the paths and options that were given in, the exit status out. */
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

const PATHS =
  "files or folders: what pulumi preview --json and pulumi stack export print, Kubernetes manifests as YAML or JSON; - is standard input";

/* eslint-disable @typescript-eslint/no-require-imports -- an import would load every command with this file */
export const commands: readonly CommandSpec[] = [
  {
    name: "check",
    summary: "judge previews, stacks, manifests and running clusters",
    description:
      "Judges plans and manifests by every rule, and what runs: with --live the objects of a cluster, Secrets not among them, with --ec2 what EC2 has. Both are only read.\n\nExit status: 0 nothing at or above the level of --fail-on, 1 findings, 2 the input cannot be judged.",
    arguments: { name: "[path...]", description: PATHS },
    options: [
      CONFIG,
      NO_CONFIG,
      ...LIVE,
      STATE,
      formatted("how the report is written", "text", "json", "sarif", "junit", "markdown", "github"),
      FAIL_ON,
      {
        flags: "--group-by <key>",
        description: "how the text is grouped",
        choices: ["rule", "resource"],
        default: "rule",
      },
      {
        flags: "--map",
        description:
          "print behind the findings where the addresses, host names and node ports of all hosted clusters are, and which collide once clusters are connected; as text or markdown",
      },
      {
        flags: "--certificate <file>",
        description:
          "hold a certificate of proved flows against the plan instead of judging it by rules; what it comes to is text or json",
      },
    ],
    examples: [
      "pulumi preview --json --show-sames | hypershift-network check -",
      "hypershift-network check plan.json --state state.json",
      "hypershift-network check manifests/ --config hypershift-network.yaml --fail-on warning",
      "helm template chart | hypershift-network check - --format github",
      "hypershift-network check plan.json --format sarif > findings.sarif",
      "hypershift-network check fleet/ --map   # every cluster of a fleet, and what they are to each other",
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
      "Prints who has to reach whom at which port, with the document that says so, for every hosted cluster of the configuration and of the paths.",
    arguments: { name: "[path...]", description: PATHS },
    options: [CONFIG, NO_CONFIG, CLUSTER, formatted("how the flows are written", "text", "json", "markdown")],
    examples: [
      "hypershift-network flows --config hypershift-network.yaml",
      "hypershift-network flows hostedcluster.yaml --format markdown",
      "hypershift-network flows plan.json --cluster tenant-a --format json",
    ],
    load: () => (require("./flowsCommand") as typeof import("./flowsCommand")).flowsCommand,
  },
  {
    name: "plan",
    summary: "print the address plan of hosted clusters or of a fleet, or the steps of a change",
    description:
      "Prints where the addresses of hosted clusters are: machine, cluster and service networks, what OpenShift and OVN-Kubernetes take by default and with a later release, networks around, VPCs of a plan; with sizes and what fits into them, what overlaps, and the largest free blocks.\n\nWith --change or --live it compares the configuration and the paths, which say what is wanted, with what is there, by files or in the management cluster, and prints a run book: which property a running cluster can change and which it has for life, and the ordered steps with what each costs, what to look at before and after, the patch and the way back. It writes to no cluster.\n\nWith --fleet it chooses the ranges of many hosted clusters out of pools, around those that the paths, a running cluster or EC2 show, and says what does not fit, why, and for how many more there is room. Clusters that have ranges keep them: in the ledger, a folder with one file for each cluster, which only --write fills.\n\nExit status: 0; with --fleet 1 where something does not fit or collides; with --change or --live 1 where a new cluster is needed, something stands against it or a value is not known; 2 the input cannot be read.",
    arguments: { name: "[path...]", description: PATHS },
    options: [
      CONFIG,
      NO_CONFIG,
      {
        flags: "--change <current>",
        description:
          "what the hosted clusters are now: a configuration, or a HostedCluster, folder, preview or stack export with them",
      },
      {
        flags: "--fleet <file>",
        description: "a fleet: pools of addresses, and hosted clusters that shall have ranges out of them",
      },
      {
        flags: "--write",
        description:
          "with --fleet: write a file into the ledger for each cluster that has none, unless something does not fit",
      },
      ...LIVE,
      CLUSTER,
      formatted("how the plan is written", "text", "json", "markdown"),
    ],
    examples: [
      "hypershift-network plan   # hypershift-network.yaml of this folder",
      "hypershift-network plan hostedcluster.yaml --format markdown",
      "pulumi preview --json --show-sames | hypershift-network plan - --format json",
      "hypershift-network plan --config wanted.yaml --change current.yaml --format markdown > run-book.md",
      "oc get hostedcluster tenant-a -n clusters -o yaml > current.yaml   # what is there",
      "hypershift-network plan manifests/ --config hypershift-network.yaml --change current.yaml",
      "hypershift-network plan --config wanted.yaml --live --kubeconfig management.kubeconfig   # what runs, in place of --change",
      "hypershift-network plan --fleet fleet.yaml   # ranges for every cluster of a fleet",
      "hypershift-network plan manifests/ --fleet fleet.yaml --write   # around what exists, and into the ledger",
    ],
    load: () => (require("./planCommand") as typeof import("./planCommand")).planCommand,
  },
  {
    name: "report",
    summary: "write findings, flows and addresses to one HTML page",
    description:
      "Judges plans and manifests by every rule, as check does, and writes one HTML page that needs nothing but itself: findings, every documented flow with its verdict, what is open without need, and the address plan; of several hosted clusters also which of their ranges collide once they are connected, and a map of all. Secrets are not in it.\n\nExit status: 0 the page is written, 2 the input cannot be judged.",
    arguments: { name: "<path...>", description: PATHS },
    options: [
      CONFIG,
      NO_CONFIG,
      STATE,
      {
        flags: "-o, --out <file>",
        description: "the page to write, which is not an input; - is standard output",
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
    summary: "prove that a plan lets every documented flow pass",
    description:
      "Answers for every hosted cluster of a plan: which documented flows are proved to pass on their whole way, which are dropped, by what and with which rule to add, which are unknown; and what is open without need. What no plan shows is listed at the end.\n\nExit status: 0, or 1 when something of --fail-on is found or nothing is proved, 2 the input cannot be judged.",
    arguments: { name: "[path...]", description: PATHS },
    options: [
      CONFIG,
      NO_CONFIG,
      CLUSTER,
      ...LIVE,
      formatted("how the answer is written", "text", "json", "markdown"),
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
    summary: "print what a new plan opens and closes",
    description:
      "Compares two plans of the same hosted clusters, or a plan with what runs (--live, --ec2): who can reach what that could not before, and what closes, as sets of packets. With --live also values that the plan states for network objects and that are others where they run, such as proxy settings and ranges, and planned objects that are not there.\n\nExit status: 0, or 1 by --fail-on, 2 the input cannot be judged.",
    arguments: {
      name: "<plan...>",
      description: "the old plan and the new one, or the plan to compare with what runs: any input of check",
    },
    options: [
      CONFIG,
      NO_CONFIG,
      CLUSTER,
      ...LIVE,
      formatted("how the difference is written", "text", "json", "markdown"),
      {
        flags: "--fail-on <change>",
        description:
          "what makes the exit status 1: packets that pass now; values too that are unknown; or whatever opens or closes, documented flows that begin or cease to be dropped, and with --live every other value",
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
    summary: "print why a port, a service, a rule or a resource is there",
    description:
      "Explains packets, addresses, services, topics, rules of the gate, and resources of a plan: the requirements behind them, their documents, and what upstream does differently; of an address every range that has it, and who states it. Topics are what documents state beside ports: ipsec, proxy, selinux.\n\nExit status: 0 explained, 1 no requirement asks for these packets, or nothing of the resource stands before the cluster, 2 a word that is not one of these, or input that cannot be read.",
    arguments: {
      name: "<what...>",
      description:
        "a port, packets, an address or CIDR block, a service, a topic, the id of a rule, or a resource by its name, its URN or its Name tag; then the files of a plan, if it is about one",
    },
    options: [CONFIG, NO_CONFIG, CLUSTER, formatted("how the explanation is written", "text", "json")],
    examples: [
      "hypershift-network explain 6443",
      'hypershift-network explain "10.0.0.5 -> 10.1.0.9, TCP 443" --config hypershift-network.yaml',
      "hypershift-network explain 10.132.0.7 plan.json",
      "hypershift-network explain kubelet",
      "hypershift-network explain ipsec",
      "hypershift-network explain port-missing",
      "hypershift-network explain tenant-a-control-plane plan.json",
    ],
    load: () => (require("./explainCommand") as typeof import("./explainCommand")).explainCommand,
  },
  {
    name: "certificate",
    summary: "write why every proved flow is open",
    description:
      "Proves the documented flows of a hosted cluster in a plan, and writes each proved one with the rules that let it pass: check --certificate holds that file against a plan without the engine that proved it.",
    arguments: {
      name: "<file...>",
      description:
        "the file to write, which is not an input (- is standard output), then the plan: any input of check",
    },
    options: [
      CONFIG,
      NO_CONFIG,
      { ...CLUSTER, description: "the hosted cluster: its name, or namespace/name" },
    ],
    examples: [
      "hypershift-network certificate certificate.json plan.json --cluster tenant-a",
      "hypershift-network check plan.json --certificate certificate.json -c hypershift-network.yaml",
    ],
    load: () => (require("./proveCommand") as typeof import("./proveCommand")).certificateCommand,
  },
  {
    name: "verify",
    summary: "verify internal subnets, flows, multicast and egress routers of a running hosted cluster",
    description:
      "Reads from the management cluster and the hosted cluster whether a change of the internal subnets has arrived: in the HostedCluster, in the Network operator, in the roll-out of ovnkube-node, at the nodes. Waits for what is on its way. Then two pods on two nodes, a Service and a Job in the hosted cluster show that pods and Services reach each other; they are removed at the end. With --flows they try what workers have to reach instead. With --multicast and --egress-router, separately or together, it verifies these instead, as their documents do. With --bootstrap it reads the NodePools instead, once: whether the ports can be closed at which joining nodes fetch their configuration.\n\nExit status: 0 verified, 1 not, 2 a cluster cannot be read.",
    arguments: { name: "<hosted-cluster...>", description: "the HostedCluster: namespace/name" },
    options: [
      {
        ...CONFIG,
        description:
          "the wanted subnets, and for --flows what the cluster does not say; default: that of the working folder, else what the HostedCluster says",
      },
      NO_CONFIG,
      {
        flags: "--management-kubeconfig <file>",
        description: "of the management cluster; default: KUBECONFIG, ~/.kube/config",
      },
      { flags: "--management-context <name>", description: "a context in it; default: the current one" },
      {
        flags: "--hosted-kubeconfig <file>",
        description: "of the hosted cluster; default: the Secret that the HostedCluster names",
      },
      {
        flags: "--since <generation>",
        description:
          "metadata.generation of the DaemonSet ovnkube-node before the change: only a newer one passes",
      },
      {
        flags: "--bootstrap",
        description:
          "whether every node has joined and none comes by itself, so that bootstrap: false is safe; asks only the management cluster",
      },
      {
        flags: "--timeout <seconds>",
        description:
          "how long is waited for what is on its way, and as long again for pods and for their requests",
        default: "300",
      },
      {
        flags: "--flows",
        description:
          "try the flows that workers need, in place of the subnets: API server, konnectivity, ignition, OAuth, DNS, proxy, registry",
      },
      {
        flags: "--multicast <namespace>",
        description:
          "in place of the subnets: whether a pod of that namespace receives what another one sends to a multicast group",
      },
      {
        flags: "--egress-router <namespace/name>",
        description:
          "in place of the subnets: whether the pod of that egress router is ready and has its second interface with the reserved address; only reads",
      },
      { flags: "--no-probes", description: "only read: no pods, Service and Job in the hosted cluster" },
      {
        flags: "--namespace <name>",
        description: "where they are made; default: one that is made for them and removed",
      },
      {
        flags: "--probe-image <image>",
        description: "an image with Python for them; default: registry.access.redhat.com/ubi9/python-312",
      },
      formatted("how the answer is written", "text", "json", "junit"),
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
      "Prints what pulumi preview --policy-pack-config takes: the levels of a configuration file as JSON keyed by rule, and where that file is.",
    options: [CONFIG, NO_CONFIG],
    examples: [
      "hypershift-network policy-config --config hypershift-network.yaml > policy-config.json",
      "pulumi preview --policy-pack node_modules/hypershift-network/policy --policy-pack-config policy-config.json",
    ],
    load: () =>
      (require("./configurationCommands") as typeof import("./configurationCommands")).policyConfigCommand,
  },
];
