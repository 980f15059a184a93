/** A block of code, whose fence is longer than any in it. */
export function fenced(body: string, language = "text"): string {
  const longest = Math.max(2, ...[...body.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${body}${fence}\n`;
}
