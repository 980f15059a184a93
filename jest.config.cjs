const swc = (module) => [
  "@swc/jest",
  { jsc: { parser: { syntax: "typescript" }, target: "es2022" }, module, sourceMaps: "inline" },
];

/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "node",
  roots: ["<rootDir>/test"],
  testMatch: ["**/*.test.ts"],
  transform: {
    // ip-cidr is an ES module that imports a CommonJS one: without Node's interop its default import is wrong
    // and every address looks invalid.
    "node_modules/ip-cidr/.+\\.js$": swc({ type: "commonjs", importInterop: "node" }),
    "\\.ts$": swc({ type: "commonjs" }),
  },
  transformIgnorePatterns: ["/node_modules/(?!ip-cidr/)", "/dist/"],
  modulePathIgnorePatterns: ["<rootDir>/dist/", "<rootDir>/\\.hypershift-network/"],
};
