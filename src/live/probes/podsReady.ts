import { LiveStatus, type LiveCheck } from "../../cluster/liveCheck";
import type { LiveCluster, LiveObject } from "../../cluster/liveCluster";
import { until, type Waiting } from "../../cluster/until";
import { pathOf } from "./place";
import { podState } from "./podState";

/** Seconds for which pods stay beyond the time of a run. */
const SPARE_SECONDS = 60;

/** Seconds after which pods end by themselves where nobody is left to remove them: one time-out for pods, one for what they ask. */
export const podDeadline = (timeoutSeconds: number): number => 2 * timeoutSeconds + SPARE_SECONDS;

/** What is judged of pods. */
export interface PodsQuestion {
  namespace: string;
  names: readonly string[];
  /** The check, from how far each pod is in words, and whether all are ready. */
  check: (words: readonly string[], isReady: boolean) => LiveCheck;
}

/** Waits until pods are ready, or never will be. */
export async function podsReady(
  cluster: LiveCluster,
  { namespace, names, check }: PodsQuestion,
  waiting: Waiting,
): Promise<{ check: LiveCheck; pods: LiveObject[] }> {
  let pods: LiveObject[] = [];
  let isHopeless = false;
  const seen = await until(
    async (): Promise<LiveCheck> => {
      const found = await Promise.all(
        names.map((name) => cluster.get(`${pathOf("pods", namespace)}/${name}`)),
      );
      const states = found.map(podState);
      pods = found.flatMap((pod) => (pod ? [pod] : []));
      isHopeless = states.some((state) => state.isHopeless);
      return check(
        states.map(({ words }) => words),
        states.every(({ isReady }) => isReady),
      );
    },
    waiting,
    () => isHopeless,
  );
  const timedOut = seen.status !== LiveStatus.Passed && !isHopeless;
  return { pods, check: timedOut ? { ...seen, found: `${seen.found}, when the time was over` } : seen };
}

/** What to do about pods that do not get ready. */
export function podFix(
  found: string,
  { namespace, image, unscheduled }: { namespace: string; image: string; unscheduled: string },
): string {
  if (found.includes("image"))
    return `name an image with --probe-image that the nodes can pull and that runs as any user: a copy of ${image} in your registry`;
  if (found.includes("not scheduled")) return unscheduled;
  return `look at them while they are there: oc get pods,events -n ${namespace}; or try a longer --timeout`;
}
