import type { UnknownValue } from "../../../resources/unknownValue";
import { allowedBy, doubts, type Known } from "../../filters";
import { EVERY_PACKET, NO_PACKETS, difference, intersection } from "../../packets";
import type { Guard } from "../../path";
import type { ComparedPlace } from "./comparedPlaces";

/** What passes a place, and the values that decide on the rest. */
export interface OpenAt extends Known {
  values: readonly UnknownValue[];
}

/** What a plan lets pass at a place: what every guard does. Where nothing stands, everything or nothing that anybody knows of. */
export function openAt(place: ComparedPlace | undefined, isOpen: boolean): OpenAt {
  if (!place || place.guards.length === 0) {
    const all = isOpen ? EVERY_PACKET : NO_PACKETS;
    return { sure: all, possible: all, values: [] };
  }
  const parts = place.guards.map(openThrough);
  return {
    sure: parts.map(({ sure }) => sure).reduce(intersection),
    possible: parts.map(({ possible }) => possible).reduce(intersection),
    values: parts.flatMap(({ values }) => values),
  };
}

/** Where rules may stand that nobody sees, or where a guard may not stand at all, more may pass than it says. */
function openThrough({ filters, incomplete, doubtful = [] }: Guard): OpenAt {
  const { sure, possible } = allowedBy(filters);
  const isPartial = incomplete !== undefined || doubtful.length > 0;
  return {
    sure,
    possible: isPartial ? EVERY_PACKET : possible,
    values: [
      ...doubts(filters, difference(possible, sure)),
      ...(incomplete ? [incomplete] : []),
      ...doubtful,
    ],
  };
}
