/** Each of these tests is short on an idle machine, but on a busy one the limit of five seconds ends programs midway. */
jest.setTimeout(600_000);
