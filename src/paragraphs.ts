/** Paragraphs as lines, with an empty one between each two; those without a line are left out. */
export const paragraphs = (parts: readonly (readonly string[])[]): string[] =>
  parts.filter((part) => part.length > 0).flatMap((part, at) => (at === 0 ? part : ["", ...part]));
