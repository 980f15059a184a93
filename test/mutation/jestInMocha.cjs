// Replaces Mocha's functions by the parts of Jest that the unit tests use. Mocha keeps the loaded tests from one mutant
// to the next and stops at the first failure, so that a mutant takes milliseconds; Jest reloads every test file.
const { expect } = require("expect");
const { default: fc } = require("fast-check");
const { bind } = require("jest-each");
const { ModuleMocker } = require("jest-mock");
const { interfaces } = require("mocha");

/**
 * Properties try few values, because they run for thousands of mutants, and use one seed, so that the score is
 * reproducible. Counterexamples are not shrunk, because nobody reads them.
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
