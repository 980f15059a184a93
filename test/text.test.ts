import { listedIn } from "../src/text";

describe("what a text lists between commas", () => {
  test.each<[string, string[]]>([
    ["a,b", ["a", "b"]],
    [" a , b ", ["a", "b"]],
    ["", [""]],
    [",a,,", ["", "a", "", ""]],
    ["10.0.0.0/8", ["10.0.0.0/8"]],
  ])("%j", (text, entries) => {
    expect([...listedIn(text)]).toEqual(entries);
    expect([...listedIn(text)]).toEqual(text.split(",").map((entry) => entry.trim()));
  });
});
