import { bootstrapSource } from "../../requirements/rows/ignition";
import { describeReference } from "../../requirements/documents";
import { readText } from "../../resources/read";
import { nodePoolsOf } from "../../gate/guestCluster";
import { flowsOpened } from "./firewalls";
import { Disruption, StepTarget, type Check } from "../runBook";
import { type Draft, keyOf, shell, type Transition, draftOf } from "../drafts";
import { type BootstrapCheck, bootstrapPhase } from "../../topology/bootstrapPhase";

const documents = [describeReference(bootstrapSource)];

/** Opens the ports before nodes join: if the wanted state opens them, or if a step creates nodes while they are closed. */
export function openBootstrap(transition: Transition, makesNodes: boolean): Draft[] {
  const { current, reachable } = transition;
  if (current.bootstrap || !(reachable.bootstrap || makesNodes)) return [];
  return [
    draftOf({
      id: "open-bootstrap",
      title: "Open the ports from which joining nodes fetch their configuration",
      place: StepTarget.Firewalls,
      disruption: Disruption.None,
      effect: "rules are added, and none is removed",
      facets: reachable.bootstrap ? ["bootstrap"] : [],
      actions: [
        reachable.bootstrap
          ? "Write `bootstrap: true` and apply it."
          : "Write `bootstrap: true` and apply it: a later step creates nodes, which could not join otherwise.",
      ],
      flows: joiningFlows(transition),
      settings: { bootstrap: true },
      verification: [
        {
          what: "a node that joins fetches its configuration: its NodePool has the condition ReachedIgnitionEndpoint",
          command: shell`oc get nodepools -n ${current.namespace}`,
        },
      ],
      wayBack: { text: "write `bootstrap: false` and apply it", patches: [] },
      documents,
    }),
  ];
}

/** Closes the ports after all nodes have joined. */
export function closeBootstrap(transition: Transition, makesNodes: boolean): Draft[] {
  const { current, reachable } = transition;
  if (reachable.bootstrap || !(current.bootstrap || makesNodes)) return [];
  return [
    draftOf({
      id: "close-bootstrap",
      title: "Close the ports from which joining nodes fetch their configuration",
      place: StepTarget.Firewalls,
      disruption: Disruption.Closes,
      effect: "existing nodes are not affected; no new node can join until the ports are open again",
      facets: ["bootstrap"],
      preChecks: safeToClose(transition),
      actions: ["Write `bootstrap: false` and apply it."],
      flows: joiningFlows(transition),
      settings: { bootstrap: false },
      verification: [
        {
          what: "no security group opens the ports: rule bootstrap-port-open",
          command:
            "pulumi preview --json --show-sames | hypershift-network check - --config hypershift-network.yaml",
        },
      ],
      wayBack: {
        text: "write `bootstrap: true` and apply it, also before each scale-up and anything else that creates nodes",
        patches: [],
      },
      documents,
    }),
  ];
}

const joiningFlows = ({ reachable }: Transition) =>
  flowsOpened({ ...reachable, bootstrap: false }, { ...reachable, bootstrap: true });

/** The unmet checks against closing ports that are currently open. If the ports are currently closed, steps open and close them again. */
export function againstClosing(transition: Transition): BootstrapCheck[] {
  const { current, reachable, change } = transition;
  const pools = nodePoolsIn(transition);
  if (!current.bootstrap || reachable.bootstrap || pools.length === 0) return [];
  return bootstrapPhase(pools, change.current.object).checks.filter(({ status }) => status === "unmet");
}

/** The result of the NodePools if the inputs contain them, and the command that checks the cluster. */
function safeToClose(transition: Transition): Check[] {
  const { current } = transition;
  const { object } = transition.change.current;
  const checks = bootstrapPhase(nodePoolsIn(transition), object).checks;
  const shown = nodePoolsIn(transition).length > 0;
  const reasons = checks.map(({ subject, expected, found, status }): Check => ({
    what: `${subject}: ${expected}${status === "met" ? "" : ` (${found})`}`,
    result: status,
  }));
  return [
    ...(shown ? reasons : []),
    {
      what: "every NodePool is ready, and none autoscales, replaces unhealthy nodes or upgrades by Replace",
      command: shell`hypershift-network verify ${keyOf(current)} --bootstrap`,
    },
  ];
}

/** The NodePools in the inputs, preferably of the current state, which has more of them. */
function nodePoolsIn({ current, change }: Transition) {
  const sides = [change.current, change.wanted].map(({ judged }) => nodePoolsOf(judged, current));
  return (sides.find((pools) => pools.length > 0) ?? []).map(({ resource }) => resource.properties);
}

/** Whether a change of release or configuration creates nodes: yes, unless all NodePools are known to upgrade in place. */
export function updatesMakeNodes(transition: Transition): boolean {
  const pools = nodePoolsIn(transition);
  return (
    pools.length === 0 || pools.some((pool) => readText(pool, "spec.management.upgradeType") !== "InPlace")
  );
}
