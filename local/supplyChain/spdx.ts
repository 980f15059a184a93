/**
 * Whether allowed licences can satisfy an SPDX expression: `(MIT OR GPL-3.0-only)` needs only MIT. Text that is not an SPDX
 * expression is not satisfiable, and an exception (`WITH`) is part of its licence.
 */
export function satisfiable(expression: string, isAllowed: (id: string) => boolean): boolean {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;

  const either = (): boolean | undefined => joined("OR", all, (one, other) => one || other);
  const all = (): boolean | undefined => joined("AND", one, (met, other) => met && other);
  const one = (): boolean | undefined => {
    const token = tokens[at++];
    if (token === "(") {
      const inner = either();
      return tokens[at++] === ")" ? inner : undefined;
    }
    if (token === undefined || /^(?:\)|AND|OR|WITH)$/.test(token)) return undefined;
    if (tokens[at] !== "WITH") return isAllowed(token);
    const exception = tokens[at + 1];
    at += 2;
    return exception === undefined ? undefined : isAllowed(`${token} WITH ${exception}`);
  };
  const joined = (
    word: string,
    part: () => boolean | undefined,
    join: (met: boolean, other: boolean) => boolean,
  ): boolean | undefined => {
    let met = part();
    while (met !== undefined && tokens[at] === word) {
      at++;
      const other = part();
      met = other === undefined ? undefined : join(met, other);
    }
    return met;
  };

  const met = either();
  return met === true && at === tokens.length;
}
