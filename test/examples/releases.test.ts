import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { repositoryRoot } from "../../local/repository";
import { examples } from "./example";
import { type Recorded, recorded } from "./recorded";

const folder = join(repositoryRoot, "test/golden/releases");

/** What a release named the resources of each example: type, parent and name, of which URNs are made. */
type Release = Readonly<Record<string, readonly string[]>>;
const releases = readdirSync(folder).map(
  (file) =>
    [file.replace(/\.json$/, ""), JSON.parse(readFileSync(join(folder, file), "utf8")) as Release] as const,
);

const identity = ({ type, parent }: Recorded, name: string): string =>
  [type, ...(parent ? [`${parent.replace(" ", "/")}/`] : []), name].join(" ");

/** Under which identities the engine finds a resource in the state of a stack. */
function identities(resource: Recorded): string[] {
  const aliases = (resource.aliases ?? []).map((text) => JSON.parse(text) as { spec?: { name?: string } });
  return [resource.name, ...aliases.flatMap(({ spec }) => spec?.name || [])].map((name) =>
    identity(resource, name),
  );
}

/** Names never move: docs/upgrading.md. A release that is published adds a file, and none of them is ever changed. */
describe.each(releases)("what version %s has made", (_, release) => {
  const all = examples().filter(({ name }) => name in release);

  test.each(all.map((example) => [example.name, example] as const))(
    "is found by the resources of %s",
    async (name, example) => {
      const found = (await recorded(example)).resources.flatMap(identities);
      expect(release[name]!.filter((one) => !found.includes(one))).toEqual([]);
      expect(found).toHaveLength(new Set(found).size);
    },
  );

  test("holds an example for each of its names", () => {
    expect(all.map(({ name }) => name).sort()).toEqual(Object.keys(release).sort());
  });
});
