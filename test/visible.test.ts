import fc from "fast-check";

import { describeFaults } from "../src/fault";
import { jsonDocument, visible, visibleLines } from "../src/text";
import { expectSafe, HOSTILE, hostileText } from "./hostile";

test.each([
  ["a\nb\r\tc", "a\\nb\\r\\tc"],
  ["\u001b[31m", "\\u{1b}[31m"],
  ["a\u202eb\u2028\u{e0041}", "a\\u{202e}b\\u{2028}\\u{e0041}"],
  ["\ud800", "\\u{d800}"],
  ["::error::x", "\\u{3a}:error::x"],
  ["  ::add-mask::x", "  \\u{3a}:add-mask::x"],
  ["x ##[error]y ##vso[z] ##teamcity[q]", "x \\u{23}#[error]y \\u{23}#vso[z] \\u{23}#teamcity[q]"],
  ["<{%red%}>", "\\u{3c}{%red%}>"],
])("%j is shown as %j", (text, shown) => {
  expect(visible(text)).toBe(shown);
  expect(visible(shown)).toBe(shown);
});

test.each(["::1", "::/0 is open", "::ffff:10.0.0.1", "::a - ::b", "C:\\new", "ä 日本 🙂 #1 [2]"])(
  "%j stays unchanged",
  (text) => expect(visible(text)).toBe(text),
);

test("no text adds a line, whatever it contains", () => {
  expectSafe(visible(HOSTILE));
  fc.assert(
    fc.property(fc.array(hostileText), (texts) => {
      const shown = visibleLines(texts);
      expectSafe(shown);
      expect(shown.split("\n")).toHaveLength(Math.max(1, texts.length));
      expect(visibleLines(shown.split("\n"))).toBe(shown);
    }),
  );
});

test("JSON has the same values, and is safe to print", () => {
  expect(jsonDocument({ a: "\u202e##[" })).toBe('{\n  "a": "\\u202e\\u0023#["\n}\n');
  fc.assert(
    fc.property(fc.dictionary(hostileText, fc.array(hostileText)), (value) => {
      const text = jsonDocument(value);
      expectSafe(text.replaceAll("<{%", ""));
      expect(JSON.parse(text)).toEqual(value);
    }),
  );
});

test("each fault has one line", () => {
  fc.assert(
    fc.property(hostileText, hostileText, (path, problem) => {
      const text = describeFaults(path, [
        { path, problem, remedy: problem },
        { path, problem, remedy: path },
      ]);
      expectSafe(text);
      expect(text.split("\n")).toHaveLength(3);
    }),
  );
});
