/** Each of these tests takes a moment on a quiet machine; on a busy one the limit of five seconds ends programs half way. */
jest.setTimeout(600_000);
