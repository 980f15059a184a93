const { default: Sequencer } = require("@jest/test-sequencer");

/**
 * The slowest test files, slowest first. Jest remembers how long files took on a machine; on a machine that has not run them yet it
 * sorts by size, and a slow file that starts last delays the whole run.
 */
const LONGEST = [
  "e2e/installedPackage",
  "e2e/examplesFirst",
  "e2e/examplesSecond",
  "e2e/examplesThird",
  "e2e/interrupted",
  "e2e/ovnSubnetRollOut",
  "e2e/smallestRoles/smallestRoles",
  "e2e/hostedClusterNetwork",
  "e2e/badInput",
  "e2e/quickstart",
  "e2e/componentProvider",
  "e2e/verify",
  "e2e/verifyInterrupted",
  "e2e/runBook",
  "e2e/ovnSubnetVerification",
  "e2e/session",
  "e2e/onNodes/verification",
  "e2e/policy",
  "e2e/networkTypeMigrationKilled",
  "components/unknownInputs",
  "rules/everyRule",
  "rules/unknownAnywhere",
  "schema/schema",
  "components/options",
].map((name) => `test/${name}.test.ts`);

module.exports = class LongestFirst extends Sequencer {
  static longest = LONGEST;

  /** Sorts the files of the list first, then the others in Jest's own order. */
  sort(tests) {
    const place = ({ path }) => {
      const found = LONGEST.findIndex((end) => path.replaceAll("\\", "/").endsWith(`/${end}`));
      return found < 0 ? LONGEST.length : found;
    };
    return super.sort(tests).sort((a, b) => place(a) - place(b));
  }
};
