import { hasOwnRouter, servedByManagementRouter } from "../../src/topology/publishing";
import { normal, published } from "./topologies";

/** Which routers serve routes of the control plane: the management cluster's, its own, or both. */
describe("the routers of a control plane", () => {
  const { Route, LoadBalancer } = published;
  test.each<[string, object, { management: boolean; own: boolean }]>([
    ["load balancers and routes", {}, { management: true, own: false }],
    ["the API server by Route with a host name", { services: Route }, { management: false, own: true }],
    [
      "the API server by Route without a host name",
      { platform: "Azure", services: { ...Route, apiServer: { type: "Route" } } },
      { management: true, own: false },
    ],
    [
      "a load balancer with a host name",
      { services: { apiServer: { type: "LoadBalancer", hostname: "api.example.com" } } },
      { management: true, own: false },
    ],
    ["private access", { endpointAccess: "Private" }, { management: false, own: true }],
    ["public and private access", { endpointAccess: "PublicAndPrivate" }, { management: true, own: true }],
    ["IBM Cloud", { platform: "IBMCloud", services: Route }, { management: true, own: false }],
    ["OpenStack", { platform: "OpenStack", services: LoadBalancer }, { management: true, own: false }],
    ["only node ports", { platform: "None" }, { management: false, own: false }],
  ])("are the management cluster's, its own, or both with %s", (_, raw, { management, own }) => {
    const topology = normal(raw);
    expect(servedByManagementRouter(topology)).toBe(management);
    expect(hasOwnRouter(topology)).toBe(own);
  });
});
