import { HYPERSHIFT, at } from "../documents";
import { IP_TARGETS, describeDecision } from "../loadBalancers";
import { PORT } from "../ports";
import { port, requirement } from "../requirement";
import { Direction, Perspective, Protocol, Service, Zone } from "../vocabulary";

/** OAuth: users' browsers log in there. No port table of the documents has it. */
export const oauth = [
  requirement({
    id: "up-oauth-pod",
    direction: Direction.Ingress,
    perspective: Perspective.ControlPlane,
    service: Service.OAuthServer,
    ports: port(PORT.oauthPod),
    protocol: Protocol.Tcp,
    component: "oauth-openshift",
    purpose: "Users' browsers and nodes reach the OAuth server",
    sources: [Zone.ExternalClients, Zone.Workers],
    publicAllowed: true,
    note: "No port table of the documents lists OAuth.",
    upstream: `The pod's port; outside it is 443 through a Route or a load balancer, and the node port with NodePort. ${describeDecision(IP_TARGETS)}`,
    documents: [
      at(HYPERSHIFT, "hypershift-operator/controllers/hostedcluster/network_policies.go"),
      at(HYPERSHIFT, "control-plane-operator/controllers/hostedcontrolplane/oauth/service.go"),
    ],
  }),
];
