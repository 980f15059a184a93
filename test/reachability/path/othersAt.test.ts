import { othersAt } from "../../../src/reachability/path/duty";
import { Direction, Role } from "../../../src/requirements/vocabulary";
import type { NormalizedTopology } from "../../../src/topology/normalizedTopology";
import { published } from "../../topology/topologies";
import { pinned, said } from "./clusters";
import { describePackets } from "../shown";

/** What security groups of others allow, clause by clause. */
const passed = (topology: NormalizedTopology, role: Role, direction: Direction, isRead = false) =>
  Object.fromEntries(
    othersAt(topology, role, direction, isRead).map(({ by, filter }) => [
      by.id,
      filter.clauses.map(({ path, sure }) => `${path} ${describePackets(sure).join("; ")}`),
    ]),
  );
const aws = said({ platform: "AWS" });
const { Ingress, Egress } = Direction;

describe("security groups of others", () => {
  test("guard workers on AWS with HyperShift's own rules", () => {
    const own = (position: number, packets: string, from = "10.0.0.0/16") =>
      `ingress[${position}] ${packets} from ${from} to 0.0.0.0/0`;
    expect(passed(aws, Role.Workers, Ingress)["hypershift-worker-group"]).toEqual([
      own(0, "UDP 4789"),
      own(1, "UDP 6081"),
      own(2, "UDP 500"),
      own(3, "UDP 4500"),
      own(4, "ESP"),
      own(5, "TCP 9000-9999"),
      own(6, "UDP 9000-9999"),
      own(7, "TCP 10250"),
      own(8, "TCP 30000-32767"),
      own(9, "UDP 30000-32767"),
      own(10, "ICMP"),
      own(11, "TCP 22"),
    ]);
    expect(passed(aws, Role.Workers, Egress)).toEqual({
      "hypershift-worker-group": [
        "egress[0] every protocol from 0.0.0.0/0 to 0.0.0.0/0; every protocol from ::/0 to ::/0",
      ],
    });
  });

  test("allow by their rules and deny the rest", () => {
    for (const { filter } of othersAt(aws, Role.Workers, Ingress, false)) {
      expect(filter.otherwise).toBe("deny");
      expect(new Set(filter.clauses.flatMap(({ actions }) => actions))).toEqual(new Set(["allow"]));
      expect(filter.clauses.flatMap(({ unknown }) => unknown)).toEqual([]);
    }
  });

  test.each<[string, NormalizedTopology, boolean]>([
    ["nodes have only the plan's group", said({ platform: "AWS", defaultWorkerRules: true }), false],
    ["the group is read", aws, true],
    ["the platform is not AWS", said({ platform: "OpenStack" }), false],
  ])("do not guard workers if %s", (_, topology, isRead) => {
    expect(passed(topology, Role.Workers, Ingress, isRead)).toEqual({});
  });

  test("guard endpoints for the machine network", () => {
    const topology = said({ platform: "AWS", endpointAccess: "Private" });
    expect(passed(topology, Role.PrivateEndpoint, Ingress)).toEqual({
      "hypershift-endpoint-group": [
        "ingress[0] TCP 443 from 10.0.0.0/16 to 0.0.0.0/0",
        "ingress[1] TCP 6443 from 10.0.0.0/16 to 0.0.0.0/0",
      ],
    });
  });

  test.each<[string, object, string[]]>([
    [
      "load balancers lead to node ports",
      { services: published.Route },
      ["installer-node-groups", "cloud-controller-node-ports"],
    ],
    [
      "load balancers lead to pods",
      { services: published.Route, loadBalancerTargets: "ip" },
      ["installer-node-groups"],
    ],
    ["there is no load balancer", { platform: "None", services: pinned }, ["installer-node-groups"]],
  ])("guard control-plane hosts if %s", (_, raw, ids) => {
    expect(Object.keys(passed(said({ platform: "OpenStack", ...raw }), Role.ControlPlane, Ingress))).toEqual(
      ids,
    );
  });

  test("allow all IPv4 sources, and no IPv6 sources if a cluster may have both families", () => {
    const nodePorts = (raw: object) =>
      passed(said({ platform: "OpenStack", services: published.Route, ...raw }), Role.ControlPlane, Ingress)[
        "cloud-controller-node-ports"
      ];
    const ipv4 = "ingress[0] TCP 30000-32767 from 0.0.0.0/0 to 0.0.0.0/0";
    expect(nodePorts({})?.join()).toContain(ipv4);
    const dual = nodePorts({ machineNetwork: [{ cidr: "10.0.0.0/16" }, { cidr: "fd00:10::/64" }] });
    expect(dual).toEqual([ipv4]);
    const single = said({ platform: "OpenStack", services: published.Route });
    const found = (unknown: string[]) =>
      passed({ ...single, unknown }, Role.ControlPlane, Ingress)["cloud-controller-node-ports"];
    for (const property of ["machineNetwork", "workerCidrs", "clusterNetwork"])
      expect(found([property])).toEqual([ipv4]);
    expect(found(["platform"])).toEqual([`${ipv4}; ${ipv4.replaceAll("0.0.0.0/0", "::/0").slice(11)}`]);
  });
});
