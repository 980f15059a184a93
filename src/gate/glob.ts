/**
 * Whether a whole name is one in which a star stands for any text. URNs hold slashes, brackets and dollars, so nothing else is special.
 * Each part between stars is looked for
 * once, behind the one before: a regular expression would try all combinations.
 */
export function globOf(glob: string): (name: string) => boolean {
  const [first = "", ...rest] = glob.split(/\*+/);
  const last = rest.pop();
  if (last === undefined) return (name) => name === glob;
  return (name) => {
    if (!name.startsWith(first) || !name.endsWith(last)) return false;
    let at = first.length;
    for (const part of rest) {
      const found = name.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return at <= name.length - last.length;
  };
}
