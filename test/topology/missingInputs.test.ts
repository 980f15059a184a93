import { UNKNOWN } from "../../src/resources/resource";
import { machines, normal } from "./topologies";
import { missingInputs } from "../../src/topology/missingInputs";

const missing = (raw: object) => missingInputs(normal(raw)).map(({ path }) => path.replace("topology.", ""));

const complete = {
  ...machines,
  loadBalancerTargets: "instance",
  loadBalancerSubnetCidrs: ["10.1.0.0/24"],
  workerNatCidrs: ["198.51.100.7/32"],
  externalClientCidrs: ["203.0.113.0/24"],
  managementClusterCidrs: ["10.1.0.0/16"],
  controlPlaneEndpointCidrs: ["192.0.2.0/24"],
  dnsServerCidrs: ["10.1.0.2/32"],
  registryCidrs: ["198.51.100.0/24"],
};

const pinned = {
  apiServer: { type: "NodePort", nodePort: 31001 },
  oauthServer: { type: "NodePort", nodePort: 31002 },
};

test("a complete topology has no missing inputs", () => {
  expect(missing(complete)).toEqual([]);
  expect(missing({ ...complete, endpointAccess: "PublicAndPrivate" })).toEqual([]);
});

test("all inputs that rules could use are missing in the minimal topology", () => {
  expect(missing({})).toEqual([
    "machineNetwork",
    "workerCidrs",
    "externalClientCidrs",
    "managementClusterCidrs",
    "dnsServerCidrs",
    "registryCidrs",
    "controlPlaneEndpointCidrs",
    "loadBalancerTargets",
    "workerNatCidrs",
  ]);
});

test.each([
  ["machineNetwork", {}],
  ["externalClientCidrs", {}],
  ["managementClusterCidrs", {}],
  ["dnsServerCidrs", {}],
  ["registryCidrs", {}],
  ["controlPlaneEndpointCidrs", { endpointAccess: "Public" }],
  ["loadBalancerTargets", {}],
  ["loadBalancerSubnetCidrs", { endpointAccess: "Private", services: { apiServer: { type: "Route" } } }],
  ["loadBalancerSubnetCidrs", { loadBalancerTargets: "ip" }],
  ["workerNatCidrs", { endpointAccess: "Public" }],
])("%s is missing if it is needed", (property, more) => {
  const workerCidrs = ["10.0.0.0/16"];
  expect(missing({ ...complete, workerCidrs, ...more, [property]: undefined })).toEqual([property]);
});

test.each([
  ["workerNatCidrs", { endpointAccess: "PublicAndPrivate" }],
  ["controlPlaneEndpointCidrs", { endpointAccess: "Private" }],
  ["loadBalancerTargets", { platform: "None", services: pinned }],
  ["loadBalancerSubnetCidrs", { endpointAccess: "Public" }],
  ["workerNatCidrs", { platform: "Agent", services: pinned }],
])("%s is not missing if it is not needed", (property, more) => {
  expect(missing({ ...complete, ...more, [property]: undefined })).toEqual([]);
});

test("unpinned node ports that users need are missing inputs", () => {
  const services = { oauthServer: { type: "NodePort", nodePort: 31002 } };
  expect(missing({ ...complete, platform: "None", services })).toEqual(["services.apiServer.nodePort"]);
  expect(missing({ ...complete, platform: "None", externalClientCidrs: undefined })).toEqual([
    "externalClientCidrs",
  ]);
});

test("unknown inputs are not missing", () => {
  expect(missing({ ...complete, dnsServerCidrs: UNKNOWN, machineNetwork: UNKNOWN })).toEqual([]);
});

test("each missing input has its path, a problem and a remedy", () => {
  for (const { path, problem, remedy } of missingInputs(normal({}), "hostedClusters[1]")) {
    expect(path).toMatch(/^hostedClusters\[1\]\./);
    expect(problem).toMatch(/^(missing|not pinned)/);
    expect(remedy).toMatch(/^(write|pin)/);
  }
});
