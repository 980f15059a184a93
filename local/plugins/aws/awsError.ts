/** The code of an error that EC2 answered with, if it is one. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error ? error.name : undefined;
}

/** An error in the words of the server, without a stack: what the user reads. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error instanceof AggregateError ? error.errors.map(describeError).join("; ") : "";
  const text = error.message || inner || "no further text";
  return error.name === "Error" ? text : `${error.name}: ${text}`;
}

/** An error as EC2 words it, for what EC2 refuses and its local substitute lets pass. */
export function refusal(code: string, message: string): Error {
  const error = new Error(message);
  error.name = code;
  return error;
}

/** Codes that say "no such object", in all the spellings that EC2 has. */
export function isGone(error: unknown): boolean {
  const code = errorCode(error) ?? "";
  return /NotFound$|NotFound\.|Invalid(Subnet|Vpc|Group)I[dD]\.NotFound/.test(code) || GONE.has(code);
}
const GONE = new Set([
  "InvalidPermission.NotFound",
  "InvalidVpcEndpointId.NotFound",
  "InvalidNetworkAclEntry.NotFound",
  "NatGatewayNotFound",
  "Gateway.NotAttached",
  "InvalidAddress.NotFound",
]);

/** The result, or undefined when the server has no such object. */
export async function unlessGone<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** Repeats a removal while something that is going away still depends on the object. */
export async function untilFree<T>(remove: () => Promise<T>, limit: number, pause = 1000): Promise<T> {
  const end = Date.now() + limit;
  for (;;) {
    try {
      return await remove();
    } catch (error) {
      if (errorCode(error) !== "DependencyViolation" || Date.now() + pause > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
