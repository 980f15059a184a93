import {
  accessRollsOut,
  addMachineNetwork,
  changeAccess,
  changeAllowedBlocks,
  changeServices,
  openAllowedBlocks,
} from "./endpointAccess";
import { closeBootstrap, openBootstrap, updatesMakeNodes } from "./bootstrap";
import { differingOf, type Draft, type Way } from "../drafts";
import { closeFlows, openFlows, settleLists } from "./firewalls";
import { changeImage, imageChange, movableNow, releasesBetween, upgrades } from "./upgrade";
import { moveSubnets } from "./internalSubnets";
import { closePolicies, openPolicies } from "./isolation";
import { changeProxy, passManagementProxy } from "./proxy";

/**
 * The steps in an order that cuts no flow: what is needed opens before anything moves, and what is needed no longer closes when
 * everything has moved. Presets stand before the release that brings their range.
 *
 * @param blocksDiffer whether the list of blocks that reach the API server is another one
 */
export function stepsOf(way: Way, blocksDiffer: boolean): Draft[] {
  const makesNodes = rollsNodesOut(way) && updatesMakeNodes(way);
  return [
    ...openFlows(way),
    ...openBootstrap(way, makesNodes),
    ...openAllowedBlocks(way, blocksDiffer),
    ...passManagementProxy(way),
    ...moveSubnets(way, movableNow(way)),
    ...addMachineNetwork(way),
    ...changeProxy(way),
    ...changeAccess(way),
    ...changeServices(way),
    ...changeImage(way),
    ...upgrades(way),
    ...openPolicies(way),
    ...closePolicies(way),
    ...changeAllowedBlocks(way, blocksDiffer),
    ...closeFlows(way),
    ...settleLists(way),
    ...closeBootstrap(way, makesNodes),
  ];
}

/** Whether a step brings another release, or another configuration of the nodes. */
const rollsNodesOut = (way: Way): boolean =>
  releasesBetween(way).length > 0 ||
  imageChange(way) !== undefined ||
  differingOf(way, "proxy", "services").length > 0 ||
  entersNoProxy(way) ||
  (differingOf(way, "endpointAccess").length > 0 && accessRollsOut(way));

/** HyperShift writes the machine network into the noProxy of the nodes. */
const entersNoProxy = (way: Way): boolean =>
  way.reachable.proxy !== undefined && differingOf(way, "machineNetwork").length > 0;
