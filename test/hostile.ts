import fc from "fast-check";

/** Text that a name, a key or a server response may contain: lines, colors, hidden and reversed text, and commands of CI systems. */
export const HOSTILE =
  "\n::error::P\r\n ::add-mask::P\u001b[31m\u0085\u009b1m\u202eabc\u2066\u200b\u2028::warning::P\u2029\ufeff\u00ad\u{e0041}" +
  "##[error]P ##vso[task.setvariable]P <{%red%}> %0A::error::P | ` ``` <b> @team [a](b) \ud800 \u0000\u007f\t";

/** The same text without characters that YAML or a file system rejects. */
// eslint-disable-next-line no-control-regex -- control characters are what is taken out
export const WRITABLE = HOSTILE.replace(/[\u0000\ud800/]/g, "");

/** Generates similarly hostile texts. */
export const hostileText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc
    .array(fc.oneof(fc.constantFrom(...HOSTILE, "\n", "::error::P", "##[", "##vso[", "<{%"), fc.string()), {
      maxLength: 12,
    })
    .map((parts) => parts.join("")),
);

const UNSEEN =
  // eslint-disable-next-line no-control-regex -- what must not come through
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\ufffe\uffff]|[\ud800-\udfff]/u;

/** Expects a text of several lines to be safe for a terminal and for the log of a CI system. */
export function expectSafe(text: string): void {
  expect(UNSEEN.exec(text)?.[0].codePointAt(0)?.toString(16)).toBe(undefined);
  // GitHub Actions and Azure Pipelines interpret these as commands.
  expect(
    text
      .split("\n")
      .filter((line) => /^\s*::(error|warning|add-mask|[\w-]*[g-z_-][\w-]*(\s.*)?::)/.test(line)),
  ).toEqual([]);
  expect(text).not.toMatch(/##\w*\[/);
  expect(text).not.toContain("<{%");
}
