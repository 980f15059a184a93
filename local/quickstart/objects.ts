import type { OpMap } from "@pulumi/pulumi/automation";
import colors from "picocolors";

/** An object that was applied, as the program outputs it. */
export interface ObjectLine {
  kind: string;
  name: string;
  /** The fields that the components set. */
  details: string[];
}

/** The Kubernetes objects that were applied, each with its relevant fields. */
export function objectList(objects: readonly ObjectLine[]): string {
  return objects
    .map(({ kind, name, details }) =>
      [`  ${colors.bold(kind)} ${name}`, ...details.map((detail) => `    ${detail}`)].join("\n"),
    )
    .join("\n");
}

/** `41 to create`, `41 unchanged`, `2 updated, 39 unchanged`. */
export function changesLine(changes: OpMap): string {
  const words: Partial<Record<string, string>> = { same: "unchanged" };
  const counts = Object.entries(changes).filter(([, count]) => (count ?? 0) > 0);
  if (counts.length === 0) return "nothing";
  return counts.map(([operation, count]) => `${count} ${words[operation] ?? operation}`).join(", ");
}
