/** An engine, a policy pack and an API server start in each of these tests: seconds on a quiet machine, minutes on a busy one. */
jest.setTimeout(900_000);
