import { ALL_PLATFORMS } from "../../src/requirements/requirement";
import { EndpointAccess, Platform, PublishingType, Service } from "../../src/requirements/vocabulary";
import {
  defaultEndpointAccess,
  defaultPublishing,
  endpointAccessModes,
} from "../../src/requirements/platforms";
import {
  needsHostname,
  publishingRefusal,
  publishingRefusals,
  supportedPublishing,
} from "../../src/requirements/publishing";

/** The supported strategies of each service with the platform's default access. R = Route, N = NodePort, L = LoadBalancer. */
const supported: Readonly<
  Record<Platform, readonly [api: string, oauth: string, konnectivity: string, ignition: string]>
> = {
  [Platform.AWS]: ["RL", "R", "R", "R"],
  [Platform.Azure]: ["RNL", "RL", "R", "R"],
  [Platform.GCP]: ["RL", "RN", "RNL", "RN"],
  [Platform.IBMCloud]: ["RNL", "RN", "RNL", "RN"],
  [Platform.PowerVS]: ["RNL", "RN", "RNL", "RN"],
  [Platform.KubeVirt]: ["RNL", "RN", "RNL", "RN"],
  [Platform.OpenStack]: ["RNL", "RN", "RNL", "RN"],
  [Platform.Agent]: ["RNL", "RN", "RNL", "RN"],
  [Platform.None]: ["RNL", "RN", "RNL", "RN"],
};
const services = [Service.APIServer, Service.OAuthServer, Service.Konnectivity, Service.Ignition];

describe.each(ALL_PLATFORMS)("M2 on %s", (platform) => {
  const access = defaultEndpointAccess(platform);

  test.each(services.map((service, column) => [service, supported[platform][column]!] as const))(
    "%s can be published only by %s",
    (service, letters) => {
      const types = supportedPublishing(platform, access, service);
      expect(types.map((type) => type[0]).join("")).toBe(letters);
      for (const type of Object.values(PublishingType))
        expect(publishingRefusal(platform, access, service, type) === undefined).toBe(types.includes(type));
    },
  );

  test("the default strategies are supported", () => {
    for (const service of services) {
      const type = defaultPublishing(platform, service === Service.APIServer);
      expect(supportedPublishing(platform, access, service)).toContain(type);
    }
  });
});

test.each([Platform.Azure, Platform.GCP])(
  "M2 on %s the API server cannot be published by NodePort with private access",
  (platform) => {
    const api = (access: EndpointAccess) => supportedPublishing(platform, access, Service.APIServer);
    expect(api(EndpointAccess.Private)).toEqual([PublishingType.Route, PublishingType.LoadBalancer]);
    expect(api(EndpointAccess.PublicAndPrivate)).toContain(PublishingType.NodePort);
  },
);

test("M2 by default, Agent and None publish by NodePort, others by Route and LoadBalancer for the API server", () => {
  for (const platform of ALL_PLATFORMS) {
    const byNodePort = platform === Platform.Agent || platform === Platform.None;
    const [route, balancer] = byNodePort
      ? [PublishingType.NodePort, PublishingType.NodePort]
      : [PublishingType.Route, PublishingType.LoadBalancer];
    expect(defaultPublishing(platform, false)).toBe(route);
    expect(defaultPublishing(platform, true)).toBe(balancer);
  }
});

test.each([
  [EndpointAccess.Public, true],
  [EndpointAccess.PublicAndPrivate, true],
  [EndpointAccess.Private, false],
])("on AWS with %s access the API server's Route needs a host name: %s", (access, needed) => {
  expect(needsHostname(Platform.AWS, access, Service.APIServer, PublishingType.Route)).toBe(needed);
  expect(needsHostname(Platform.AWS, access, Service.Ignition, PublishingType.Route)).toBe(false);
  expect(needsHostname(Platform.AWS, access, Service.APIServer, PublishingType.LoadBalancer)).toBe(false);
});

test("the refusal of NodePort with private access names the private endpoint", () => {
  const refused = (access: EndpointAccess) =>
    publishingRefusal(Platform.GCP, access, Service.APIServer, PublishingType.NodePort);
  expect(refused(EndpointAccess.Private)?.reason).toMatch(/private endpoint/);
  expect(refused(EndpointAccess.PublicAndPrivate)).toBeUndefined();
});

test("only AWS, Azure and GCP have a choice of endpoint access, GCP without Public", () => {
  const modes = ALL_PLATFORMS.map((platform) => [platform, endpointAccessModes(platform).length]);
  expect(modes.filter(([, count]) => count !== 0)).toEqual([
    [Platform.AWS, 3],
    [Platform.Azure, 3],
    [Platform.GCP, 2],
  ]);
  expect(endpointAccessModes(Platform.GCP)).not.toContain(EndpointAccess.Public);
});

test("every refusal has a reason and documents", () => {
  for (const { reason, documents } of publishingRefusals) {
    expect(reason).not.toBe("");
    expect(documents.length).toBeGreaterThan(0);
  }
});
