import { parseArgs } from "node:util";

/** Options that are whole numbers from 1, with their defaults. */
export type WholeNumbers<Name extends string> = Readonly<Record<Name, number>>;

/** Runs a command whose options are whole numbers; prints the help for `--help`, and after an error in the options. */
export async function withWholeNumbers<Name extends string>(
  args: readonly string[],
  help: string,
  defaults: WholeNumbers<Name>,
  run: (options: WholeNumbers<Name>) => Promise<number>,
): Promise<number> {
  const options = wholeNumbersOf(args, defaults);
  if (typeof options === "string") {
    console.error(`${options}\n\n${help}`);
    return 2;
  }
  if (options) return run(options);
  console.log(help);
  return 0;
}

/** Returns the options, or an error message, or undefined if help is requested. */
function wholeNumbersOf<Name extends string>(
  args: readonly string[],
  defaults: WholeNumbers<Name>,
): WholeNumbers<Name> | string | undefined {
  try {
    const names = Object.keys(defaults).map((name) => [name, { type: "string" }] as const);
    const { values } = parseArgs({
      args: [...args],
      options: { ...Object.fromEntries(names), help: { type: "boolean" } },
    });
    if (values.help) return undefined;
    const given = Object.entries({ ...defaults, ...values }).map(
      ([name, value]) => [name, Number(value)] as const,
    );
    const wrong = given.find(([, value]) => !Number.isInteger(value) || value < 1);
    return wrong
      ? `--${wrong[0]} takes a whole number from 1`
      : (Object.fromEntries(given) as WholeNumbers<Name>);
  } catch (error) {
    return (error as Error).message;
  }
}
