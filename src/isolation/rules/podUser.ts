import { podConstraints } from "../../requirements/podIsolation";
import { UNKNOWN } from "../../resources/resource";
import { podRule, type PodFault } from "./podRule";
import { Level } from "../../gate/rule";

const { allocatedBy: KEY = "" } = podConstraints.find(({ id }) => id === "pod-user")!;
const FIX = "leave runAsUser out: OpenShift takes a user id out of the namespace's range";

/** A pod beside a hosted control plane that runs as a user of its own choice. */
export const podUser = podRule({
  id: "pod-user",
  why: `User ids keep the files of hosted control planes apart on a node. A stated user id is held against the range in the namespace's annotation ${KEY}, where the stack has it.`,
  remediation: "Leave runAsUser out.",
  level: Level.Warning,
  ofPod: ["securityContext.runAsUser"],
  ofContainer: ["securityContext.runAsUser"],
  check: ({ value }, { annotation }) => {
    if (value === 0) return { message: "the processes run as root", fix: FIX };
    const range = annotation(KEY);
    return range === undefined || range === UNKNOWN || typeof value !== "number"
      ? openFault()
      : outside(value, range);
  },
});

const openFault = (): PodFault => ({
  message: "whether it lies in the range of user ids of the namespace",
  fix: FIX,
  isOpen: true,
});

/** `1000680000/10000` is a first user id and how many there are. */
function outside(user: number, range: string): PodFault | undefined {
  const [, first, count] = /^(\d+)\/(\d+)$/.exec(range) ?? [];
  if (first === undefined || count === undefined) return openFault();
  const last = Number(first) + Number(count) - 1;
  if (user >= Number(first) && user <= last) return undefined;
  return { message: `${user} lies outside the namespace's user ids ${first} to ${last}`, fix: FIX };
}
