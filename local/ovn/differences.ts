import type { Manifest, PolicyPort } from "./manifests";
import type { Scene } from "./scene";

/** A case in which ovn-kubernetes deviates from the Kubernetes API, and how the reader decides. */
export interface Difference {
  readonly id: string;
  readonly ovnKubernetes: string;
  readonly reader: string;
  /** The ports that would mean what ovn-kubernetes makes of these. */
  readonly understood: (ports: readonly PolicyPort[]) => PolicyPort[];
}

const isNamed = ({ port }: PolicyPort): boolean => typeof port === "string";
const protocolOf = ({ protocol }: PolicyPort): string => protocol ?? "TCP";

/** Differences that the oracle's packets reveal. */
export const DIFFERENCES: readonly Difference[] = [
  {
    id: "named-port",
    ovnKubernetes: "a port by its name in a NetworkPolicy is every port of its protocol (issue 2117)",
    reader: "the port that the pod calls so, as the API says; unknown where the pods are not known",
    understood: (ports) => ports.map((port) => (isNamed(port) ? { protocol: protocolOf(port) } : port)),
  },
  {
    id: "numbers-win",
    ovnKubernetes: "an entry without a number adds nothing to entries of the same protocol that have one",
    reader: "every entry adds to the others, as the API says",
    understood: (ports) => {
      const numbered = new Set(ports.filter(({ port }) => typeof port === "number").map(protocolOf));
      return ports.filter((port) => typeof port.port === "number" || !numbered.has(protocolOf(port)));
    },
  },
];

/** The scene as ovn-kubernetes interprets it. */
export const understood = (scene: Scene, differences: readonly Difference[]): Scene => ({
  ...scene,
  objects: scene.objects.map((object) => differences.reduce(withPorts, object)),
});

function withPorts(object: Manifest, { understood: change }: Difference): Manifest {
  if (object.kind !== "NetworkPolicy") return object;
  const rules = <Rule extends { ports?: PolicyPort[] }>(all: readonly Rule[]) =>
    all.map((rule) => ({ ...rule, ...(rule.ports && { ports: change(rule.ports) }) }));
  const { ingress, egress } = object.spec;
  return {
    ...object,
    spec: {
      ...object.spec,
      ...(ingress && { ingress: rules(ingress) }),
      ...(egress && { egress: rules(egress) }),
    },
  };
}
