import type { PolicyResource, ResourceValidationArgs } from "@pulumi/policy";

import { onceIn, pushAll } from "../src/collections";
import type { Fault } from "../src/fault";
import { plural } from "../src/text";
import { flowsSentence } from "../src/reachability/answers/describeAnswer";
import { isHostedCluster, OUR_COMPONENTS } from "../src/resources/resourceTypes";
import { type Resource, UNKNOWN } from "../src/resources/resource";
import { type ClusterSource, hostedClusters, type JudgedCluster } from "../src/gate/clusters";
import { conclusionsOf, flowRules } from "../src/rules/conclusion";
import { describeStale, Exemptions, isMisread, verdictOf } from "../src/gate/verdict";
import { JudgedResources } from "../src/gate/judgedResources";
import { withoutReadBack } from "../src/gate/readBack";
import { unreadFilters, coverageGaps } from "../src/gate/coverage";
import {
  describeFinding,
  findings,
  identityOf,
  Places,
  Status,
  type Finding,
  type Rule,
} from "../src/gate/rule";
import { CONFIGURATION_VARIABLE, configurationOf, type ConfigurationSource } from "./configurationFile";
import { resourceOfInputs, resourceOfStack, type Properties } from "./fromEngine";
import { ReadOnce } from "./readOnce";
import type { SecretMarks } from "./secretMarks";
import { describeWithoutValues, placeWithoutValues } from "./withoutValues";
import { type Configuration, NO_CONFIGURATION } from "../src/gate/configuration";

/** The policy that looks at every resource. */
export const OF_EVERY_RESOURCE = "topology";

/** What the pack knows during one run of the engine: first the resources one by one, in the end the whole stack. */
export class Session {
  /** Levels of the file that the environment names, by rule. */
  readonly levels: Configuration["levels"];
  /** What is wrong with the configuration. */
  faults: readonly Fault[] = [];
  /** The names in the policy configuration; those of all policies are always among them. */
  configuredNames: readonly string[] = [];
  /** What became of the engine's marks of secrets; undefined where no engine is asked. */
  marks: SecretMarks | undefined;

  #configuration: Configuration = NO_CONFIGURATION;
  /** Which configuration it is: the path of a file, or the whole of it. */
  #source: string | undefined;
  #clusters: readonly JudgedCluster[] | undefined;
  readonly #stack = new ReadOnce<JudgedResources>();
  #single: { resource: Resource; judged: JudgedResources } | undefined;
  #shown: JudgedResources | undefined;
  #conclusions: readonly string[] | undefined;
  readonly #found = new Map<string, Finding[]>();
  readonly #resource = new ReadOnce<Resource>();
  readonly #inputs = new Map<string, Resource>();
  readonly #given = new Map<string, Properties>();
  /** Whether each resource is shown by itself, and not only those that some rules judge. */
  #isShownEach = false;
  #hidesValues = false;
  readonly #sources = new Map<string, Resource>();
  readonly #reported = new Set<string>();
  readonly #unknown = new Map<string, { urn: string; path: string; message: string; text: string }>();
  /** The places at which something is wrong, by the resource that has them. */
  readonly #wrong = new Map<string, Places>();
  readonly #remarks: Finding[] = [];
  #exemptions = new Exemptions([]);
  readonly #exempted = new Map<string, string>();
  readonly #ran = new Set<string>();
  #saidMissing = false;

  /** @param source the configuration that holds from the beginning; defaults to the file that the environment names */
  constructor(source: ConfigurationSource | undefined = process.env[CONFIGURATION_VARIABLE]) {
    if (source !== undefined && source !== "") this.configure(source);
    this.levels = this.#configuration.levels;
  }

  /**
   * Reads the configuration that the policy `topology` names or holds; once.
   *
   * @param applied its levels that stand in the policy configuration, too
   */
  configure(source: ConfigurationSource, applied: Readonly<Record<string, unknown>> = {}): void {
    const identity = typeof source === "string" ? source : JSON.stringify(source);
    if (identity === this.#source) return;
    const name = typeof source === "string" ? source : "configuration";
    const { configuration, faults } = configurationOf(source, name);
    const late =
      this.#source === undefined && this.levels !== undefined
        ? lateLevels(configuration.levels, applied, name)
        : [];
    this.#exemptions = new Exemptions(configuration.exemptions ?? []);
    this.#source = identity;
    this.#configuration = configuration;
    this.#clusters = undefined;
    this.#stack.forget();
    this.faults = [...faults, ...late];
  }

  /**
   * Keeps the inputs of a resource, for one policy after the other: the whole stack is shown with outputs, among which much is
   * not known yet.
   */
  remember(policy: string, args: ResourceValidationArgs): Resource {
    this.#isShownEach ||= policy === OF_EVERY_RESOURCE;
    return this.#resource.for(policy, args.urn, () => this.#remember(args));
  }

  #remember(args: ResourceValidationArgs): Resource {
    this.#lookAtMarks(args.urn);
    const { resource, given } = resourceOfInputs(args);
    this.#inputs.set(args.urn, resource);
    this.#given.set(args.urn, given);
    if (isHostedCluster(resource.type) || resource.type.startsWith(OUR_COMPONENTS)) {
      this.#sources.set(args.urn, resource);
      this.#clusters = undefined;
    }
    return resource;
  }

  /** Where secrets may be among the values, none is printed. */
  #lookAtMarks(urn: string): void {
    if (this.marks && !this.marks.kept(urn)) this.#hidesValues = true;
  }

  /** Whether texts have to do without values of the stack. */
  get hidesValues(): boolean {
    return this.#hidesValues;
  }

  /** A finding as lines for people. */
  describe(finding: Finding): string[] {
    return this.#hidesValues ? describeWithoutValues(finding) : describeFinding(finding);
  }

  /** One resource, with the clusters that were shown up to now; of a HostedCluster with those that it speaks of. Every rule gets the same. */
  single(resource: Resource): JudgedResources {
    if (this.#single?.resource !== resource || !this.#clusters)
      this.#single = { resource, judged: this.#judgedAlone(resource) };
    return this.#single.judged;
  }

  #judgedAlone(resource: Resource): JudgedResources {
    const all = (this.#clusters ??= hostedClusters([...this.#sources.values()], this.#configuration));
    const parent = resource.parent === undefined ? undefined : this.#inputs.get(resource.parent);
    const clusters = isHostedCluster(resource.type)
      ? all.flatMap((cluster) => withoutOtherPatches(cluster, resource))
      : all;
    return new JudgedResources([resource, ...(parent ? [parent] : [])], this.#configuration, clusters);
  }

  /** The whole stack, for one policy after the other. */
  stack(policy: string, resources: readonly PolicyResource[]): JudgedResources {
    return this.#stack.for(policy, resources.map(({ urn }) => urn).join("\n"), () => {
      for (const { urn } of resources) this.#lookAtMarks(urn);
      const shown = this.#inOrder(resources).map((resource) =>
        resourceOfStack(resource, this.#given.get(resource.urn), this.#isOnlyRead(resource)),
      );
      // The engine does not show what it deletes.
      return new JudgedResources(withoutReadBack(shown, UNKNOWN), this.#configuration);
    });
  }

  /** What a program reads of the cloud the engine shows only with the whole stack. */
  #isOnlyRead({ urn }: PolicyResource): boolean {
    return this.#isShownEach && !this.#given.has(urn);
  }

  /** In the order in which the program made them, as previews have them: the engine hands the stack over in any. */
  #inOrder(resources: readonly PolicyResource[]): PolicyResource[] {
    const places = new Map([...this.#inputs.keys()].map((urn, at) => [urn, at]));
    const placeOf = ({ urn }: PolicyResource) => places.get(urn) ?? places.size;
    return [...resources].sort((a, b) => placeOf(a) - placeOf(b));
  }

  /** Shows the whole stack, before rules are asked about it. */
  show(resources: readonly PolicyResource[]): void {
    this.#shown = this.stack(OF_EVERY_RESOURCE, resources);
    this.#found.clear();
    this.#conclusions = undefined;
  }

  /** What a rule has to report on the whole stack; undefined where that was not shown. Judged when first asked for. */
  found(rule: Rule): readonly Finding[] | undefined {
    if (!this.#shown) return undefined;
    const found = this.#found.get(rule.id) ?? this.foundIn(rule, this.#shown);
    this.#found.set(rule.id, found);
    return found;
  }

  /** What the whole stack comes to, in the sentence of the commands: a line for each hosted cluster with flows that are dropped. */
  conclusions(): readonly string[] {
    const shown = this.#shown;
    if (!shown || shown.hosts.length === 0) return [];
    return (this.#conclusions ??= conclusionsOf(shown, verdictOf(shown, flowRules)).flatMap(
      ({ cluster, counts }) =>
        counts.refuted > 0
          ? [`${this.#hidesValues ? "a hosted cluster" : cluster}: ${flowsSentence(counts)}`]
          : [],
    ));
  }

  /** What filters packets in a stack with hosted clusters and is not judged, and whether a configuration is missing. A stack without clusters has many a group of its own. */
  coverageGaps(resources: readonly PolicyResource[]): string[] {
    const judged = this.stack("not-judged", resources);
    const missing = this.#missingConfiguration(judged);
    if (judged.clusters.length === 0) return missing;
    return [...missing, ...(this.#hidesValues ? unreadFilters(judged) : coverageGaps(judged))];
  }

  /** A configuration that was not named is missed where it could say whose groups these are, or what is accepted; once. */
  #missingConfiguration(judged: JudgedResources): string[] {
    if (this.#source !== undefined || this.#saidMissing) return [];
    const { groups } = judged.groups;
    const why = [
      ...(judged.clusters.length === 0 && groups.length > 0
        ? [`no hosted cluster is known that ${plural(groups.length, "security group")} could belong to`]
        : []),
      ...(this.#reported.size > 0 ? ["no exemption counts"] : []),
    ];
    if (why.length === 0) return [];
    this.#saidMissing = true;
    return [
      `without hypershift-network.yaml ${why.join(", and ")}: name the file by ${CONFIGURATION_VARIABLE}, or as configFile of the policy topology`,
    ];
  }

  /** What a rule has to report on resources, and has not reported before. */
  foundIn(rule: Rule, judged: JudgedResources): Finding[] {
    return this.news(rule.id, findings(rule, judged));
  }

  /** The findings of a rule to report: what is unknown or exempted is only counted, and nothing is said twice. */
  news(rule: string, findings: readonly Finding[]): Finding[] {
    this.#ran.add(rule);
    return findings.filter((finding) => {
      const exemption = this.#exemptions.of(finding, this.#inputs.get(finding.resource.urn ?? ""));
      if (exemption) {
        const subject = finding.resource.urn ?? finding.resource.file ?? "configuration";
        this.#exempted.set(identityOf(finding), `${rule} ${subject}: ${exemption.reason}`);
        return false;
      }
      if (finding.status === Status.Unknown) {
        const { resource, path, message } = finding;
        const urn = resource.urn ?? "";
        const text = this.#hidesValues ? placeWithoutValues(finding) : message;
        this.#unknown.set(JSON.stringify([urn, path]), { urn, path, message, text });
        return false;
      }
      onceIn(this.#wrong, finding.resource.urn ?? "", () => new Places()).add(finding.path);
      const key = identityOf(finding);
      const isNew = !this.#reported.has(key);
      this.#reported.add(key);
      return isNew;
    });
  }

  /** What exemptions took out since the last time, and those that took nothing out. */
  takeExemptions(): { exempted: string[]; stale: string[] } {
    const exempted = [...this.#exempted.values()];
    this.#exempted.clear();
    return { exempted, stale: this.#exemptions.stale((rule) => this.#ran.has(rule)).map(describeStale) };
  }

  /** Keeps findings that are less grave than their rules. */
  remark(found: readonly Finding[]): void {
    pushAll(this.#remarks, found);
  }

  /** Such findings since the last time. */
  takeRemarks(): Finding[] {
    return this.#remarks.splice(0);
  }

  /** What was counted as unknown since the last time, one text for each value. */
  takeUnknown(): string[] {
    const open = [...this.#unknown.values()].filter(
      (one) => !isMisread(one, this.#inputs.get(one.urn), this.#wrong.get(one.urn)),
    );
    this.#unknown.clear();
    return open.map(({ text }) => text);
  }
}

/** A cluster of which a resource speaks, without the other patches on it: what they say is in it, and was reported of them. */
function withoutOtherPatches(cluster: JudgedCluster, resource: Resource): JudgedCluster[] {
  const isOther = (source: ClusterSource) => source.kind === "patch" && source.resource !== resource;
  const { sources } = cluster;
  if (!sources.some((source) => source.resource === resource)) return [];
  return [sources.some(isOther) ? { ...cluster, sources: sources.filter((one) => !isOther(one)) } : cluster];
}

/** Levels are fixed when the pack is loaded, before the engine says which configuration the policy `topology` has. */
function lateLevels(
  levels: Configuration["levels"],
  applied: Readonly<Record<string, unknown>>,
  file: string,
): Fault[] {
  const rules = new Set([...Object.keys(levels), ...Object.keys(applied)]);
  return [...rules]
    .filter((rule) => levels[rule] !== applied[rule])
    .map((rule) => ({
      path: `rules.${rule}`,
      problem: `is not in force, because ${file} is named by the policy configuration`,
      remedy: `write the policy configuration with hypershift-network policy-config, or name the file by ${CONFIGURATION_VARIABLE}`,
    }));
}
