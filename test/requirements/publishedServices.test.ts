import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../local/repository";
import { ALL_PLATFORMS } from "../../src/requirements/requirement";
import { PORT } from "../../src/requirements/ports";
import { Platform, PublishingType, Service } from "../../src/requirements/vocabulary";
import { requirementOf } from "../../src/requirements/requirements";
import { LISTENER, ROUTER, publishedService } from "../../src/requirements/publishedServices";
import { holds } from "../../src/flows/required/fromRow";
import { normalizeTopology } from "../../src/topology/normalizeTopology";

const { Azure, IBMCloud } = Platform;
const { APIServer, OAuthServer, Konnectivity, Ignition } = Service;

const without = (...platforms: Platform[]) => ALL_PLATFORMS.filter((one) => !platforms.includes(one));

/** The port of a service's load balancer, and the pods behind it, from the documents and HyperShift's code. */
test.each<[string, Service, readonly Platform[], balancer: number, pods: string[]]>([
  ["the API server on Azure", APIServer, [Azure], 7443, ["kube-apiserver 6443"]],
  ["the API server on IBM Cloud", APIServer, [IBMCloud], 2040, ["kube-apiserver 2040"]],
  ["the API server elsewhere", APIServer, without(Azure, IBMCloud), 6443, ["kube-apiserver 6443"]],
  ["OAuth", OAuthServer, without(), 443, ["oauth-openshift 6443"]],
  ["konnectivity", Konnectivity, without(), 8091, ["konnectivity-server 8091", "kube-apiserver 8091"]],
  ["ignition on IBM Cloud", Ignition, [IBMCloud], 443, ["ignition-server 9090"]],
  ["ignition elsewhere", Ignition, without(IBMCloud), 443, ["ignition-server-proxy 8443"]],
])("the ports of %s", (_, service, platforms, balancer, pods) => {
  for (const platform of platforms) {
    const published = publishedService(service, platform);
    expect(published.dialled).toEqual({ Route: 443, LoadBalancer: balancer });
    expect(published.pods.map(({ app, port }) => `${app} ${port}`)).toEqual(pods);
    expect(published.documents).not.toEqual([]);
  }
});

test("a service with contradicting documents has a note on the port that applies and why", () => {
  expect(publishedService(APIServer, Azure).note).toMatch(/6443.*7443.*status/);
  expect(publishedService(APIServer, IBMCloud).note).toMatch(/6443.*2040.*status/);
});

test.each(ALL_PLATFORMS)(
  "the load balancer of the API server on %s is at the documented port",
  (platform) => {
    const { topology } = normalizeTopology({
      name: "tenant-a",
      platform,
      services: { apiServer: { type: "LoadBalancer" } },
    });
    const rows = ["cp-in-kas", "cp-in-kas-azure", "cp-in-kas-ibm"].map(requirementOf);
    expect(rows.filter((row) => holds(row, topology!)).map(({ ports }) => ports?.from)).toEqual([
      publishedService(APIServer, platform).dialled[PublishingType.LoadBalancer],
    ]);
  },
);

test("rows with a pod port have the port at which the pods listen", () => {
  const rowPort = (id: string) => requirementOf(id).ports?.from;
  for (const service of [OAuthServer, Konnectivity, Ignition]) {
    const { podRow, pods } = publishedService(service, Platform.None);
    expect([service, rowPort(podRow)]).toEqual([service, pods[0].port]);
  }
  expect(rowPort("cp-in-ign-9090")).toBe(LISTENER.ignitionServer.port);
  expect(rowPort("cp-in-private-router-https")).toBe(ROUTER.own.port);
  expect(rowPort(ROUTER.management.podRow)).toBe(ROUTER.management.port);
  expect(rowPort("cp-in-private-router-http")).toBe(LISTENER.routerHttp.port);
});

/** The names in `PORT` of published services' ports, except 443, which has other uses, too. */
const published = (Object.keys(PORT) as (keyof typeof PORT)[]).filter(
  (name) =>
    /^(apiServer|oauth|konnectivity$|ignition|privateRouter)/.test(name) &&
    Object.values(LISTENER)
      .map(({ port }): number => port)
      .concat(PORT.apiServerAzure)
      .includes(PORT[name]),
);

/** The files that may use these ports: their definitions, the requirement rows, and the table of published services. */
const HOMES = /^src\/requirements\/(ports|publishedServices|rows\/\w+)\.ts$/;

const sources = ["src", "policy"].flatMap((folder) =>
  readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.includes("node_modules"))
    .map((name) => join(folder, name)),
);

test("no other source file uses a published service's port", () => {
  expect(published).toEqual([
    "apiServer",
    "apiServerAzure",
    "apiServerIbmCloud",
    "oauthPod",
    "konnectivity",
    "ignitionServer",
    "ignitionProxy",
    "privateRouterHttp",
    "privateRouterHttps",
  ]);
  const spelled = new RegExp(`\\bPORT\\.(${published.join("|")})\\b`);
  const spelling = sources.filter((file) => spelled.test(readFileSync(join(repositoryRoot, file), "utf8")));
  expect(spelling.filter((file) => !HOMES.test(file))).toEqual([]);
  expect(spelling).toContain("src/requirements/publishedServices.ts");
});

test("443 is used only in the same files, for URLs without a port, and for registries", () => {
  const OTHERWISE = ["src/live/flows/endpoints.ts", "src/topology/proxy/apiProxy.ts"];
  const spelling = sources.filter((file) =>
    /\bPORT\.https\b/.test(readFileSync(join(repositoryRoot, file), "utf8")),
  );
  expect(spelling.filter((file) => !HOMES.test(file)).sort()).toEqual(OTHERWISE);
});
