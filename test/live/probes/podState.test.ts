import { podFix, podState } from "../../../src/live/probes/pods";

const waiting = (reason: string, message?: string) => ({
  spec: { nodeName: "worker-0", containers: [{ image: "registry.example.com/python" }] },
  status: {
    phase: "Pending",
    containerStatuses: [{ state: { waiting: { reason, message: message ?? null } } }],
  },
});

test.each<[string, object | undefined, string, boolean]>([
  [
    "ready",
    { spec: { nodeName: "worker-0" }, status: { conditions: [{ type: "Ready", status: "True" }] } },
    "ready on worker-0",
    false,
  ],
  ["new", {}, "starting", false],
  ["being created", waiting("ContainerCreating"), "starting on worker-0: ContainerCreating", false],
  [
    "without a node",
    {
      status: {
        conditions: [
          {
            type: "PodScheduled",
            status: "False",
            reason: "Unschedulable",
            message: "0/1 nodes are available",
          },
        ],
      },
    },
    "not scheduled: 0/1 nodes are available",
    false,
  ],
  [
    "without its image",
    waiting("ImagePullBackOff", "Back-off pulling image"),
    "its image cannot be pulled on worker-0, registry.example.com/python: Back-off pulling image",
    false,
  ],
  [
    "of an image that runs as root",
    waiting("CreateContainerConfigError", "container has runAsNonRoot and image will run as root"),
    "its container cannot be created on worker-0, registry.example.com/python: container has runAsNonRoot and image will run as root",
    true,
  ],
  [
    "crashing",
    waiting("CrashLoopBackOff"),
    "its container keeps exiting on worker-0, registry.example.com/python",
    true,
  ],
  [
    "past its deadline",
    { status: { phase: "Failed", reason: "DeadlineExceeded", message: "Pod was active too long" } },
    "it ended: DeadlineExceeded: Pod was active too long",
    true,
  ],
  [
    "ended",
    {
      status: {
        phase: "Failed",
        containerStatuses: [{ state: { terminated: { message: "python3: not found" } } }],
      },
    },
    "it ended: python3: not found",
    true,
  ],
  ["removed", undefined, "it was removed", true],
])("podState describes a pod that is %s", (_, pod, words, isHopeless) => {
  expect(podState(pod as never)).toMatchObject({ words, isHopeless, isReady: words.startsWith("ready") });
});

test("the fix depends on what a pod lacks, not on words such as the name of its image", () => {
  const waitingFor = (reason: string) => ({
    spec: { containers: [{ image: "registry.example.com/image:1" }] },
    status: { containerStatuses: [{ state: { waiting: { reason } } }] },
  });
  const fixOf = (pod: object) =>
    podFix([podState(pod as never)], { namespace: "a", image: "b", unscheduled: "find it a node" });
  expect(fixOf(waitingFor("ImagePullBackOff"))).toContain("--probe-image");
  expect(fixOf(waitingFor("CrashLoopBackOff"))).toContain("oc get pods,events -n a");
  expect(fixOf({ status: { conditions: [{ type: "PodScheduled", status: "False" }] } })).toBe(
    "find it a node",
  );
});
