import { Platform } from "../../../src/requirements/vocabulary";
import { disputedFlows } from "../../../src/flows/required/requiredFlows";
import { flowKey } from "../../../src/flows/model";
import { machines, normal, openly } from "../../topology/topologies";

const disputedOn = (platform: Platform) =>
  disputedFlows(normal({ platform, ...machines, ...openly(platform) }));

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
