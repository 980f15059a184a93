import type { LiveOptions } from "./liveInputs";
import { Unusable } from "./plans";

/** Which option is for which part of what runs. */
const BELONGS = { kubeconfig: "live", context: "live" } as const;

/**
 * What a command line asks for that runs; undefined where it asks for files alone.
 *
 * @throws Unusable where options do not fit together
 */
export function liveOptions(
  command: string,
  options: Readonly<Record<string, string | undefined>>,
): LiveOptions | undefined {
  const stray = Object.entries(BELONGS).filter(
    ([option, part]) => options[option] !== undefined && !isOn(options[part]),
  );
  if (stray.length > 0)
    throw new Unusable(
      stray.map(([option, part]) => `hypershift-network ${command}: --${option}: write --${part} beside it`),
    );
  if (!isOn(options.live)) return undefined;
  return { cluster: given(options, "kubeconfig", "context") };
}

/** Switches are no texts. */
const isOn = (option: unknown): boolean => option === true;

const given = <Name extends string>(
  options: Readonly<Record<string, string | undefined>>,
  ...names: Name[]
): { [name in Name]?: string } =>
  Object.fromEntries(
    names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  ) as { [name in Name]?: string };
