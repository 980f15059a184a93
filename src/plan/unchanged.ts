import type { InputFault } from "./inputFault";
import type { Preview } from "./preview";
import { nameInUrn, type EngineState } from "./stackResource";

/** The resources that a preview leaves out, or why nobody can say which. */
export type Unchanged =
  { states: EngineState[]; fault?: undefined } | { states?: undefined; fault: InputFault };

/** Without the unchanged resources a deployed stack looks as if it had nothing: they are taken from its export, or missed. */
export function unchanged(
  { leftOut, shown }: Preview,
  file: string,
  state: { file: string; states: readonly EngineState[] } | undefined,
): Unchanged {
  if (leftOut === 0) return { states: [] };
  if (!state)
    return fault(
      file,
      `${resources(leftOut)} left out because ${leftOut === 1 ? "it is" : "they are"} unchanged`,
      "run pulumi preview --json --show-sames, or add --state with what pulumi stack export writes",
    );
  const stack = stackOf([...shown][0]);
  const rest = state.states.filter(({ urn }) => !shown.has(urn));
  const foreign = rest.find(({ urn }) => stackOf(urn) !== stack);
  if (foreign)
    return fault(
      state.file,
      `is an export of another stack than ${file}: it has ${nameInUrn(foreign.urn)}`,
      "export the stack of the preview",
    );
  if (rest.length !== leftOut)
    return fault(
      state.file,
      `does not fit ${file}: the preview leaves out ${resources(leftOut, "")}, the export has ${rest.length} that the preview does not show`,
      "export and preview the stack again, both in the same state",
    );
  return { states: rest };
}

/** `urn:pulumi:dev::network` */
const stackOf = (urn = ""): string => urn.split("::").slice(0, 2).join("::");

const resources = (count: number, verb = count === 1 ? " is" : " are"): string =>
  `${count} resource${count === 1 ? "" : "s"}${verb}`;

const fault = (file: string, problem: string, remedy: string): Unchanged => ({
  fault: { file, problem, remedy },
});
