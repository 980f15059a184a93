import * as aws from "@pulumi/aws";

import { kinds } from "../../../../local/plugins/aws/kinds";

describe("the tables of the stand-in", () => {
  test.each(kinds.map((kind) => [kind.token, kind] as const))(
    "name inputs and outputs of %s as @pulumi/aws does",
    (token, kind) => {
      const source = sourceOf(token);
      const assigned = (from: "args" | "state") =>
        [...source.matchAll(new RegExp(`resourceInputs\\["(\\w+)"\\] = \\(?${from}\\?\\.`, "g"))].map(
          ([, name]) => name ?? "",
        );
      const required = [...source.matchAll(/args\?\.(\w+) === undefined/g)].map(([, name]) => name ?? "");
      expect(assigned("state").length).toBeGreaterThan(2);
      expect(Object.keys(kind.properties).filter((name) => !assigned("args").includes(name))).toEqual([]);
      expect(
        kind.outputs.filter((name) => !assigned("state").includes(name) || name in kind.properties),
      ).toEqual([]);
      expect(required.filter((name) => !kind.properties[name]?.required)).toEqual([]);
      expect(kind.tagged ?? false).toBe(assigned("state").includes("tagsAll"));
      expect(Object.keys(kind.properties)).toContain("region");
    },
  );

  test("contain each kind once", () => {
    expect(new Set(kinds.map(({ token }) => token)).size).toBe(kinds.length);
  });
});

/** The constructor of the SDK's class, which names every input and output. */
function sourceOf(token: string): string {
  const [, path = "", name = ""] = token.split(":");
  const module = path.split("/")[0] === "vpc" ? aws.vpc : aws.ec2;
  const type = (module as unknown as Record<string, (new () => unknown) & { __pulumiType: string }>)[name];
  expect(type?.__pulumiType).toBe(token);
  return String(type);
}
