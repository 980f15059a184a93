/** The error code of an EC2 response; undefined for anything that is not an error. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error ? error.name : undefined;
}

/** The server's error message for the user, without a stack. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error instanceof AggregateError ? error.errors.map(describeError).join("; ") : "";
  const text = error.message || inner || "no further text";
  return error.name === "Error" ? text : `${error.name}: ${text}`;
}

/** An error in EC2's wording, for requests that EC2 rejects and its local substitute allows. */
export function refusal(code: string, message: string): Error {
  const error = new Error(message);
  error.name = code;
  return error;
}

/** Whether the error means "no such object", in any of EC2's spellings. */
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

/** The result, or undefined if the server has no such object. */
export async function unlessGone<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** Retries a removal while another object that is being deleted still depends on this one. */
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
