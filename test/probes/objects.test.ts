import {
  IpFamily,
  RequestKind,
  trafficRequests,
  probeJob,
  probeService,
  serverNames,
  serverPod,
} from "../../src/probes/objects";
import { multicastRequests, receiverJob, senderPod } from "../../src/probes/multicast";
import { ProbeManager } from "../../src/probes/frame";
import { expectGolden } from "../objects/golden";

const frame = {
  name: "tenant-a-1a2b3c4d",
  namespace: "verify",
  manager: ProbeManager.Component,
  image: "registry.example.com/python",
};
const requests = trafficRequests([
  {
    id: "pod-to-pod/one",
    addresses: ["10.132.0.9", "fd01::9"],
    port: 8080,
    answers: ["tenant-a-1a2b3c4d-one"],
  },
  { id: "pod-to-service", addresses: [], port: 80, answers: [...serverNames(frame.name)] },
]);

/** The scripts have their own tests. */
const withoutScripts = (object: object) =>
  JSON.stringify(object, (key, value: unknown) => (key === "command" ? ["python3", "-c", "..."] : value), 2);

test("M7 the objects of a probe match the golden file", () => {
  const { name } = frame;
  const objects = [
    ...serverNames(name).map((pod) => serverPod(frame, pod, 600)),
    probeService(frame),
    probeJob(
      { ...frame, imagePullSecret: "registry", nodeSelector: { pool: "a" } },
      { requests, timeoutSeconds: 300, asNode: true },
    ),
  ];
  expectGolden("manifests/probes.json", `[${objects.map(withoutScripts).join(",\n")}]\n`);
});

test("M18 the objects of the multicast verification match the golden file", () => {
  const families = [IpFamily.IPv4, IpFamily.IPv6];
  const own = { ...frame, name: "verify-1a2b", manager: ProbeManager.Command };
  const objects = [senderPod(own, families, 660), receiverJob(own, multicastRequests(own, families), 300)];
  expectGolden("manifests/multicastProbes.json", `[${objects.map(withoutScripts).join(",\n")}]\n`);
});

/** (Pod Security Standards, Restricted) */
test("M7 every pod meets the Pod Security Standard restricted", () => {
  const job = probeJob(frame, { requests: [], timeoutSeconds: 300 });
  const specs = [
    serverPod(frame, "one").spec,
    senderPod(frame, [IpFamily.IPv4], 60).spec,
    job.spec.template.spec,
  ];
  for (const { securityContext, containers, ...spec } of specs) {
    expect(securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
    expect(Object.keys(spec).filter((key) => key.startsWith("host"))).toEqual([]);
    for (const container of containers)
      expect(container.securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        capabilities: { drop: ["ALL"] },
      });
  }
});

test.each([
  ["both families that the pod has", ["10.132.0.9", "fd01::9"], undefined, ["IPv4", "IPv6"]],
  ["one family", ["fd01::9"], undefined, ["IPv6"]],
  ["IPv4 if it has no address", [], undefined, ["IPv4"]],
])("a target is requested by %s", (_, addresses, families, expected) => {
  const asked = trafficRequests([{ id: "x", addresses, port: 80, answers: ["one"] }], families);
  expect(asked.map(({ id }) => id)).toEqual(expected.map((family) => `x/${family}`));
  expect(asked.map(({ address }) => address)).toEqual(addresses.length > 0 ? addresses : [undefined]);
  expect(new Set(asked.map(({ kind }) => kind))).toEqual(new Set([RequestKind.Http]));
});

test("several pods of a Job are spread over nodes, and report without failing the Job", () => {
  const { completions, parallelism, template } = probeJob(frame, {
    requests,
    timeoutSeconds: 300,
    pods: 2,
  }).spec;
  expect([completions, parallelism]).toEqual([2, 2]);
  expect(template.spec.topologySpreadConstraints).toMatchObject([{ topologyKey: "kubernetes.io/hostname" }]);
  expect(template.spec.containers[0]!.env).toContainEqual({ name: "DECIDES", value: "no" });
});
