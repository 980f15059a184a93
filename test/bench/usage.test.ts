import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { usageOf } from "../../bench/check/measure";
import { repositoryRoot } from "../../local/repository";

/** A started process loads a part of the bench, as it was built. */
const built = join(repositoryRoot, "dist", "bench", "check", "measure.js");

test("the peak memory of a process does not contain that of the program that started it", () => {
  expect(existsSync(built)).toBe(true);
  const bench = createRequire(__filename)(built) as { usageOf: typeof usageOf };
  const peak = () => bench.usageOf({ arguments: ["-e", "0"], statuses: [0] }).peak;
  const alone = peak();
  const held = Buffer.alloc(200 << 20, 1);
  expect([peak() < alone + 50, held.length > 0]).toEqual([true, true]);
});
