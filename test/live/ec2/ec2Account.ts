import { EC2Client } from "@aws-sdk/client-ec2";

/** The answers of EC2 by action; an error refuses the action. Several answers are pages; a function computes the answer from the input. */
export type Account = Readonly<Record<string, object | readonly object[] | Error | Answering>>;
type Answering = (input: never) => object;

/** Replaces EC2 for every client; returns the list of requests in order. */
export function playEc2(account: Account): { action: string; input: object }[] {
  const asked: { action: string; input: object }[] = [];
  const send = (command: unknown): Promise<object> => {
    const { constructor, input } = command as {
      constructor: { name: string };
      input: { NextToken?: string };
    };
    const action = constructor.name.replace(/Command$/, "");
    asked.push({ action, input });
    const answer = account[action] ?? {};
    if (answer instanceof Error) return Promise.reject(answer);
    if (typeof answer === "function") return Promise.resolve((answer as (input: object) => object)(input));
    const pages: readonly object[] = Array.isArray(answer) ? (answer as object[]) : [answer];
    const at = Number(input.NextToken ?? 0);
    return Promise.resolve({ ...pages[at], ...(at + 1 < pages.length && { NextToken: `${at + 1}` }) });
  };
  jest.spyOn(EC2Client.prototype, "send").mockImplementation(send as never);
  return asked;
}

/** An error as the SDK throws it. */
export const ec2Error = (name: string, message = ""): Error => Object.assign(new Error(message), { name });
