// Lets a Node process of its own run TypeScript: some tests need a process that may end with an unhandled error.
const swc = require("@swc/core");

require.extensions[".ts"] = (module, file) => {
  const options = {
    jsc: { parser: { syntax: "typescript" }, target: "es2022" },
    module: { type: "commonjs" },
  };
  module._compile(swc.transformFileSync(file, options).code, file);
};
