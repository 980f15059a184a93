import { sourcesOf } from "../../src/gate/rule";

test.each([
  [["a"], "a"],
  [["a", "b", "c"], "a; b; c"],
  [["a", "b", "c", "d", "e"], "a; b; c; 2 more: see hypershift-network explain port-public"],
])("a finding names three documents at most, and the command for the rest: %j", (documents, expected) => {
  expect(sourcesOf({ rule: "port-public", documents })).toBe(expected);
});
