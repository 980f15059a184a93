import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { repositoryRoot } from "../../local/repository";
import { examples } from "./example";
import { type Recorded, recorded } from "./recorded";

const folder = join(repositoryRoot, "test/golden/releases");

/** The resources of each example in a release: type, parent and name, which make up the URN. */
type Release = Readonly<Record<string, readonly string[]>>;
const releases = readdirSync(folder).map(
  (file) =>
    [file.replace(/\.json$/, ""), JSON.parse(readFileSync(join(folder, file), "utf8")) as Release] as const,
);

const identity = ({ type, parent }: Recorded, name: string): string =>
  [type, ...(parent ? [`${parent.replace(" ", "/")}/`] : []), name].join(" ");

/** The identities under which the engine finds a resource in the state of a stack. */
function identities(resource: Recorded): string[] {
  const aliases = (resource.aliases ?? []).map((text) => JSON.parse(text) as { spec?: { name?: string } });
  return [resource.name, ...aliases.flatMap(({ spec }) => spec?.name || [])].map((name) =>
    identity(resource, name),
  );
}

/** Names never change (docs/upgrading.md). Each published release adds a file, which never changes. */
describe.each(releases)("every resource of version %s", (_, release) => {
  const all = examples().filter(({ name }) => name in release);

  test.each(all.map((example) => [example.name, example] as const))(
    "is found again among the resources of %s",
    async (name, example) => {
      const found = (await recorded(example)).resources.flatMap(identities);
      expect(release[name]!.filter((one) => !found.includes(one))).toEqual([]);
      expect(found).toHaveLength(new Set(found).size);
    },
  );

  test("belongs to an example that still exists", () => {
    expect(all.map(({ name }) => name).sort()).toEqual(Object.keys(release).sort());
  });
});
