import type { LiveCheck } from "../../cluster/liveCheck";
import { absent, attachmentCheck, objectCheck } from "./objectChecks";
import { interfaceCheck, podCheck } from "./podChecks";
import type { RouterState } from "./routerState";

/** What a moment says of an egress router, from its objects to its second interface. */
export function routerChecks(state: RouterState): LiveCheck[] {
  if (!state.router && !state.attachment) return [absent(state)];
  const { router } = state;
  return [
    ...(router ? [objectCheck(state, router)] : []),
    attachmentCheck(state),
    podCheck(state),
    interfaceCheck(state),
  ];
}
