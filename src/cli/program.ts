import { Command, CommanderError, Option } from "commander";
import { commands } from "./commands";
import { CONFIGURATION_VARIABLE, type OptionSpec } from "./options";
import { CLEAN, tell, type Terminal, UNUSABLE } from "./terminal";
import { setFlagsFromString } from "node:v8";

/** The command line. Each command is loaded only when it is called, so that help is fast. */
export function program(terminal: Terminal): { run: (args: readonly string[]) => Promise<number> } {
  let status = CLEAN;
  const root = new Command("hypershift-network")
    .description(
      "Checks and proves the network of OpenShift hosted control planes (HyperShift) before you apply it.",
    )
    .option("--version", "print the version")
    .on("option:version", () => {
      terminal.out(`${loadVersion()}\n`);
      throw new CommanderError(CLEAN, "commander.version", "");
    })
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.error(text),
      // The text contains words of the command line. Commander's suggestions are on a separate line.
      outputError: (text) => tell(terminal, text.trimEnd().split(/\n(?=\(Did you mean )/)),
    })
    .showSuggestionAfterError()
    .showHelpAfterError("(hypershift-network --help lists the commands)")
    .exitOverride()
    .addHelpText("after", examples("hypershift-network check plan.json", "hypershift-network check --help"));
  for (const {
    name,
    summary,
    description,
    arguments: parameters,
    options,
    examples: lines,
    load,
  } of commands) {
    const command = root
      .command(name)
      .summary(summary)
      .description(description)
      .showHelpAfterError(`(hypershift-network ${name} --help lists its options)`)
      .addHelpText("after", examples(...lines));
    if (parameters) command.argument(parameters.name, parameters.description);
    for (const option of options) command.addOption(built(option));
    refuseSecondConfiguration(command);
    refuseEmptyValues(command);
    command.action(async (...given: unknown[]) => {
      const paths = parameters ? (given[0] as string[]) : [];
      status = await load()(paths, optionsOf(command), terminal);
    });
  }
  return {
    run: async (args) => {
      try {
        if (args.length === 0) {
          root.outputHelp({ error: true });
          return UNUSABLE;
        }
        await root.parseAsync([...args], { from: "user" });
        return status;
      } catch (error) {
        if (error instanceof CommanderError) return error.exitCode === 0 ? CLEAN : UNUSABLE;
        throw error;
      }
    },
  };
}

/** There is one configuration: of two choices on a command line, the first would be ignored. */
function refuseSecondConfiguration(command: Command): void {
  let choices = 0;
  for (const option of ["config", "no-config"])
    command.on(`option:${option}`, () => {
      choices++;
      if (choices > 1)
        command.error(
          `hypershift-network ${command.name()}: --config or --no-config is given ${choices} times: leave out all but one; one file holds all hosted clusters`,
        );
    });
}

/** An empty value comes from a variable of a script that is not set, and must not mean what leaving out the option means. */
function refuseEmptyValues(command: Command): void {
  for (const { required, long } of command.options)
    if (required && long != null)
      command.on(`option:${long.slice(2)}`, (value: string) => {
        if (value.trim() === "")
          command.error(
            `hypershift-network ${command.name()}: ${long} is empty: write its value, or leave it out`,
          );
      });
}

/** An empty environment variable counts as unset; an empty option is a mistake. */
function optionsOf(command: Command): Record<string, string | undefined> {
  const options: Record<string, string | undefined> = command.opts();
  const isEmpty = options.config === "" && command.getOptionValueSource("config") === "env";
  return isEmpty ? { ...options, config: undefined } : options;
}

/** Help does not read package.json. */
const loadVersion = (): string =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would read it with this file
  (require("./package") as typeof import("./package")).version;

function built({ flags, description, choices, default: preset, fromEnvironment }: OptionSpec): Option {
  const option = new Option(flags, description);
  if (choices) option.choices([...choices]);
  if (preset !== undefined) option.default(preset);
  if (fromEnvironment) option.env(CONFIGURATION_VARIABLE);
  return option;
}

const examples = (...lines: readonly string[]): string =>
  ["", "Examples:", ...lines.map((line) => `  ${line}`)].join("\n");

/**
 * A command ends before most compiled machine code has paid off: compiling it took a third of the time of a check of a large plan. So V8
 * compiles only code that runs very often, and inlines less of it. Objects are either short-lived or stay to the end, so the space for new
 * objects keeps its initial size, which saved an eighth of the memory of that check.
 */
export const settingsOf = (v8: string): string[] => [
  // The V8 of Node 22 and later does not have it, and prints an error for it.
  ...(Number.parseInt(v8, 10) < 12 ? ["--interrupt-budget=300000"] : []),
  "--max-inlined-bytecode-size-cumulative=200",
  "--semi-space-growth-factor=1",
];

/** Tells V8 that this process ends soon. */
export function expectShortRun(): void {
  for (const setting of settingsOf(process.versions.v8)) setFlagsFromString(setting);
}
