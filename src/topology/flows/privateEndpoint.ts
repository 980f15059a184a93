import { requirementOf } from "../../requirements/requirements";
import { EndpointAccess } from "../../requirements/vocabulary";
import type { NormalizedTopology } from "../normalizedTopology";
import { Role, View } from "../requiredFlow";
import type { RequiredFlow } from "../requiredFlow";
import { flowOf, holds } from "./flow";
import { externalClients, machines } from "./peers";

const endpoints = [
  { key: "endpoint-router", row: requirementOf("up-aws-vpce-443") },
  { key: "endpoint-kube-apiserver", row: requirementOf("up-aws-vpce-6443") },
];

/** What the VPC endpoint of a private cluster takes in: machines, and users where there is no other way in. */
export function privateEndpointIngress(topology: NormalizedTopology): RequiredFlow[] {
  return endpoints
    .filter(({ row }) => holds(row, topology))
    .flatMap(({ key, row }) => [
      flowOf(row, Role.PrivateEndpoint, {
        key,
        peers: [machines(topology)],
      }),
      ...(topology.endpointAccess === EndpointAccess.Private && topology.externalClientCidrs.length > 0
        ? [
            flowOf(row, Role.PrivateEndpoint, {
              key: `${key}-clients`,
              peers: [externalClients(topology)],
              view: View.Hop,
              purpose: "Users outside the VPC reach the private cluster through the endpoint",
            }),
          ]
        : []),
    ]);
}
