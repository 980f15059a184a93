import { planGuards } from "../../../src/reachability/path/planGuards";
import { judgedJourneys } from "../../../src/reachability/path/judge";
import { JudgedResources } from "../../../src/gate/judgedResources";
import { readConfiguration } from "../../../src/gate/readConfiguration";
import { portMissing } from "../../../src/securityGroups/rules/portMissing";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import {
  group,
  hostedCluster,
  networking,
  tags,
  tcp,
  type Properties,
  violations,
} from "../../rules/builders";

const { configuration } = readConfiguration(
  {
    hostedClusters: [
      {
        name: "tenant-a",
        managementClusterCidrs: ["10.1.0.0/16"],
        loadBalancerSubnetCidrs: ["10.1.0.0/20"],
        dnsServerCidrs: ["10.1.0.2/32"],
        loadBalancerTargets: "ip",
      },
    ],
  },
  "c.yaml",
);
const cluster = hostedCluster({
  networking: networking("10.0.0.0/16"),
  platform: { type: "AWS", aws: { region: "eu-west-1", endpointAccess: "Private" } },
});
const everything = (more: Properties): Properties => ({ protocol: "-1", fromPort: 0, toPort: 0, ...more });
const OPEN = everything({ cidrBlocks: ["0.0.0.0/0"] });
const SELF = everything({ self: true });
const naming = (name: string) => everything({ securityGroups: [`sg-${name}`] });
const hosts = (name: string, role: string, rules: Partial<Record<"ingress" | "egress", PropertyValue>>) =>
  group(name, [OPEN], { id: `sg-${name}`, tags: tags(role), egress: [OPEN], ...rules });

/** What becomes of a flow, and whether `check` finds that a group of that name drops it. */
function verdicts(flow: string, changed: Resource): string {
  const open = ["control-plane", "workers", "private-endpoint"].map((role) => hosts(role, role, {}));
  const resources = [cluster, ...open.map((one) => (one.name === changed.name ? changed : one))];
  const { clusters, index, configuredGroups } = new JudgedResources(resources, configuration);
  const topology = clusters[0]!.topology!;
  const judged = judgedJourneys(
    index,
    topology,
    planGuards(index, topology, configuredGroups),
    configuredGroups,
  );
  const found = violations(portMissing, resources, configuration).filter((finding) =>
    finding.flow?.some((key) => key.includes(flow)),
  );
  return `${judged.find(({ journey }) => journey.key === flow)!.proof}, ${found.length > 0 ? "found" : "not found"}`;
}

describe("a rule that names a group is about hosts that have it, whatever their addresses", () => {
  const API = "workers-kube-apiserver";
  test.each<[string, string, Resource, string]>([
    [
      "workers at an endpoint that lets itself in",
      API,
      hosts("private-endpoint", "private-endpoint", { ingress: [SELF] }),
      "refuted",
    ],
    [
      "workers at an endpoint that lets them in",
      API,
      hosts("private-endpoint", "private-endpoint", { ingress: [naming("workers")] }),
      "assumed",
    ],
    [
      "workers that send to themselves",
      API,
      hosts("workers", "workers", { egress: [SELF, tcp(443, "0.0.0.0/0")] }),
      "refuted",
    ],
    [
      "workers that send to the control plane's hosts",
      API,
      hosts("workers", "workers", { egress: [naming("control-plane"), tcp(443, "0.0.0.0/0")] }),
      "refuted",
    ],
    [
      "workers that send to the endpoint",
      API,
      hosts("workers", "workers", { egress: [naming("private-endpoint"), tcp(443, "0.0.0.0/0")] }),
      "assumed",
    ],
    [
      "load balancers at hosts that let themselves in",
      API,
      hosts("control-plane", "control-plane", { ingress: [SELF] }),
      "refuted",
    ],
    [
      "load balancers at hosts that let their addresses in",
      API,
      hosts("control-plane", "control-plane", { ingress: [everything({ cidrBlocks: ["10.1.0.0/20"] })] }),
      "assumed",
    ],
    [
      "workers at a group that is not known",
      API,
      hosts("private-endpoint", "private-endpoint", { ingress: [everything({ securityGroups: [UNKNOWN] })] }),
      "unknown",
    ],
  ])("%s", (_, flow, changed, expected) => {
    expect(verdicts(flow, changed)).toBe(`${expected}, ${expected === "refuted" ? "found" : "not found"}`);
  });
});
