import { LiveFault, LiveStatus } from "../../src/cluster/liveCluster";
import { until } from "../../src/cluster/interruptible";

const passed = { what: "the roll-out", found: "2 of 2", status: LiveStatus.Passed };
const failed = { what: "the roll-out", found: "1 of 2", status: LiveStatus.Failed };
const fault = (status?: number) => new LiveFault(`status ${status ?? "none"}`, "try again", status);

/** Waits for sights in their order, the last of which repeats. */
async function waited(...sights: (typeof passed | LiveFault)[]) {
  let now = 0;
  let looks = 0;
  const told: string[] = [];
  const end = await until(
    () => {
      const sight = sights[Math.min(looks++, sights.length - 1)]!;
      return sight instanceof LiveFault ? Promise.reject(sight) : Promise.resolve(sight);
    },
    {
      now: () => now,
      sleep: (time) => Promise.resolve(void (now += time)),
      deadline: 10_000,
      progress: ({ what, found }) => void told.push(`${what}: ${found}`),
    },
  ).catch((error: unknown) => error);
  return { end, looks, told };
}

describe("waiting for a cluster", () => {
  test.each([undefined, 429, 500, 503])(
    "continues after status %s, which is reported once",
    async (status) => {
      const { end, told } = await waited(failed, fault(status), fault(status), failed, passed);
      expect(end).toBe(passed);
      expect(told).toEqual([
        "the roll-out: 1 of 2",
        `the roll-out: status ${status ?? "none"}`,
        "the roll-out: 1 of 2",
      ]);
    },
  );

  test("continues if the first request already gets no answer", async () => {
    const { end, told } = await waited(fault(), passed);
    expect([end, told]).toEqual([passed, ["waiting: status none"]]);
  });

  test.each([401, 403, 409])("ends immediately with status %d", async (status) => {
    const { end, looks } = await waited(failed, fault(status));
    expect([end, looks]).toEqual([fault(status), 2]);
  });

  test("ends with the fault if the cluster still does not answer at the deadline", async () => {
    const { end, looks } = await waited(failed, fault(503));
    expect([end, looks]).toEqual([fault(503), 6]);
  });

  test("ends immediately with an error that is not a fault of a cluster", async () => {
    const wrong = new TypeError("wrong");
    const end = until(() => Promise.reject(wrong), {
      now: () => 0,
      sleep: () => Promise.resolve(),
      deadline: 10_000,
      progress: () => undefined,
    });
    await expect(end).rejects.toBe(wrong);
  });
});
