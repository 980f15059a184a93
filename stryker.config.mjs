// What `npm run mutation` hands to StrykerJS, for one folder of src/ at a time, judged by that of test/. docs/contributing.md says how to read its answer.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const { HYPERSHIFT_NETWORK_MUTATE: folder = "address", HYPERSHIFT_NETWORK_ONE_IN: oneIn } = process.env;
const name = folder.replaceAll("/", "-");
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const SLOW = "flowLaws|bulk|sets|overlaps|diff|repair|mutations|excess|manyRules|packetIndex";
/** Flows are seen in what is proved of them, too, and what is read of resources, and the shapes of objects, in what rules find. */
const further = {
  flows: ["reachability/path"],
  resources: ["gate", "addressRanges/rules", "securityGroups/rules", "isolation/rules"],
  objects: ["isolation/rules"],
};
const judges = [folder, ...(further[folder] ?? [])];
/** Every rule's example and the table of refusals stand in one place; they judge what all rules need and whatever noun has the rule. */
const ofAllRules = ["findings", "refusals", "objectInvalid", "objectTwice", "conclusion", "examples"];
const hasRules =
  ["gate", "resources"].includes(folder) ||
  ["rules.ts", "rules"].some((name) => existsSync(here(`src/${folder}/${name}`)));

/** @type {import("@stryker-mutator/api/core").PartialStrykerOptions} */
export default {
  // What components make is judged by golden files and end to end; examples of rules by the tests of all rules.
  mutate: [`src/${folder}/**/*.ts`, `!src/${folder}/component/**`, `!src/${folder}/**/ruleList.ts`],
  ...(oneIn && { plugins: ["@stryker-mutator/*", here("test/mutation/oneIn.mjs")], checkers: ["one-in"] }),
  testRunner: "mocha",
  mochaOptions: {
    require: [here("test/mutation/typescript.cjs"), here("test/mutation/jestInMocha.cjs")],
    // Files with many properties come last: most mutants have failed before.
    spec: [
      ...[`!(${SLOW}).test.ts`, "*.test.ts"].flatMap((file) =>
        judges.map((judge) => `test/${judge}/**/${file}`),
      ),
      ...(hasRules ? ofAllRules.map((file) => `test/rules/${file}.test.ts`) : []),
    ],
    // The next ones need Jest's registry of modules.
    ignore: [
      "test/address/loading.test.ts",
      "test/flows/agreement.test.ts",
      "test/flows/derivedOnce.test.ts",
      "test/plan/prefetch.test.ts",
      // Reads the source text, which has every change in it.
      "test/resources/kubernetesKinds.test.ts",
    ],
  },
  coverageAnalysis: "perTest",
  ignoreStatic: true,
  thresholds: { high: 95, low: 90, break: 85 },
  incremental: true,
  incrementalFile: `node_modules/.cache/stryker/${name}${oneIn ? `-one-in-${oneIn}` : ""}.json`,
  ignorePatterns: [
    "**",
    ...["src", "test", "docs", "examples", "local"].map((name) => `!${name}/**/*`),
    "!*.json",
  ],
  tempDirName: `.hypershift-network/mutation/${name}`,
  reporters: ["clear-text", "html", "json", process.stdout.isTTY ? "progress" : "progress-append-only"],
  clearTextReporter: { logTests: false, allowColor: true },
  htmlReporter: { fileName: `.hypershift-network/mutation/${name}.html` },
  jsonReporter: { fileName: `.hypershift-network/mutation/${name}.json` },
};
