import type { PolicyResource, ResourceValidationArgs } from "@pulumi/policy";

import { append, onceIn, pushAll } from "../src/collections";
import type { Fault } from "../src/fault";
import { plural } from "../src/text";
import { flowsSentence } from "../src/reachability/answers/describeAnswer";
import { isHostedCluster, OUR_COMPONENTS } from "../src/resources/resourceTypes";
import { type Resource, UNKNOWN } from "../src/resources/resource";
import { hostedClusters, type JudgedCluster } from "../src/gate/clusters";
import type { ClusterSource } from "../src/resources/clusterSources";
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
import { contradictions } from "../src/plan/configurationFile";
import {
  atPlace,
  CONFIGURATION_VARIABLE,
  configurationOf,
  type ConfigurationSource,
} from "./configurationFile";
import { resourceOfInputs, resourceOfStack, type Properties } from "./fromEngine";
import { ReadOnce } from "./readOnce";
import type { SecretMarks } from "./secretMarks";
import { CONTRADICTS, describeWithoutValues, placeWithoutValues } from "./withoutValues";
import { type Configuration, NO_CONFIGURATION } from "../src/gate/configuration";

/** The policy that reads every resource. */
export const OF_EVERY_RESOURCE = "topology";

/** The state of the pack during one run of the engine, which shows first the resources one by one, then the whole stack. */
export class Session {
  /** Levels of the file that the environment names, by rule. */
  readonly levels: Configuration["levels"];
  /** Faults of the configuration. */
  faults: readonly Fault[] = [];
  /** The names in the policy configuration, which always include those of all policies. */
  configuredNames: readonly string[] = [];
  /** Whether the engine's marks of secrets were kept; undefined if no engine is involved. */
  marks: SecretMarks | undefined;

  #configuration: Configuration = NO_CONFIGURATION;
  /** Identifies the configuration: the path of its file, or its content. */
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
  /** Whether the engine shows every resource by itself, not only those that some rule judges. */
  #isShownEach = false;
  #hidesValues = false;
  readonly #sources = new Map<string, Resource>();
  readonly #reported = new Set<string>();
  /** The values that rules found unknown, by place. */
  readonly #unknown = new Map<string, { urn: string; path: string; message: string; text: string }[]>();
  /** The places of violations, by resource. */
  readonly #wrong = new Map<string, Places>();
  readonly #remarks: Finding[] = [];
  #exemptions = new Exemptions([]);
  readonly #exempted = new Map<string, string>();
  readonly #ran = new Set<string>();
  #saidMissing = false;

  /** @param source the initial configuration; defaults to the file that the environment names */
  constructor(source: ConfigurationSource | undefined = process.env[CONFIGURATION_VARIABLE]) {
    if (source !== undefined && source !== "") this.configure(source);
    this.levels = this.#configuration.levels;
  }

  /**
   * Reads the configuration that the policy `topology` names or contains, once.
   *
   * @param applied the levels of the configuration that the policy configuration repeats
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
   * Keeps the inputs of a resource, read once for all policies: the whole stack is later shown with outputs, many of which are
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

  /** Hides all values if secrets may be among them. */
  #lookAtMarks(urn: string): void {
    if (this.marks && !this.marks.kept(urn)) this.#hidesValues = true;
  }

  /** Whether texts must not contain values of the stack. */
  get hidesValues(): boolean {
    return this.#hidesValues;
  }

  /** A finding as lines for people. */
  describe(finding: Finding): string[] {
    return this.#hidesValues ? describeWithoutValues(finding) : describeFinding(finding);
  }

  /** One resource with the clusters shown so far; a HostedCluster only with the clusters that it describes. Shared by all rules. */
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

  /** The whole stack, read once for all policies. */
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

  /** Whether a program only reads a resource from the cloud: the engine shows such a resource only with the whole stack. */
  #isOnlyRead({ urn }: PolicyResource): boolean {
    return this.#isShownEach && !this.#given.has(urn);
  }

  /** Sorts resources in the order in which the program created them, as in previews: the engine passes the stack in any order. */
  #inOrder(resources: readonly PolicyResource[]): PolicyResource[] {
    const places = new Map([...this.#inputs.keys()].map((urn, at) => [urn, at]));
    const placeOf = ({ urn }: PolicyResource) => places.get(urn) ?? places.size;
    return [...resources].sort((a, b) => placeOf(a) - placeOf(b));
  }

  /** Receives the whole stack, before rules judge it. */
  show(resources: readonly PolicyResource[]): void {
    this.#shown = this.stack(OF_EVERY_RESOURCE, resources);
    this.#found.clear();
    this.#conclusions = undefined;
  }

  /** Where the configuration does not fit the hosted clusters of the stack that was shown, as the commands say it. */
  contradictions(): readonly Fault[] {
    const faults = this.#shown ? contradictions(this.#shown).map(atPlace) : [];
    return this.#hidesValues ? faults.map((fault) => ({ ...fault, ...CONTRADICTS })) : faults;
  }

  /** The findings of a rule on the whole stack; undefined if the stack was not shown. Judged on first use. */
  found(rule: Rule): readonly Finding[] | undefined {
    if (!this.#shown) return undefined;
    const found = this.#found.get(rule.id) ?? this.foundIn(rule, this.#shown);
    this.#found.set(rule.id, found);
    return found;
  }

  /** The conclusion on the whole stack, in the wording of the commands: a line for each hosted cluster with refuted flows. */
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

  /** Unjudged filters of a stack with hosted clusters, and a missing configuration. Other stacks have many unrelated groups. */
  coverageGaps(resources: readonly PolicyResource[]): string[] {
    const judged = this.stack("not-judged", resources);
    const missing = this.#missingConfiguration(judged);
    if (judged.clusters.length === 0) return missing;
    return [...missing, ...(this.#hidesValues ? unreadFilters(judged) : coverageGaps(judged))];
  }

  /** Reports once that no configuration is named, if it could assign groups to clusters or exempt findings. */
  #missingConfiguration(judged: JudgedResources): string[] {
    if (this.#source !== undefined || this.#saidMissing) return [];
    const { groups } = judged.groups;
    const why = [
      ...(judged.clusters.length === 0 && groups.length > 0
        ? [`no hosted cluster is known that ${plural(groups.length, "security group")} could belong to`]
        : []),
      ...(this.#reported.size > 0 ? ["no exemption applies"] : []),
    ];
    if (why.length === 0) return [];
    this.#saidMissing = true;
    return [
      `without hypershift-network.yaml ${why.join(", and ")}: name the file by ${CONFIGURATION_VARIABLE}, or as configFile of the policy topology`,
    ];
  }

  /** The findings of a rule on resources that were not reported before. */
  foundIn(rule: Rule, judged: JudgedResources): Finding[] {
    return this.news(rule.id, findings(rule, judged));
  }

  /** The findings of a rule to report: unknown and exempted findings are only counted, and no finding is reported twice. */
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
        append(this.#unknown, JSON.stringify([urn, path]), [{ urn, path, message, text }]);
        return false;
      }
      onceIn(this.#wrong, finding.resource.urn ?? "", () => new Places()).add(finding.path);
      const key = identityOf(finding);
      const isNew = !this.#reported.has(key);
      this.#reported.add(key);
      return isNew;
    });
  }

  /** The findings that exemptions removed since the last call, and the exemptions that removed nothing. */
  takeExemptions(): { exempted: string[]; stale: string[] } {
    const exempted = [...this.#exempted.values()];
    this.#exempted.clear();
    return { exempted, stale: this.#exemptions.stale((rule) => this.#ran.has(rule)).map(describeStale) };
  }

  /** Keeps findings that are less severe than their rules. */
  remark(found: readonly Finding[]): void {
    pushAll(this.#remarks, found);
  }

  /** The findings kept by `remark` since the last call. */
  takeRemarks(): Finding[] {
    return this.#remarks.splice(0);
  }

  /** The values counted as unknown since the last call, one text for each. */
  takeUnknown(): string[] {
    const open = [...this.#unknown.values()].flatMap((all) =>
      all.filter((one) => !isMisread(one, this.#inputs.get(one.urn), this.#wrong.get(one.urn))).slice(-1),
    );
    this.#unknown.clear();
    return open.map(({ text }) => text);
  }
}

/** A cluster that a resource describes, without other patches as sources: their values are merged, and their faults already reported. */
function withoutOtherPatches(cluster: JudgedCluster, resource: Resource): JudgedCluster[] {
  const isOther = (source: ClusterSource) => source.kind === "patch" && source.resource !== resource;
  const { sources } = cluster;
  if (!sources.some((source) => source.resource === resource)) return [];
  return [sources.some(isOther) ? { ...cluster, sources: sources.filter((one) => !isOther(one)) } : cluster];
}

/** Faults for levels that cannot apply: levels are fixed when the pack is loaded, before the engine sends the policy configuration. */
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
