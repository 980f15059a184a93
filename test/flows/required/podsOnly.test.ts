import { podsOnlyAmong, requiredFlows } from "../../../src/flows/required/requiredFlows";
import { machines, normal, published } from "../../topology/topologies";

const podsOnly = (raw: object) => {
  const flows = requiredFlows(normal({ ...machines, ...raw }));
  return flows.filter(podsOnlyAmong(flows)).map(({ key }) => key);
};

test("pod ports are for network policies only, unless load balancers target the same port of hosts", () => {
  const aws = { endpointAccess: "Private", services: published.Route };
  const ports = ["capi-health", "private-router-http", "private-router-https"];
  expect(podsOnly(aws)).toEqual(["ignition-server", ...ports]);
  expect(podsOnly({ ...aws, loadBalancerTargets: "instance" })).toEqual(["ignition-server", ...ports]);
  expect(podsOnly({ ...aws, loadBalancerTargets: "ip" })).toEqual(["ignition-server", ...ports.slice(0, 2)]);
  // Services with a node port need it open on the hosts.
  expect(podsOnly({ platform: "None", services: published.NodePort })).toEqual([]);
});
