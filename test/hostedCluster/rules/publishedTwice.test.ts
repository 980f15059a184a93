import { publishedTwice } from "../../../src/hostedCluster/rules/publishing";
import { UNKNOWN, type PropertyValue } from "../../../src/resources/resource";
import { hostedCluster, violations } from "../../rules/builders";

const cluster = (name: string, strategy: PropertyValue) =>
  hostedCluster(
    {
      platform: { type: "None" },
      services: [
        { service: "APIServer", servicePublishingStrategy: strategy },
        ...["OAuthServer", "Konnectivity", "Ignition"].map((service) => ({
          service,
          servicePublishingStrategy: { type: "Route" },
        })),
      ],
    },
    name,
  );
const found = (...strategies: PropertyValue[]) =>
  violations(
    publishedTwice,
    strategies.map((strategy, at) => cluster(`tenant-${at}`, strategy)),
  ).map(({ message }) => message);
const named = (hostname: PropertyValue): PropertyValue => ({
  type: "LoadBalancer",
  loadBalancer: { hostname },
});
const pinned = (address: string, port: PropertyValue): PropertyValue => ({
  type: "NodePort",
  nodePort: { address, port },
});

test("a host name belongs to one hosted cluster", () => {
  expect(found(named("api.example.com"), named("api.example.com"))).toEqual([
    "host name api.example.com is that of the API server of clusters/tenant-0, and of a service of clusters/tenant-1",
    "host name api.example.com is that of the API server of clusters/tenant-1, and of a service of clusters/tenant-0",
  ]);
  expect(found(named("a.example.com"), named("b.example.com"))).toEqual([]);
  expect(found(named(UNKNOWN), named(UNKNOWN))).toEqual([]);
});

test("names that differ only in capital letters are one, and are shown as they are written", () => {
  expect(found(named("API.example.com"), named("api.example.com"))).toEqual([
    "host name API.example.com is that of the API server of clusters/tenant-0, and of a service of clusters/tenant-1",
    "host name api.example.com is that of the API server of clusters/tenant-1, and of a service of clusters/tenant-0",
  ]);
  expect(found(named("API.example.com"), named("b.example.com"))).toEqual([]);
});

test("a node port that is pinned at an address belongs to one hosted cluster", () => {
  expect(found(pinned("192.0.2.1", 30443), pinned("192.0.2.1", 30443))).toHaveLength(2);
  expect(found(pinned("192.0.2.1", 30443), pinned("192.0.2.2", 30443))).toEqual([]);
  expect(found(pinned("192.0.2.1", 30443), pinned("192.0.2.1", 30444))).toEqual([]);
  expect(found(pinned("192.0.2.1", 0), pinned("192.0.2.1", 0))).toEqual([]);
});

test("many clusters at one place are named by a few", () => {
  const [first] = found(...Array.from({ length: 9 }, () => named("api.example.com")));
  expect(first).toMatch(/tenant-1, clusters\/tenant-2, clusters\/tenant-3 and 5 more$/);
});

test("the place is that of the service in the list", () => {
  const [finding] = violations(
    publishedTwice,
    ["a", "b"].map((name) => cluster(name, pinned("192.0.2.1", 30443))),
  );
  expect(finding?.path).toBe("spec.services[0].servicePublishingStrategy.nodePort.port");
});
