import { existsSync } from "node:fs";
import { join } from "node:path";

import { repositoryRoot } from "../../local/repository";

interface TestFile {
  path: string;
  context: { config: object };
}

const Sequencer = jest.requireActual<{
  longest: string[];
  new (options: object): { sort(tests: TestFile[]): TestFile[] };
}>("../../local/testing/longestFirst.cjs");
const options = { contexts: [], globalConfig: {} };

test("the test files that start first exist", () => {
  expect(Sequencer.longest.filter((file) => !existsSync(join(repositoryRoot, file)))).toEqual([]);
});

test("these test files come before all others, longest first", () => {
  const context = {
    config: { cacheDirectory: "/nowhere", id: "none" },
    hasteFS: { getSize: () => 1 },
  };
  const paths = [
    join(repositoryRoot, "test/other.test.ts"),
    ...Sequencer.longest.map((file) => `/r/${file}`),
  ];
  const sorted = new Sequencer(options).sort(paths.toReversed().map((path) => ({ path, context })));
  expect(sorted.map(({ path }) => path)).toEqual([...paths.slice(1), paths[0]]);
});
