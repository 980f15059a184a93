import { shownText } from "../../objects/places";
import { podRule } from "./podRule";

/** A container beside a hosted control plane that takes a port of its node. */
export const podHostPort = podRule({
  id: "pod-host-port",
  why: "A port of the node is reached around the network policies of the namespace, and one pod of a node can have it.",
  remediation: "Take hostPort out; a Service makes the port reachable.",
  ofContainer: ["ports[].hostPort"],
  check: ({ value }) =>
    value === 0 || value === "0"
      ? undefined
      : {
          message: `the container takes port ${shownText(value)} of its node`,
          fix: "take it out; a Service makes the port reachable",
        },
});
