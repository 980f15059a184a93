import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  PolicyResource,
  ReportViolation,
  ResourceValidationArgs,
  ResourceValidationPolicy,
  StackValidationArgs,
  StackValidationPolicy,
} from "@pulumi/policy";
import { policies } from "../../policy/policies";
import { Session } from "../../policy/session";
import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";
import { group, tcp } from "../rules/builders";

/** The proxy that the policy library uses; the package exports it without a type. */
export const { unknownCheckingProxy } = jest.requireActual<{
  unknownCheckingProxy: (props: unknown) => unknown;
}>("@pulumi/policy");

/** The engine's mark for a string that is not known yet. */
export const SENTINEL = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export type Policy = ResourceValidationPolicy & StackValidationPolicy & { enforcementLevel: string };

export interface Report {
  policy: string;
  message: string;
  urn: string | undefined;
}

/** Properties as the engine passes them: unknown values are marks, and reading one throws. */
export function onTheWire(value: PropertyValue): unknown {
  if (value === UNKNOWN) return SENTINEL;
  if (Array.isArray(value)) return (value as PropertyValue[]).map(onTheWire);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, onTheWire(entry)]));
}

export const propsOf = ({ properties }: Resource) =>
  unknownCheckingProxy(onTheWire(properties)) as Record<string, unknown>;

export interface Settings {
  config?: Record<string, Record<string, unknown>>;
  environment?: Record<string, string>;
  /** The properties of resources before they are created, if they differ. */
  inputs?: Record<string, Record<string, PropertyValue>>;
  /** The names of resources that the program only reads: they are passed only with the whole stack. */
  read?: readonly string[];
}

/** One run of the engine: passes each resource and then the whole stack to the policies that have a function for it. */
export async function run(
  resources: Resource[],
  { config = {}, environment = {}, inputs = {}, read = [] }: Settings = {},
) {
  const session = new Session(environment.HYPERSHIFT_NETWORK_CONFIG ?? "");
  session.configuredNames = Object.keys(config);
  const all = policies(session) as Policy[];
  const reports: Report[] = [];
  const reporting =
    (policy: string): ReportViolation =>
    (message, urn) =>
      reports.push({ policy, message: typeof message === "string" ? message : "", urn });
  const levelOf = ({ name, enforcementLevel }: Policy) => config[name]?.enforcementLevel ?? enforcementLevel;
  const active = all.filter((policy) => levelOf(policy) !== "disabled");
  const settingsOf = (name: string) => () => {
    const { enforcementLevel: _, ...settings } = config[name] ?? {};
    return settings;
  };
  const asked = { atCreate: [] as string[], ofStack: [] as string[] };
  for (const one of resources.filter(({ name }) => !read.includes(name)))
    for (const { name, validateResource } of active)
      for (const validate of [validateResource ?? []].flat()) {
        asked.atCreate.push(`${name} ${one.name}`);
        await validate(
          {
            ...argsOf({ ...one, properties: inputs[one.name] ?? one.properties }),
            getConfig: settingsOf(name),
          } as unknown as ResourceValidationArgs,
          reporting(name),
        );
      }
  const atCreate = reports.length;
  const shown = new Map<string, PolicyResource>();
  for (const one of resources) shown.set(one.origin.urn!, argsOf(one) as unknown as PolicyResource);
  for (const one of resources)
    shown.get(one.origin.urn!)!.propertyDependencies = Object.fromEntries(
      Object.entries(one.propertyDependencies ?? {}).map(([key, urns]) => [
        key,
        urns.map((urn) => shown.get(urn)!),
      ]),
    );
  for (const { name, validateStack } of active)
    if (typeof validateStack === "function") {
      asked.ofStack.push(name);
      await validateStack(
        { resources: [...shown.values()], getConfig: settingsOf(name) } as unknown as StackValidationArgs,
        reporting(name),
      );
    }
  return {
    levels: Object.fromEntries(all.map((policy) => [policy.name, levelOf(policy)])),
    atCreate: reports.slice(0, atCreate),
    reports,
    asked,
    of: (policy: string) =>
      reports.filter((report) => report.policy === policy).map(({ message }) => message),
  };
}

export const argsOf = (one: Resource) => ({
  urn: one.origin.urn,
  type: one.type,
  name: one.name,
  props: propsOf(one),
  opts: { ...(one.parent && { parent: one.parent }) },
  ...(one.provider !== undefined && {
    provider: { urn: one.provider, type: "pulumi:providers:kubernetes", name: "it", props: {} },
  }),
});

const folder = mkdtempSync(join(tmpdir(), "policies-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The path of a configuration with this text, which exists until the tests of a file have ended. */
export function configuration(text: string): string {
  const file = join(folder, `${Math.random().toString(36).slice(2)}.yaml`);
  writeFileSync(file, text);
  return file;
}

export const complete = [tcp(6443, "10.0.0.0/16"), tcp(443, "10.0.0.0/16")];

/** What the documents allow control-plane hosts to send. */
export const egress = [
  tcp(443, "0.0.0.0/0"),
  tcp(6443, "0.0.0.0/0"),
  tcp(53, "0.0.0.0/0"),
  { ...tcp(53, "0.0.0.0/0"), protocol: "udp" },
];

export const hosts = (...ingress: ReturnType<typeof tcp>[]) => group("hosts", ingress, { egress });
