import * as debuggable from "@pulumi/pulumi/runtime/debuggable";

type Debuggable = <T>(promise: Promise<T>, context: unknown) => Promise<T>;

/**
 * Pulumi records the call stack of every promise, to name those that are left at the end. Jest translates each line of a stack by
 * source maps when it is recorded, which takes three quarters of the time of programs that run here. Without lines there is nothing
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
