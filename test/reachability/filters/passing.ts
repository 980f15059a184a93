import type { Filter } from "../../../src/reachability/filters/filter";
import { allowedBy } from "../../../src/reachability/filters/decide";
import type { Resource } from "../../../src/resources/resource";
import { differences, everyPacket, type SmallPacket } from "../smallUniverse";

/** The origin of a policy that a cluster has stored, so that its rules are read even if no API server of today would accept it. */
export const STORED = { live: "it" };

export const resource = (type: string, properties: Resource["properties"]): Resource => ({
  origin: { urn: type },
  type,
  name: "it",
  properties,
});

/** The places and reasons that a filter names, rule by rule. */
export const named = ({ clauses }: Filter) =>
  clauses.flatMap(({ unknown }) =>
    unknown.map(({ path, reason }) => (reason === undefined ? path : `${path}: ${reason}`)),
  );

export const AMONG = [...everyPacket([9], [3, 4, 200])];
export const none = () => false;
export const every = () => true;

/** The packets that surely and possibly pass, as answers of a model. */
export function expectPassing(
  filter: Filter,
  sure: (packet: SmallPacket) => boolean,
  possible: (packet: SmallPacket) => boolean,
) {
  const allowed = allowedBy([filter]);
  expect(differences(allowed.sure, sure, AMONG)).toEqual([]);
  expect(differences(allowed.possible, possible, AMONG)).toEqual([]);
}
