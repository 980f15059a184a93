import { execFileSync } from "node:child_process";

import fc from "fast-check";

import { shell } from "../../src/runBook/drafts";

test("a name is one word of the command, whatever characters it has", () => {
  expect(shell`oc get pods -n ${"clusters-tenant.a"}`).toBe("oc get pods -n clusters-tenant.a");
  expect(shell`oc get pods -n ${"a; rm -rf ~"}`).toBe("oc get pods -n 'a; rm -rf ~'");
  expect(shell`oc get pods -n ${"it's"}`).toBe(String.raw`oc get pods -n 'it'\''s'`);
  expect(shell`oc get pods -n ${""}`).toBe("oc get pods -n ''");
});

test("a shell reads a quoted word unchanged", () => {
  const words = fc.sample(
    fc.string().map((text) => text.replaceAll("\0", "")),
    { numRuns: 200, seed: 1 },
  );
  const script = words.map((word) => shell`printf '%s\n' ${word}`).join("\n");
  expect(execFileSync("sh", ["-c", script], { encoding: "utf8" })).toBe(
    words.map((word) => `${word}\n`).join(""),
  );
});
