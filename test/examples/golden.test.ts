import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { repositoryRoot } from "../../local/repository";
import { componentNames } from "../components/minimalArgs";
import { expectGolden } from "../objects/golden";
import { compactJson } from "./compactJson";
import { examples } from "./example";
import { recorded } from "./recorded";

/**
 * Every resource that an example requests from the engine. A change here is a change for users who upgrade: another type, name
 * or parent replaces the resource, as do some inputs.
 */
describe("the resources of every example", () => {
  const all = examples();

  test.each(all.map((example) => [example.name, example] as const))(
    "match the golden file of %s",
    async (name, example) => {
      const { resources, failures } = await recorded(example);
      expect(failures).toEqual([]);
      // The paths of files that an example reads depend on the location of the clone.
      const text = compactJson(resources).replaceAll(repositoryRoot, "CLONE");
      expectGolden(join("examples", `${name}.json`), `${text}\n`);
    },
  );

  test("include every component", () => {
    const files = all.map(({ name }) =>
      readFileSync(join(repositoryRoot, `test/golden/examples/${name}.json`), "utf8"),
    );
    const missing = componentNames().filter(
      (component) => !files.some((text) => text.includes(`"hypershift-network:index:${component}"`)),
    );
    expect(missing).toEqual([]);
  });

  test("exist for every golden file", () => {
    const files = readdirSync(join(repositoryRoot, "test/golden/examples")).sort();
    expect(files).toEqual(all.map(({ name }) => `${name}.json`).sort());
  });
});
