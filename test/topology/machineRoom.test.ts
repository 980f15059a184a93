import { readPrefix } from "../../src/address";
import { Platform } from "../../src/requirements/vocabulary";
import { machineRoom } from "../../src/topology/addressBlocks";

test.each([
  ["10.0.0.0/24", Platform.None, 254],
  ["10.0.0.0/30", Platform.Agent, 2],
  ["10.0.0.0/31", Platform.None, 2],
  ["10.0.0.9/32", Platform.AWS, 1],
  ["10.0.0.0/28", Platform.AWS, 11],
  ["10.0.0.0/29", Platform.Azure, 3],
  ["10.0.0.0/30", Platform.GCP, 0],
  ["fd02::/120", Platform.AWS, 251],
  ["fd02::/120", Platform.Azure, 255],
  ["fd02::/127", Platform.None, 2],
])("%s on %s has room for %i machines", (subnet, platform, room) => {
  expect(machineRoom(readPrefix(subnet)!, platform)).toBe(BigInt(room));
});
