// What the unit tests use of Jest, in the place of Mocha's own functions. Mocha keeps the loaded tests from one mutant
// to the next and stops at the first failure, so that a mutant takes milliseconds; Jest loads every test file anew.
const { expect } = require("expect");
const { default: fc } = require("fast-check");
const { bind } = require("jest-each");
const { ModuleMocker } = require("jest-mock");
const { interfaces } = require("mocha");

/**
 * Properties try few values, because thousands of mutants are tried on them; with one seed, so that the score is the
 * same each time. The smallest counterexample is not looked for: it is not read.
 */
const FEW = 30;
const MOST = 200;
const few = ({ numRuns = FEW, ...others } = {}) => ({
  seed: 1,
  endOnFailure: true,
  numRuns: Math.min(numRuns, MOST),
  ...others,
});
const assert = (property, parameters) => fc.assert(property, few(parameters));
require("fast-check").default = { ...fc, assert };

const mocker = new ModuleMocker(globalThis);
const MOCKING = [
  "fn",
  "spyOn",
  "replaceProperty",
  "restoreAllMocks",
  "clearAllMocks",
  "resetAllMocks",
  "mocked",
];
const jest = {
  ...Object.fromEntries(MOCKING.map((name) => [name, mocker[name].bind(mocker)])),
  requireActual: require,
};

const { bdd } = interfaces;
interfaces.bdd = function jestInMocha(suite) {
  bdd(suite);
  suite.on("pre-require", (context) => {
    const { describe, it, before, after } = context;
    const test = (title, judge) => it(title, judge);
    Object.assign(describe, { each: bind(describe, false) });
    Object.assign(test, { each: bind(it, false) });
    Object.assign(context, { describe, test, it: test, beforeAll: before, afterAll: after, expect, jest });
  });
};
