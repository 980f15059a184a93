import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { exportOf, jsonList, previewOf, yamlDocuments } from "../../local/fuzz/documents";
import { ADMIN_POLICIES } from "./adminPolicies";
import { CONFIGURATIONS } from "./configurations";
import { CONNECTIONS } from "./connections";
import { type Command, type Dimension, FORMATS, type Form, type Grown, ON_PLANS } from "./dimension";
import { FILES } from "./files";
import { FLEETS } from "./fleets";
import { GROUPS } from "./groups";
import { NETWORKS } from "./networks";
import { OBJECTS } from "./objects";
import { group, tcp } from "./parts";
import { PEERS } from "./peers";
import { POLICIES } from "./policies";
import { TEXTS } from "./texts";
import { WORKLOADS } from "./workloads";

/** Every property of an input that can grow, by name. */
export const DIMENSIONS: Readonly<Record<string, Dimension>> = {
  ...NETWORKS,
  ...CONNECTIONS,
  ...GROUPS,
  ...PEERS,
  ...POLICIES,
  ...ADMIN_POLICIES,
  ...OBJECTS,
  ...WORKLOADS,
  ...CONFIGURATIONS,
  ...FLEETS,
  ...TEXTS,
  ...FILES,
};

/** One dimension with one command. */
export interface Row {
  /** `vpcs check`, or `foreign check yaml` for a form other than the first. */
  name: string;
  dimension: Dimension;
  command: Command;
  form: Form;
}

/** All rows: every command with a dimension's first form, and `check` with each other form. */
export function rows(): Row[] {
  return Object.entries(DIMENSIONS).flatMap(([word, dimension]) => {
    const { commands = ON_PLANS, forms: [first = "preview", ...others] = [] } = dimension;
    return [
      ...commands.map((command) => ({ name: `${word} ${command}`, dimension, command, form: first })),
      ...others.map((form) => ({
        name: `${word} check ${form}`,
        dimension,
        command: "check" as const,
        form,
      })),
    ];
  });
}

const TEXT: Readonly<Record<Form, (resources: NonNullable<Grown["resources"]>) => string>> = {
  preview: (resources) => JSON.stringify(previewOf(resources)),
  export: (resources) => JSON.stringify(exportOf(resources)),
  manifests: (resources) => jsonList(resources.map(({ properties }) => properties)),
  yaml: (resources) => yamlDocuments(resources.map(({ properties }) => properties)),
};

/** An input as files. */
interface Written {
  /** The paths that commands read: the plan, and the folder with further files. */
  paths: string[];
  /** Undefined if there is no configuration. */
  configuration?: string;
}

function write({ resources, configuration, files }: Grown, form: Form, folder: string): Written {
  const written: Written = { paths: [] };
  mkdirSync(folder, { recursive: true });
  if (resources) {
    const plan = join(folder, form === "yaml" ? "plan.yaml" : "plan.json");
    writeFileSync(plan, TEXT[form](resources));
    written.paths.push(plan);
  }
  if (configuration !== undefined) {
    written.configuration = join(folder, "hypershift-network.yaml");
    writeFileSync(
      written.configuration,
      typeof configuration === "string" ? configuration : JSON.stringify(configuration),
    );
  }
  if (files) {
    const more = join(folder, "more");
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(more, name)), { recursive: true });
      writeFileSync(join(more, name), text);
    }
    written.paths.push(more);
  }
  return written;
}

/** Command lines of the package: the preparing ones, and the measured one. */
export interface CommandLines {
  before: readonly (readonly string[])[];
  measured: readonly string[];
}

/** The policy pack in place of a command; it reads its input from files too. */
export const PACK = "pack";

/** A certificate requires at least one proved flow. */
const CERTIFYING: ReadonlySet<Command> = new Set<Command>(["certificate", "check-certificate"]);
const ANYTHING = { ...tcp(0, "0.0.0.0/0"), protocol: "-1" };
const PROVED = group("sg-workers", { ingress: [ANYTHING], egress: [ANYTHING] }, "workers");

/** Writes an input of that size, and returns the command lines for it. */
export function commandLines({ dimension, command, form }: Row, count: number, folder: string): CommandLines {
  const made = dimension.make(count);
  const input = CERTIFYING.has(command) ? { ...made, resources: [...(made.resources ?? []), PROVED] } : made;
  const { paths, configuration } = write(input, form, join(folder, "new"));
  const config = configuration === undefined ? ["--no-config"] : ["--config", configuration];
  const old = () =>
    write(
      (dimension.before ?? (() => dimension.make(Math.ceil(count / 2))))(count),
      form,
      join(folder, "old"),
    );
  const certificate = join(folder, "certificate.json");
  const cluster = ["--cluster", "clusters/tenant-0"];
  const certified = ["certificate", certificate, ...paths, ...config, ...cluster];
  const only = (...measured: string[]): CommandLines => ({ before: [], measured });
  if ((FORMATS as readonly Command[]).includes(command))
    return only("check", ...paths, ...config, "--format", command.slice("check-".length));
  switch (command) {
    case "check-by-resource":
      return only("check", ...paths, ...config, "--group-by", "resource");
    case "check-state": {
      const few = write({ resources: (input.resources ?? []).slice(0, 1) }, "preview", join(folder, "few"));
      const state = write(input, "export", join(folder, "state"));
      return only("check", ...few.paths, ...config, "--state", state.paths[0]!);
    }
    case "check-certificate":
      return {
        before: [certified],
        measured: ["check", ...paths, ...config, "--certificate", certificate],
      };
    case "certificate":
      return only(...certified);
    case "report":
      return only("report", ...paths, ...config, "--out", "-");
    case "diff":
      return only("diff", ...old().paths, ...paths, ...config);
    case "change": {
      const before = old();
      return only("plan", ...config, "--change", before.configuration ?? before.paths[0]!);
    }
    case "explain":
      return only("explain", dimension.explained ?? "6443", ...paths, ...config);
    case "check-map":
      return only("check", ...paths, ...config, "--map");
    case "fleet":
      return only("plan", ...paths, "--no-config", "--fleet", configuration!);
    case "policy-config":
      return only("policy-config", ...config);
    case "pack":
      return only(PACK, paths[0]!, configuration ?? "");
    default:
      return only(command, ...paths, ...config);
  }
}
