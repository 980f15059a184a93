const { default: Sequencer } = require("@jest/test-sequencer");

/**
 * Test files that take longest, longest first. Jest remembers how long files took on a machine; on one that has not run them
 * yet it goes by their size, and a long one that starts last is waited for by itself.
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

  /** Those of the list, then the others in Jest's own order. */
  sort(tests) {
    const place = ({ path }) => {
      const found = LONGEST.findIndex((end) => path.replaceAll("\\", "/").endsWith(`/${end}`));
      return found < 0 ? LONGEST.length : found;
    };
    return super.sort(tests).sort((a, b) => place(a) - place(b));
  }
};
