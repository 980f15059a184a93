import { requirements } from "../../../src/requirements/requirements";
import { Direction, Perspective, Protocol } from "../../../src/requirements/vocabulary";
import { UNKNOWN } from "../../../src/resources/resource";
import { portPublic } from "../../../src/securityGroups/rules/portPublic";
import {
  group,
  hostedCluster,
  services,
  tags,
  tcp,
  unknowns,
  violations,
  type Properties,
} from "../../rules/builders";

const everywhere: Properties = { cidrBlocks: ["0.0.0.0/0"] };
const found = (rule: Properties, role = "control-plane", cluster = hostedCluster()) =>
  violations(portPublic, [cluster, group("hosts", [rule], { tags: tags(role) })]);
const ranged = (protocol: string, fromPort: number, toPort: number, more: Properties = everywhere) => ({
  protocol,
  fromPort,
  toPort,
  ...more,
});

/** Ports that the requirements of nodes limit to certain sources. */
const ofNodes = requirements.flatMap(
  ({ id, direction, perspective, publicAllowed, openInFirewall, privateOnly, protocol, ports }) =>
    direction === Direction.Ingress &&
    perspective === Perspective.Worker &&
    publicAllowed === false &&
    openInFirewall &&
    !privateOnly &&
    ports
      ? [{ id, protocol, ports }]
      : [],
);

describe("port-public, ports that documents or upstream limit to certain sources", () => {
  test("the requirements of nodes include SSH and the kubelet", () => {
    expect(ofNodes.map(({ ports }) => ports.from)).toEqual(expect.arrayContaining([22, 10250, 6081, 9107]));
  });

  test.each(ofNodes)("$id must not be open to everybody at hosts of either role", ({ protocol, ports }) => {
    const name = protocol === Protocol.Udp ? "udp" : "tcp";
    for (const role of ["control-plane", "workers"]) {
      expect(found(ranged(name, ports.from, ports.to), role)).toHaveLength(1);
      expect(found(ranged(name, ports.to, ports.to), role)).toHaveLength(1);
      expect(found(ranged(name, ports.from, ports.to, { cidrBlocks: ["10.0.0.0/16"] }), role)).toEqual([]);
    }
  });

  test.each<[string, Properties]>([
    ["IPv6", ranged("tcp", 10250, 10250, { ipv6CidrBlocks: ["::/0"] })],
    ["a range around the port", ranged("tcp", 10000, 10300)],
    ["every protocol", ranged("-1", 0, 0)],
    ["every port", ranged("tcp", 0, 65535)],
    ["two halves", ranged("tcp", 22, 22, { cidrBlocks: ["0.0.0.0/1", "128.0.0.0/1"] })],
    ["a block too wide for one network", ranged("tcp", 22, 22, { cidrBlocks: ["64.0.0.0/2"] })],
    ["an IPv6 block too wide for one network", ranged("tcp", 22, 22, { ipv6CidrBlocks: ["2000::/3"] })],
  ])("reports a restricted port that control-plane hosts open with %s", (_, rule) =>
    expect(found(rule)).toHaveLength(1),
  );

  test.each<[string, Properties]>([
    ["a restricted port from a network", ranged("tcp", 22, 22, { cidrBlocks: ["10.0.0.0/8"] })],
    [
      "a restricted port from unique local addresses",
      ranged("tcp", 10250, 10250, { ipv6CidrBlocks: ["fd00::/8"] }),
    ],
    ["other ports", ranged("tcp", 23, 442)],
    ["another protocol", ranged("udp", 22, 22)],
    ["the port of the API server", ranged("tcp", 6443, 6443)],
    ["the port of Routes", ranged("tcp", 443, 443)],
    ["ESP, which has no ports", ranged("50", 0, 0)],
    ["ICMP", ranged("icmp", -1, -1)],
  ])("accepts at control-plane hosts: %s", (_, rule) => expect(found(rule)).toEqual([]));

  test("names the port, the allowed sources, and the fix", () => {
    expect(found(tcp(22, "0.0.0.0/0"))).toMatchObject([
      {
        level: "error",
        path: "ingress[0].cidrBlocks[0]",
        message: expect.stringMatching(
          /^control-plane hosts of clusters\/tenant-a are open to 0\.0\.0\.0\/0 at TCP 22\. /,
        ) as string,
        witness: "203.0.113.1 -> control-plane hosts, TCP 22",
        fix: "allow the addresses of the management cluster's nodes only, or remove the port",
        requirement: "up-aws-worker-ssh",
      },
    ]);
    expect(found(tcp(8091, "0.0.0.0/0"))).toMatchObject([
      { fix: "allow the workers 10.0.0.0/16 only, or remove the port" },
    ]);
  });

  test("summarizes a rule for every protocol or every port instead of listing its restricted ports", () => {
    expect(found(ranged("-1", 0, 0))).toMatchObject([
      {
        message: expect.stringContaining("are open to 0.0.0.0/0 at every port. ") as string,
        fix: expect.stringContaining("ports that documents limit are for the workers") as string,
      },
    ]);
    expect(found(ranged("tcp", 0, 65_535))).toMatchObject([
      { message: expect.stringContaining("are open to 0.0.0.0/0 at every TCP port. ") as string },
    ]);
    for (const rule of [ranged("tcp", 1, 65_535), ranged("tcp", 0, 65_534)])
      expect(found(rule)).toMatchObject([
        { message: expect.stringContaining("are open to 0.0.0.0/0 at TCP ") as string },
      ]);
  });

  test("reports a private endpoint that is open to everybody, but not to the machine network", () => {
    for (const port of [443, 6443]) {
      expect(found(tcp(port, "0.0.0.0/0"), "private-endpoint")).toHaveLength(1);
      expect(found(tcp(port, "10.0.0.0/16"), "private-endpoint")).toEqual([]);
    }
    expect(found(tcp(22, "0.0.0.0/0"), "private-endpoint")).toEqual([]);
    const pinned = services(
      Object.fromEntries(
        ["APIServer", "OAuthServer", "Konnectivity", "Ignition"].map((one) => [one, "NodePort"]),
      ),
    );
    const hosts = hostedCluster({ platform: { type: "None" }, services: pinned });
    expect(found(tcp(443, "0.0.0.0/0"), "control-plane", hosts)).toEqual([]);
  });

  test("workers may be open at 443, which is limited only at the private endpoint, but not at 6443", () => {
    expect(found(tcp(443, "0.0.0.0/0"), "workers")).toEqual([]);
    expect(found(tcp(6443, "0.0.0.0/0"), "workers")).toHaveLength(1);
  });

  test("reports an unknown source or port as unknown", () => {
    const counted = (rule: Properties) =>
      unknowns(portPublic, [hostedCluster(), group("hosts", [rule])]).map(({ path }) => path);
    expect(counted(ranged("tcp", 22, 22, { cidrBlocks: [UNKNOWN] }))).toEqual(["ingress[0].cidrBlocks[0]"]);
    expect(counted({ ...everywhere, protocol: "tcp", fromPort: UNKNOWN, toPort: 22 })).toEqual([
      "ingress[0].fromPort",
    ]);
    expect(counted(ranged("tcp", 443, 443, { cidrBlocks: [UNKNOWN] }))).toEqual([]);
  });
});

test("a finding names the opened ports, and what listens there on the cluster's platform", () => {
  const agent = hostedCluster({
    platform: { type: "Agent" },
    services: services({ APIServer: "NodePort", Ignition: "NodePort", Konnectivity: "NodePort" }),
  });
  expect(found(ranged("tcp", 31000, 31002), "control-plane", agent)).toMatchObject([
    {
      message: expect.stringContaining("open to 0.0.0.0/0 at TCP 31000-31002. ") as string,
      witness: "203.0.113.1 -> control-plane hosts, TCP 31000",
    },
  ]);
  expect(found(tcp(8443, "0.0.0.0/0"), "control-plane", agent)).toMatchObject([
    { requirement: expect.stringContaining("ignproxy") as string },
  ]);
  expect(found(tcp(8443, "0.0.0.0/0"))).toMatchObject([
    { requirement: expect.not.stringContaining("ignproxy") as string },
  ]);
});

describe("node ports", () => {
  const agent = (port?: number) =>
    hostedCluster({
      platform: { type: "Agent" },
      services: (services({ APIServer: "NodePort", Konnectivity: "NodePort" }) as Properties[]).map(
        (entry) =>
          entry.service === "APIServer" && port !== undefined
            ? {
                service: "APIServer",
                servicePublishingStrategy: { type: "NodePort", nodePort: { address: "192.0.2.10", port } },
              }
            : entry,
      ),
    });

  test("may be open to everybody only for services that users call", () => {
    expect(found(tcp(30443, "0.0.0.0/0"), "control-plane", agent(30443))).toEqual([]);
    expect(found(tcp(30444, "0.0.0.0/0"), "control-plane", agent(30443))).toHaveLength(1);
    expect(found(ranged("tcp", 30000, 32767), "control-plane", agent())).toHaveLength(1);
  });
});

describe("a finding about open ports", () => {
  const wide = (...rules: Properties[]) =>
    violations(portPublic, [hostedCluster(), group("hosts", rules, { tags: tags("workers") })]);
  const at = (from: number, to: number, block: string) => ranged("tcp", from, to, { cidrBlocks: [block] });

  test("adds up blocks only at the ports that all of them open", () => {
    expect(wide(at(30080, 30080, "10.0.0.0/8"), at(30443, 30443, "11.0.0.0/8"))).toEqual([]);
    const messages = wide(at(30080, 30090, "10.0.0.0/8"), at(30085, 30443, "11.0.0.0/8")).map(
      ({ message }) => message,
    );
    expect(messages).toHaveLength(2);
    for (const message of messages)
      expect(message).toContain("open to 10.0.0.0/7 at TCP 30085-30090, together");
  });

  test.each([
    ["icmp", 3, 4, "ICMP type 3 code 4"],
    ["icmp", -1, -1, "ICMP"],
    ["50", 0, 0, "ESP"],
  ])("names %s without ports: %i %i", (protocol, from, to, named) => {
    const [one] = wide(ranged(protocol, from, to));
    expect(one?.message).toContain(`open to 0.0.0.0/0 at ${named}.`);
    expect(one?.witness).toMatch(new RegExp(` -> workers, ${named}$`));
  });
});
