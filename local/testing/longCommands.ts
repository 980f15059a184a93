/** Commands that take too long to run for each change of the project: the name of the npm script, and what it tests. */
export const LONG_COMMANDS = {
  "test:interrupted":
    "every point at which the quick start, a verification and a migration can be interrupted; npm test takes some",
  "test:official":
    "the end-to-end tests on Pulumi's own language host and providers, if they are on PATH or installed",
  "test:newest": "all tests with the newest Pulumi SDK",
  "test:lowest": "all tests with the lowest versions that package.json allows",
  "prove-rows": "removes the data of each requirement, and shows which test notices",
  mutation: "changes the code in one place after another, and counts what the tests notice",
  oracle: "asks OVN itself what happens to random packets under random policies and egress firewalls",
  fuzz: "thousands of changed inputs in the command line and the policy pack; npm test takes some hundred",
  agree:
    "thousands of hosted clusters, their filters in every form: whether check, prove, explain, report and certificates agree; npm test takes some",
  "fleet-oracle":
    "plans 100,000 random fleets a second time, by trying every address; npm test takes some hundred",
  languages:
    "generates SDKs by Pulumi's generators, checks the examples' types, and deploys those in Python and YAML",
  bench: "how long commands take, compared with other packages and programs",
  "supply-chain":
    "licences, install scripts and known vulnerabilities of the packages that users get; writes the bill of materials",
  growth:
    "how time and memory of every command grow with each property of an input; npm test counts the steps of some",
} as const;

/** The list of these commands that `npm test` prints at its end. */
export function longCommands(): string {
  const names = Object.keys(LONG_COMMANDS).map((name) => `npm run ${name}`);
  const width = Math.max(...names.map((name) => name.length));
  const lines = Object.values(LONG_COMMANDS).map(
    (what, place) => `  ${names[place]!.padEnd(width)}  ${what}`,
  );
  return ["Longer tests are separate commands:", ...lines].join("\n");
}
