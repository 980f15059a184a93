const swc = (module) => [
  "@swc/jest",
  { jsc: { parser: { syntax: "typescript" }, target: "es2022" }, module, sourceMaps: "inline" },
];

const common = {
  testEnvironment: "node",
  transform: {
    // ip-cidr is an ES module that imports a CommonJS one: without Node's interop its default import is wrong
    // and every address looks invalid.
    "node_modules/ip-cidr/.+\\.js$": swc({ type: "commonjs", importInterop: "node" }),
    "\\.ts$": swc({ type: "commonjs" }),
  },
  // The examples import the package by its name, as users do.
  moduleNameMapper: {
    "^hypershift-network$": "<rootDir>/src/index.ts",
    "^hypershift-network/testing$": "<rootDir>/src/testing/index.ts",
    "^@npmcli/arborist$": "<rootDir>/local/onDemand/arborist.ts",
    "/typescript-shim$": "<rootDir>/local/onDemand/typescript.ts",
  },
  transformIgnorePatterns: ["/node_modules/(?!ip-cidr/)", "/dist/"],
  modulePathIgnorePatterns: ["<rootDir>/dist/", "<rootDir>/\\.hypershift-network/"],
};

/** @type {import("jest").Config} */
module.exports = {
  testSequencer: "<rootDir>/local/testing/longestFirst.cjs",
  projects: [
    {
      ...common,
      displayName: "unit",
      testMatch: ["<rootDir>/test/**/*.test.ts"],
      testPathIgnorePatterns: ["/node_modules/", "<rootDir>/test/e2e/"],
      setupFilesAfterEnv: ["<rootDir>/test/ownStores.ts", "<rootDir>/test/patience.ts"],
    },
    {
      // These run on the engine and the servers of local/: `npm test` finds or makes them first.
      ...common,
      displayName: "e2e",
      // The project's own definitions are held against real ones, where they are present. Not by patterns to ignore: those of
      // the command line take their place.
      testMatch: [
        "<rootDir>/test/e2e/**/*.test.ts",
        ...(process.env.HYPERSHIFT_NETWORK_CRDS ? [] : ["!**/test/e2e/definitions/**"]),
      ],
      setupFilesAfterEnv: [
        "<rootDir>/test/ownStores.ts",
        "<rootDir>/test/e2e/patience.ts",
        "<rootDir>/test/e2e/freshChannels.ts",
        "<rootDir>/test/promisesWithoutStacks.ts",
      ],
    },
  ],
};
