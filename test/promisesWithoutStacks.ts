import * as debuggable from "@pulumi/pulumi/runtime/debuggable";

type Debuggable = <T>(promise: Promise<T>, context: unknown) => Promise<T>;

/**
 * Pulumi notes the call stack of every promise, to name those that are left over at the end. Jest translates each line of a stack by
 * source maps when it is noted, which takes three quarters of the time of programs that run here: without lines there is nothing
 * to translate. Errors keep their stacks.
 */
const pulumi = debuggable as unknown as { debuggablePromise: Debuggable };
const { debuggablePromise } = pulumi;
pulumi.debuggablePromise = (promise, context) => {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return debuggablePromise(promise, context);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
};
