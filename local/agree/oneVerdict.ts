import { isDeepStrictEqual } from "node:util";
import { isEmpty } from "../../src/reachability/packets/packetSet";
import type { JudgedGuard } from "../../src/reachability/path/judge";
import { Proof } from "../../src/reachability/proof/prove";
import { certified, countsOf, excessBy, excessFound, foundBy, refutedBy, type Verdicts } from "./verdicts";

/** An invariant that a case violates. */
export interface Breach {
  invariant: string;
  detail: string;
}

export const lines = (texts: readonly string[]): string => texts.join("\n");

export const unless = (holds: boolean, invariant: string, detail: () => string): Breach[] =>
  holds ? [] : [{ invariant, detail: detail() }];

/** `check`, `prove`, the report and the checker of certificates must agree on every flow. */
export function oneVerdict(verdicts: Verdicts): Breach[] {
  const [found, refuted] = [foundBy(verdicts), refutedBy(verdicts)];
  const [opened, excess] = [excessFound(verdicts), excessBy(verdicts)];
  const { keys, faults } = certified(verdicts);
  const [checkOnly, proveOnly] = [beyond(found, refuted), beyond(refuted, found)];
  const proved = verdicts.flows
    .filter(({ proof, guards }) => proof === Proof.Proved && guards.length > 0 && guards.every(asksSomething))
    .map(({ journey }) => journey.key);
  return [
    ...unless(checkOnly.length + proveOnly.length === 0, "check finds the flows that prove refutes", () =>
      lines([`only check: ${checkOnly.join(", ")}`, `only prove: ${proveOnly.join(", ")}`]),
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

const beyond = (some: readonly string[], others: readonly string[]): string[] =>
  some.filter((key) => !others.includes(key));

export const asksSomething = ({ required }: JudgedGuard): boolean => !isEmpty(required);
