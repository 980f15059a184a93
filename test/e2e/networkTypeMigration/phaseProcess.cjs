// Carries out phases as the engine's process does it, with the compiled package; each message is one call of the provider.
const { provider } = require("../../../dist/src/networkTypeMigration/component/carryOut.js");

process.on("message", ({ method, given }) => {
  provider[method](...given).then(
    (result) => process.send({ result }),
    (error) => process.send({ failure: error.message }),
  );
});
