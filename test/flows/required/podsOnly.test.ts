import { podsOnlyAmong, requiredFlows } from "../../../src/flows/required/requiredFlows";
import { machines, normal, published } from "../../topology/topologies";

const podsOnly = (raw: object) => {
  const flows = requiredFlows(normal({ ...machines, ...raw }));
  return flows.filter(podsOnlyAmong(flows)).map(({ key }) => key);
};

test("ports of pods are for network policies alone, unless load balancers lead hosts to the same port", () => {
  const aws = { endpointAccess: "Private", services: published.Route };
  const ports = ["capi-health", "private-router-http", "private-router-https"];
  expect(podsOnly(aws)).toEqual(["ignition-server", ...ports]);
  expect(podsOnly({ ...aws, loadBalancerTargets: "instance" })).toEqual(["ignition-server", ...ports]);
  expect(podsOnly({ ...aws, loadBalancerTargets: "ip" })).toEqual(["ignition-server", ...ports.slice(0, 2)]);
  // A node port is opened for it where it has one.
  expect(podsOnly({ platform: "None", services: published.NodePort })).toEqual([]);
});
