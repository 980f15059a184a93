// Compiles TypeScript for Mocha as jest.config.cjs does for Jest.
const { transformSync } = require("@swc/core");
const { addHook } = require("pirates");

const compile = (code, filename) =>
  transformSync(code, {
    filename,
    jsc: { parser: { syntax: "typescript" }, target: "es2022" },
    module: { type: "commonjs" },
    sourceMaps: "inline",
  }).code;

addHook(compile, { exts: [".ts"] });
