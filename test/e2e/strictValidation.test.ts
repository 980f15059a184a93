import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Session } from "../../local/session";
import { strictRefusals } from "./examples/strict";
import { sharedSession } from "./sharedSession";

const folder = mkdtempSync(join(tmpdir(), "strict-"));
let session: Session;
beforeAll(async () => {
  session = await sharedSession(folder);
});
afterAll(async () => {
  await session?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The examples' objects are checked with it: see examples/life.ts. */
test("strictRefusals reports a field that the API server would drop", async () => {
  const inputs = {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: "default" },
    spec: { finalisers: [] },
  };
  const namespace = { urn: "", type: "kubernetes:core/v1:Namespace", custom: true, inputs };
  expect(await strictRefusals(session.kubernetes, [namespace])).toEqual([
    expect.stringMatching(/^Namespace default: .*spec\.finalisers/) as string,
  ]);
});
