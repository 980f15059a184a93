import { Unusable } from "./plans";
import type { LiveOptions } from "./liveInputs";
/** Which option is for which part of what runs. */
const BELONGS = { kubeconfig: "live", context: "live", region: "ec2", vpc: "ec2" } as const;

/**
 * What a command line asks for that runs; undefined where it asks only for files.
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
  if (!isOn(options.live) && !isOn(options.ec2)) return undefined;
  return {
    ...(isOn(options.live) && { cluster: given(options, "kubeconfig", "context") }),
    ...(isOn(options.ec2) && { ec2: { ...given(options, "region"), vpcs: vpcsOf(command, options.vpc) } }),
  };
}

/** Ids with commas between them. */
function vpcsOf(command: string, written: string | undefined): string[] {
  const ids = written === undefined ? [] : written.split(",").map((id) => id.trim());
  const wrong = ids.filter((id) => !/^vpc-[0-9a-z]+$/.test(id));
  if (wrong.length > 0)
    throw new Unusable(
      wrong.map(
        (id) => `hypershift-network ${command}: --vpc ${id}: write ids of VPCs: vpc-0a1b2c3d,vpc-4e5f6a7b`,
      ),
    );
  return [...new Set(ids)];
}

/** Switches are no texts. */
export const isOn = (option: unknown): boolean => option === true;

const given = <Name extends string>(
  options: Readonly<Record<string, string | undefined>>,
  ...names: Name[]
): { [name in Name]?: string } =>
  Object.fromEntries(
    names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  ) as { [name in Name]?: string };
