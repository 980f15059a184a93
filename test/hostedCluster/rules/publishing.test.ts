import { type PropertyValue, UNKNOWN } from "../../../src/resources/resource";
import { nodePortRange, publishingUnsupported } from "../../../src/hostedCluster/rules/publishing";
import {
  hostedCluster,
  type Properties,
  resource,
  services,
  unknowns,
  violations,
} from "../../rules/builders";

const agent = (ports: readonly number[]) =>
  hostedCluster({
    platform: { type: "Agent" },
    services: ["APIServer", "OAuthServer", "Konnectivity", "Ignition"].map((service, position) => ({
      service,
      servicePublishingStrategy: {
        type: "NodePort",
        nodePort: { address: "10.0.0.1", ...(ports[position] !== undefined && { port: ports[position] }) },
      },
    })),
  });

describe("publishing-unsupported", () => {
  it("refuses Ignition by LoadBalancer and Konnectivity by NodePort on AWS", () => {
    const cluster = hostedCluster({
      services: services({ APIServer: "LoadBalancer", Ignition: "LoadBalancer", Konnectivity: "NodePort" }),
    });
    const found = violations(publishingUnsupported, [cluster]);
    expect(found.map(({ path, message }) => `${path} ${message}`)).toEqual([
      expect.stringContaining(
        "spec.services[2].servicePublishingStrategy.type Konnectivity type: NodePort is refused on AWS",
      ),
      expect.stringContaining(
        "spec.services[3].servicePublishingStrategy.type Ignition type: LoadBalancer is refused on AWS",
      ),
    ]);
    for (const finding of found) expect(finding).toMatchObject({ resource: cluster.origin });
  });

  it("reports the path of the entry if a property is missing, and of the list if a service is", () => {
    const route = { service: "APIServer", servicePublishingStrategy: { type: "Route" } };
    const others = services({}) as PropertyValue[];
    const places = (...entries: PropertyValue[]) =>
      violations(publishingUnsupported, [
        hostedCluster({ platform: { type: "AWS", aws: { endpointAccess: "Public" } }, services: entries }),
      ]).map(({ path, message }) => `${path} ${message}`);
    expect(places(...others.slice(1), route)).toEqual([
      expect.stringMatching(/^spec\.services\[3\] APIServer hostname: missing/),
    ]);
    const missing = places(route, others[1]!, others[2]!, { service: "OIDC" });
    expect(missing).toContainEqual(expect.stringMatching(/^spec\.services does not state how Ignition/));
  });

  it("counts a host name that is not known yet, and does not call it missing", () => {
    const route = (hostname: PropertyValue): Properties => ({
      service: "APIServer",
      servicePublishingStrategy: { type: "Route", route: { hostname } },
    });
    const others = services({}) as PropertyValue[];
    const cluster = (hostname: PropertyValue) =>
      hostedCluster({
        platform: { type: "AWS", aws: { endpointAccess: "Public" } },
        services: [route(hostname), ...others.slice(1)],
      });
    expect(violations(publishingUnsupported, [cluster("api.example.com")])).toEqual([]);
    expect(violations(publishingUnsupported, [cluster(UNKNOWN)])).toEqual([]);
    expect(unknowns(publishingUnsupported, [cluster(UNKNOWN)])).not.toEqual([]);
  });

  it("reports the entry whose host name another entry uses with another strategy", () => {
    const named = (service: string, type: string, part: string): PropertyValue => ({
      service,
      servicePublishingStrategy: { type, [part]: { hostname: "a.example.com" } },
    });
    const found = violations(publishingUnsupported, [
      hostedCluster({
        services: [
          named("OAuthServer", "Route", "route"),
          ...(services({}) as PropertyValue[]).slice(2),
          named("APIServer", "LoadBalancer", "loadBalancer"),
        ],
      }),
    ]);
    expect(found).toMatchObject([
      {
        path: "spec.services[0].servicePublishingStrategy.route.hostname",
        message: "OAuthServer hostname: a.example.com is already used by APIServer",
      },
    ]);
  });

  describe("with a service listed twice, of which HyperShift reads the first entry,", () => {
    const entry = (service: PropertyValue, type: string): PropertyValue => ({
      service,
      servicePublishingStrategy: {
        type,
        ...(type === "NodePort" && { nodePort: { address: "10.0.0.1", port: 31000 } }),
      },
    });
    const listed = (type: string, ...entries: readonly PropertyValue[]) =>
      hostedCluster({
        platform: { type },
        services: [
          entry("APIServer", "LoadBalancer"),
          entry("Konnectivity", "Route"),
          entry("Ignition", "Route"),
          ...entries,
        ],
      });
    const oauth = (platform: string, ...types: readonly string[]) =>
      violations(publishingUnsupported, [
        listed(platform, ...types.map((type) => entry("OAuthServer", type))),
      ]);
    const twice = {
      level: "warning",
      path: "spec.services[4].service",
      message:
        '"OAuthServer" is also in spec.services[3], and HyperShift reads only the first entry of a service: this one has no effect',
    };

    it.each(["NodePort", "LoadBalancer", "None", "Route"])(
      "warns of a second entry of type %s at its path",
      (type) => {
        for (const platform of ["AWS", "Azure", "None"])
          expect(oauth(platform, "Route", type)).toMatchObject([twice]);
      },
    );

    it("judges the first entry", () => {
      expect(oauth("AWS", "NodePort", "Route")).toMatchObject([
        { message: expect.stringContaining("NodePort is refused on AWS") as string },
        twice,
      ]);
      const cluster = listed("None", entry("OAuthServer", "Route"), entry("APIServer", "NodePort"));
      const configuration = { network: { serviceNodePortRange: "30000-30100" } };
      const properties = cluster.properties as { spec: Properties };
      const spec = { ...properties.spec, configuration };
      expect(violations(nodePortRange, [{ ...cluster, properties: { ...properties, spec } }])).toEqual([]);
    });

    it("has no finding for services that are listed once or unknown", () => {
      expect(oauth("AWS", "Route")).toEqual([]);
      const open = listed("None", entry("OAuthServer", "Route"), entry(UNKNOWN, "Route"), UNKNOWN);
      expect(violations(publishingUnsupported, [open])).toEqual([]);
    });
  });

  it("accepts the strategies that the platform supports", () => {
    expect(violations(publishingUnsupported, [hostedCluster(), agent([])])).toEqual([]);
  });

  it("counts unknown services, refuses what no platform supports, and does not judge patches", () => {
    expect(unknowns(publishingUnsupported, [hostedCluster({ services: UNKNOWN })])).toMatchObject([
      { path: "spec.services" },
    ]);
    const anywhere = hostedCluster({
      platform: { type: UNKNOWN },
      services: services({ APIServer: "LoadBalancer", Ignition: "LoadBalancer" }),
    });
    expect(violations(publishingUnsupported, [anywhere])).toHaveLength(1);
    const patch = resource(`${hostedCluster().type}Patch`, "move", {
      metadata: { name: "tenant-a", namespace: "clusters" },
      spec: { release: { image: UNKNOWN } },
    });
    expect(violations(publishingUnsupported, [patch])).toEqual([]);
    expect(unknowns(publishingUnsupported, [patch])).toEqual([]);
  });
});

describe("an unknown value that publishing depends on", () => {
  const aws = (endpointAccess: PropertyValue): Properties => ({ type: "AWS", aws: { endpointAccess } });

  it.each<[string, Properties, readonly string[]]>([
    ["the platform", { platform: { type: UNKNOWN } }, ["spec.platform.type"]],
    ["access", { platform: aws(UNKNOWN) }, ["spec.platform.aws.endpointAccess"]],
    ["the services", { services: UNKNOWN }, ["spec.services"]],
    ["a host name", { kubeAPIServerDNSName: UNKNOWN }, ["spec.kubeAPIServerDNSName"]],
    ["nothing", {}, []],
  ])("is counted once: %s", (_, spec, paths) => {
    expect(unknowns(publishingUnsupported, [hostedCluster(spec)]).map(({ path }) => path)).toEqual(paths);
  });
});

describe("node-port-range", () => {
  it("is unknown for a port outside the default range while the configured range is unknown", () => {
    const { properties, ...cluster } = agent([20_001]);
    const network = { serviceNodePortRange: UNKNOWN as PropertyValue };
    const spec = { ...(properties.spec as Properties), configuration: { network } };
    expect(violations(nodePortRange, [agent([20_001])])).toHaveLength(1);
    const hidden = { ...cluster, properties: { ...properties, spec } };
    expect(violations(nodePortRange, [hidden])).toEqual([]);
    expect(unknowns(nodePortRange, [hidden])).not.toEqual([]);
  });

  it.each([
    [[30000, 30001, 30002, 32767], []],
    [[29999, 30001], ["APIServer nodePort: 29999 is not a node port"]],
    [[32768], ["APIServer nodePort: 32768 is not a node port"]],
    [[31000, 31000], ["OAuthServer nodePort: 31000 is already used by APIServer"]],
    [[0, 0], []],
  ])("judges %j", (ports, messages) => {
    const found = violations(nodePortRange, [agent(ports)]);
    expect(found.map(({ message }) => message)).toEqual(messages);
    for (const { path } of found)
      expect(path).toMatch(/^spec\.services\[[01]\]\.servicePublishingStrategy\.nodePort\.port$/);
  });

  it("counts an unknown port as unknown", () => {
    const cluster = hostedCluster({
      platform: { type: "Agent" },
      services: [
        {
          service: "APIServer",
          servicePublishingStrategy: { type: "NodePort", nodePort: { address: "10.0.0.1", port: UNKNOWN } },
        },
      ],
    });
    expect(violations(nodePortRange, [cluster])).toEqual([]);
    expect(unknowns(nodePortRange, [cluster])).toHaveLength(1);
  });
});
