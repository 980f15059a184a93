import { serviceProperty } from "../../src/requirements/publishedServices";
import { ALL_PLATFORMS } from "../../src/requirements/requirement";
import { EndpointAccess, Platform, PublishingType, Service } from "../../src/requirements/vocabulary";
import { supportedPublishing } from "../../src/requirements/publishing";
import { defaultEndpointAccess } from "../../src/requirements/platforms";
import { faultsOf, normal } from "./topologies";

const cases = ALL_PLATFORMS.flatMap((platform) =>
  Object.values(Service).flatMap((service) =>
    Object.values(PublishingType).map((type) => ({
      platform,
      service,
      type,
      allowed: supportedPublishing(platform, defaultEndpointAccess(platform), service).includes(type),
    })),
  ),
);

test.each(cases.filter(({ allowed }) => allowed))(
  "M2 $platform publishes $service by $type",
  ({ platform, service, type }) => {
    const hostname = type === PublishingType.Route ? { hostname: "service.example.com" } : {};
    const topology = normal({ platform, services: { [serviceProperty[service]]: { type, ...hostname } } });
    expect(topology.services[service].type).toBe(type);
  },
);

test.each(cases.filter(({ allowed }) => !allowed))(
  "M2 $platform refuses $service by $type, and names a supported strategy",
  ({ platform, service, type }) => {
    const faults = faultsOf({ platform, services: { [serviceProperty[service]]: { type } } });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(
      `topology.services.${serviceProperty[service]}.type  ${type} is refused on ${platform}`,
    );
    expect(faults[0]).toMatch(/: write (Route|NodePort)/);
  },
);

test("M2 all refused services are reported at once", () => {
  const type = PublishingType.NodePort;
  const services = { apiServer: { type }, oauthServer: { type }, konnectivity: { type }, ignition: { type } };
  expect(faultsOf({ services }).map((line) => line.split("  ")[0])).toEqual([
    "topology.services.apiServer.type",
    "topology.services.oauthServer.type",
    "topology.services.konnectivity.type",
    "topology.services.ignition.type",
  ]);
});

describe("node ports", () => {
  const api = (nodePort: unknown, type = "NodePort") =>
    faultsOf({ platform: "None", services: { apiServer: { type, nodePort } } });

  test.each([30000, 31091, 32767])("%p can be pinned", (nodePort) => {
    expect(api(nodePort)).toEqual([]);
  });

  test.each([29999, 32768, 0, 6443, "31091", 31091.5, NaN])("%p cannot be pinned", (nodePort) => {
    expect(api(nodePort)).toEqual([expect.stringContaining("write a whole number from 30000 to 32767")]);
  });

  test("are refused with a strategy other than NodePort", () => {
    expect(api(31091, "LoadBalancer")).toEqual([expect.stringContaining("LoadBalancer has no node port")]);
  });

  test("must differ between services", () => {
    const services = {
      apiServer: { type: "NodePort", nodePort: 31000 },
      ignition: { type: "NodePort", nodePort: 31000 },
    };
    expect(faultsOf({ platform: "None", services })).toEqual([
      expect.stringContaining("topology.services.ignition.nodePort  31000 is already used by APIServer"),
    ]);
  });
});

describe("the address of a node port", () => {
  const api = (address: unknown, type = "NodePort") =>
    faultsOf({ platform: "None", services: { apiServer: { type, address } } });

  test.each(["nodes.example.com", "localhost", "192.0.2.10", "2001:db8::10"])("%s is valid", (address) => {
    expect(api(address)).toEqual([]);
  });

  test.each(["nodes", "", "192.0.2.10:6443", "192.0.2.0/24", "https://nodes.example.com", "-a.example.com"])(
    "%p is refused",
    (address) => {
      expect(api(address)).toEqual([expect.stringContaining("is neither a host name nor an IP address")]);
    },
  );

  test("is refused with a strategy other than NodePort", () => {
    expect(api("192.0.2.10", "LoadBalancer")).toEqual([
      expect.stringContaining("LoadBalancer has no node-port address"),
    ]);
  });
});

describe("host names", () => {
  const oauth = (hostname: string, type = "Route") =>
    faultsOf({ platform: "Azure", services: { oauthServer: { type, hostname } } });

  test.each(["oauth.example.com", "o-1.a.b.example"])("%s is valid", (hostname) => {
    expect(oauth(hostname)).toEqual([]);
    expect(oauth(hostname, "LoadBalancer")).toEqual([]);
  });

  test.each([
    "oauth",
    "",
    "https://oauth.example.com",
    "oauth.example.com:443",
    "10.0.0.1",
    `${"a".repeat(250)}.com`,
  ])("%s is refused", (hostname) => {
    expect(oauth(hostname)).toEqual([expect.stringContaining("is not a host name")]);
  });

  test("are refused with NodePort", () => {
    const services = { apiServer: { type: "NodePort", hostname: "api.example.com" } };
    expect(faultsOf({ platform: "None", services })).toEqual([
      expect.stringContaining("NodePort has no host name"),
    ]);
  });

  test("must differ between services, regardless of case", () => {
    const route = { type: "Route", hostname: "a.example.com" };
    expect(faultsOf({ services: { konnectivity: route, ignition: route } })).toEqual([
      expect.stringContaining("is already used by Konnectivity"),
    ]);
    const capital = { type: "Route", hostname: "A.example.com" };
    expect(faultsOf({ services: { konnectivity: route, ignition: capital } })).toEqual([
      expect.stringContaining("A.example.com is already used by Konnectivity"),
    ]);
    const other = { type: "Route", hostname: "B.example.com" };
    expect(faultsOf({ services: { konnectivity: route, ignition: other } })).toEqual([]);
  });
});

describe("M2 with an invalid platform or access", () => {
  const services = {
    konnectivity: { type: PublishingType.NodePort },
    ignition: { type: PublishingType.LoadBalancer },
  };
  const refused = (topology: object) =>
    faultsOf({ services, ...topology }).filter((line) => line.includes("is refused on"));

  test("refuses a strategy that every platform refuses", () => {
    expect(refused({ platform: "Foo" })).toEqual([
      "topology.services.ignition.type  LoadBalancer is refused on every platform: HyperShift publishes Ignition by Route or NodePort only: write Route or NodePort",
    ]);
  });

  test("refuses a strategy that the platform refuses with every access", () => {
    expect(refused({ platform: Platform.AWS, endpointAccess: "Everybody" })).toHaveLength(2);
    expect(refused({ platform: Platform.KubeVirt, endpointAccess: "Public" })).toHaveLength(1);
  });

  test("does not refuse a strategy that some access allows", () => {
    const apiServer = { type: PublishingType.NodePort };
    const azure = { platform: Platform.Azure, services: { apiServer } };
    expect(refused({ ...azure, endpointAccess: "Everybody" })).toEqual([]);
    expect(refused({ ...azure, endpointAccess: EndpointAccess.Private })).toHaveLength(1);
  });

  test("does not report defaults of a platform as the user's input", () => {
    const oauthServer = { hostname: "oauth.example.com" };
    expect(faultsOf({ platform: "Foo", services: { oauthServer } })).toHaveLength(1);
  });
});
