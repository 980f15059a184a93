import { isDeepStrictEqual } from "node:util";

import type { Fault } from "../fault";
import { OVERLAY_PORT, overlayMtu } from "../requirements/migration";
import { readValue } from "../resources/read";
import { entriesOf, isMap } from "../resources/places";
import { condition, MigrationStep, phaseOf, type Moment } from "./phases";
import { TYPE_SETTINGS, settingOf, wantedPort } from "./network";

/** What the type was changed with cannot become something else: the network operator would refuse it. */
export const wishesStand = condition(
  "once the type has been changed, MTU, port and cluster network are asked for as they were written",
  (moment) => {
    const { cluster, target } = moment;
    if (cluster.type !== target || cluster.record?.target !== target) return [];
    return [...mtuFaults(moment), ...portFaults(moment), ...rangeFaults(moment)];
  },
);

function mtuFaults(moment: Moment): Fault[] {
  const { wishes, target } = moment;
  if (wishes.smallestNodeMtu === undefined) return [];
  const [wish, stands] = [overlayMtu(wishes.smallestNodeMtu, target), settingOf(moment, target, "mtu")];
  return wish === stands
    ? []
    : [differs(moment, "smallestNodeMtu", `asks for an MTU of ${wish}`, String(stands))];
}

function portFaults(moment: Moment): Fault[] {
  const { target } = moment;
  const { port } = TYPE_SETTINGS[target];
  const [wish, stands] = [
    wantedPort(moment, target),
    settingOf(moment, target, port) ?? OVERLAY_PORT[target],
  ];
  return wish === undefined || wish === stands
    ? []
    : [differs(moment, port, `asks for ${wish}`, String(stands))];
}

function rangeFaults(moment: Moment): Fault[] {
  const { wishes, cluster } = moment;
  if (!wishes.clusterNetwork) return [];
  const config = cluster.objects.config;
  const stands = entriesOf(config && readValue(config, "spec.clusterNetwork"))
    .filter(isMap)
    .map(({ cidr, hostPrefix }) => ({ cidr, hostPrefix }));
  const wish = wishes.clusterNetwork.map(({ cidr, hostPrefix }) => ({ cidr, hostPrefix }));
  if (isDeepStrictEqual(wish, stands)) return [];
  const shown = (all: readonly object[]) => JSON.stringify(all);
  return [differs(moment, "clusterNetwork", `asks for ${shown(wish)}`, shown(stands))];
}

const differs = ({ old }: Moment, path: string, asked: string, stands: string): Fault => ({
  path,
  problem: `${asked}, and the type was changed with ${stands}`,
  remedy: `leave it as it was, or go back first with phase ${phaseOf(MigrationStep.ChangeNetworkType, old)}`,
});
