import { DROPPED_CAPABILITIES } from "../../requirements/podIsolation";
import { podRule } from "./podRule";

const ALL = "ALL";
const dropped: readonly string[] = [ALL, ...DROPPED_CAPABILITIES];

/** A container beside a hosted control plane that asks for a capability which all of them drop. */
export const podCapabilities = podRule({
  id: "pod-capabilities",
  why: `The security context constraint drops ${DROPPED_CAPABILITIES.join(", ")} in every container that says nothing; looked at is what containers add.`,
  remediation: "Take the capability out of add.",
  ofContainer: ["securityContext.capabilities.add[]"],
  check: ({ value }) => {
    if (typeof value !== "string")
      return {
        message: "is no text, and the API server refuses the pod",
        fix: "write the name of a capability",
      };
    const name = value.replace(/^CAP_/, "");
    return dropped.includes(name)
      ? { message: `the container adds the capability ${name}`, fix: "take it out of add" }
      : undefined;
  },
});
