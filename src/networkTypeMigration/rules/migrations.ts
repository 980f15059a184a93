import { isGiven } from "../../objects/places";
import { MIGRATION_ANNOTATION } from "../../requirements/migration";
import { NetworkType } from "../../requirements/vocabulary";
import { readValue } from "../../resources/read";
import { UNKNOWN, type PropertyValue } from "../../resources/resource";
import type { JudgedResources } from "../../gate/judgedResources";
import { secretOnly, type Judgement } from "../../gate/rule";
import { networkOperators, type WrittenOperator } from "../../networkOperator/rules/networkOperators";

/** A Network operator whose cluster changes its network type. */
export interface WrittenMigration extends WrittenOperator {
  /** What says so: `spec.migration.networkType`. */
  path: string;
  /** The type that the cluster is to have; undefined where nothing says it. */
  target: NetworkType | undefined;
  /** True where nodes are changed one by one, without the steps by hand. */
  isLive: boolean;
}

const TYPE = "spec.migration.networkType";

/** The network operators whose clusters change their network type. */
export function typeMigrations(judged: JudgedResources): WrittenMigration[] {
  return networkOperators(judged).flatMap((operator) => {
    const { value, resource } = operator;
    const stated = value(TYPE);
    const annotations = readValue(resource.properties, "metadata.annotations");
    const annotation: PropertyValue | undefined =
      typeof annotations === "object" && annotations !== null && !Array.isArray(annotations)
        ? (annotations as Record<string, PropertyValue>)[MIGRATION_ANNOTATION]
        : undefined;
    const isStated = isGiven(stated) && stated !== "";
    if (!isStated && !isGiven(annotation)) return [];
    const target = Object.values(NetworkType).find((type) => type === stated);
    const isLive = value("spec.migration.mode") === "Live";
    const path = isStated ? TYPE : `metadata.annotations.${MIGRATION_ANNOTATION}`;
    return stated === UNKNOWN ? [] : [{ ...operator, path, target, isLive }];
  });
}

/** Network operators that hide the type which their cluster is to have. */
export const hiddenMigrations = (judged: JudgedResources): Judgement[] =>
  networkOperators(judged, TYPE).flatMap(({ resource }) => secretOnly({ resource, path: TYPE }));

/** The number at a path: UNKNOWN where nobody knows it, undefined where it is absent or none. */
export function numberAt({ value }: WrittenOperator, path: string): number | typeof UNKNOWN | undefined {
  const found = value(path);
  return typeof found === "number" || found === UNKNOWN ? found : undefined;
}
