// A provider of any package that takes every resource as it is: what is tried with it is the engine's own work on
// resource options, for any component, whether or not the objects that it needs exist.
const { equal, serveProvider } = require("../../../dist/local/plugins/provider");

const echo = {
  check: ({ news }) => ({ inputs: news }),
  diff: ({ oldInputs, news }) => ({ changes: !equal(oldInputs, news) }),
  create: ({ name, inputs, preview }) => ({ id: preview ? "" : name, state: inputs }),
  read: ({ id, state, inputs }) => ({ id, state, inputs }),
  update: ({ news }) => news,
  delete: () => undefined,
};

void serveProvider({ name: process.argv[2], version: "9.0.0", kinds: () => echo, invoke: () => ({}) });
