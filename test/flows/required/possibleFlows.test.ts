import { Platform, Service } from "../../../src/requirements/vocabulary";
import { possibleFlows } from "../../../src/flows/required/requiredFlows";
import { flowKey } from "../../../src/flows/model";
import { machines, normal, openly } from "../../topology/topologies";

const disputedOn = (platform: Platform) =>
  possibleFlows(normal({ platform, ...machines, ...openly(platform) }));

test.each([Platform.Azure, Platform.IBMCloud])(
  "on %s the documented port of the API server is disputed: another document has a different one",
  (platform) => {
    const flows = disputedOn(platform);
    expect(flows.map((flow) => [flowKey(flow), flow.ports, flow.peers.map(({ zone }) => zone)])).toEqual([
      ["control-plane/ingress/disputed-cp-in-kas", { from: 6443, to: 6443 }, ["worker", "external-client"]],
      ["workers/egress/disputed-wk-out-kas", { from: 6443, to: 6443 }, ["control-plane"]],
    ]);
    expect(flows.every(({ optIn }) => optIn)).toBe(true);
  },
);

test("on other platforms no port is disputed", () => {
  for (const platform of Object.values(Platform))
    if (platform !== Platform.Azure && platform !== Platform.IBMCloud)
      expect(disputedOn(platform)).toEqual([]);
});

describe("the range of node ports of a service that is not pinned", () => {
  const of = (nodePort?: number, users = ["192.168.7.0/24"]) =>
    possibleFlows(
      normal({
        platform: Platform.None,
        ...machines,
        externalClientCidrs: users,
        services: {
          apiServer: { type: "NodePort", ...(nodePort !== undefined && { nodePort }) },
          oauthServer: { type: "NodePort", nodePort: 30443 },
          konnectivity: { type: "NodePort" },
          ignition: { type: "NodePort" },
        },
      }),
    );

  test("may be open to stated users of the service", () => {
    expect(
      of().map((flow) => [
        flowKey(flow),
        flow.ports,
        flow.peers.flatMap(({ prefixes }) => prefixes?.map(String)),
      ]),
    ).toEqual([["control-plane/ingress/node-ports-users", { from: 30000, to: 32767 }, ["192.168.7.0/24"]]]);
    expect(of()[0]?.purpose).toBe(`Users reach the node ports of ${Service.APIServer}, which are not pinned`);
  });

  test("need not be open if every port that users call is pinned, or users are not stated", () => {
    expect(of(30500)).toEqual([]);
    expect(of(undefined, [])).toEqual([]);
  });
});
