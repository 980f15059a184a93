import { unlessBusy, waitOf } from "../../src/cluster/unlessBusy";

describe("an API server that is busy, or has just started", () => {
  /** What is heard of a server that is busy so many times, and how often it was asked. */
  const heard = async (busy: number) => {
    let times = 0;
    const answer = await unlessBusy(() =>
      Promise.resolve(times++ < busy ? { answer: "busy", wait: 0 } : { answer: "done" }),
    );
    return [answer, times];
  };

  test("is asked again when it wants to be", async () => {
    expect(await heard(0)).toEqual(["done", 1]);
    expect(await heard(2)).toEqual(["done", 3]);
  });

  test("is not asked for ever", async () => expect(await heard(99)).toEqual(["busy", 10]));

  test.each([
    [429, "1", 1_000],
    [429, "0", 0],
    [429, undefined, undefined],
    [429, "Wed, 21 Oct 2026 07:28:00 GMT", undefined],
    [429, "3600", undefined],
    [503, "1", undefined],
    [200, "1", undefined],
  ])("status %p with Retry-After %p: milliseconds %p", (status, retryAfter, expected) => {
    expect(waitOf(status, retryAfter)).toBe(expected);
  });
});
