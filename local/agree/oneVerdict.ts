import { isDeepStrictEqual } from "node:util";
import { isEmpty } from "../../src/reachability/packets/packetSet";
import type { JudgedGuard } from "../../src/reachability/path/judge";
import { Proof } from "../../src/reachability/proof/prove";
import { knownOf, type Known } from "./known";
import { certified, countsOf, excessBy, excessFound, foundBy, refutedBy, type Verdicts } from "./verdicts";

/** An invariant that a case violates. */
export interface Breach {
  invariant: string;
  detail: string;
  /** The known difference that explains it. Undefined if there is none. */
  known?: Known;
}

export const lines = (texts: readonly string[]): string => texts.join("\n");

export const unless = (holds: boolean, invariant: string, detail: () => string): Breach[] =>
  holds ? [] : [{ invariant, detail: detail() }];

/** `check`, `prove`, the report and the checker of certificates must agree on every flow. */
export function oneVerdict(verdicts: Verdicts): Breach[] {
  const [found, refuted] = [foundBy(verdicts), refutedBy(verdicts)];
  const [opened, excess] = [excessFound(verdicts), excessBy(verdicts)];
  const { keys, faults } = certified(verdicts);
  const proveOnly = verdicts.flows.filter(
    ({ journey: { key } }) => refuted.includes(key) && !found.includes(key),
  );
  const unexplained = proveOnly.filter((flow) => !knownOf(flow)).map(({ journey }) => journey.key);
  const proved = verdicts.flows
    .filter(({ proof, guards }) => proof === Proof.Proved && guards.length > 0 && guards.every(asksSomething))
    .map(({ journey }) => journey.key);
  return [
    ...unless(unexplained.length === 0 && found.every((key) => refuted.includes(key)), FOUND, () =>
      lines([
        `only check: ${found.filter((key) => !refuted.includes(key)).join(", ")}`,
        `only prove: ${unexplained.join(", ")}`,
      ]),
    ),
    ...knownBreaches(
      FOUND,
      proveOnly.map((flow) => knownOf(flow)),
    ),
    ...unless(isDeepStrictEqual(opened, excess), "check finds the excess of prove", () =>
      lines([`check: ${opened.join(", ")}`, `prove: ${excess.join(", ")}`]),
    ),
    ...unless(
      isDeepStrictEqual(verdicts.counts, countsOf(verdicts)),
      "the report counts what prove counts",
      () => lines([JSON.stringify(verdicts.counts), JSON.stringify(countsOf(verdicts))]),
    ),
    ...unless(isDeepStrictEqual(keys, proved), "a certificate has the proved flows", () =>
      lines([`certificate: ${keys.join(", ")}`, `prove: ${proved.join(", ")}`]),
    ),
    ...unless(faults.length === 0, "the checker bears out certificates", () => lines(faults)),
  ];
}

/** One breach for each known difference. */
const knownBreaches = (invariant: string, found: readonly (Known | undefined)[]): Breach[] =>
  [...new Set(found)].flatMap((known) => (known ? [{ invariant, detail: known, known }] : []));

const FOUND = "check finds the flows that prove refutes";

export const asksSomething = ({ required }: JudgedGuard): boolean => !isEmpty(required);
