import { listedIn } from "../src/text";

describe("a comma-separated list", () => {
  test.each<[string, string[]]>([
    ["a,b", ["a", "b"]],
    [" a , b ", ["a", "b"]],
    ["", [""]],
    [",a,,", ["", "a", "", ""]],
    ["10.0.0.0/8", ["10.0.0.0/8"]],
  ])("is split into trimmed entries: %j", (text, entries) => {
    expect([...listedIn(text)]).toEqual(entries);
    expect([...listedIn(text)]).toEqual(text.split(",").map((entry) => entry.trim()));
  });
});
