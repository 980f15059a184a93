import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { defaultFolder, isMadeBy, LostCreates } from "../../../../local/plugins/kubernetes/lostCreates";
import type { KubeObject } from "../../../../local/plugins/kubernetes/object";

const folder = mkdtempSync(join(tmpdir(), "kubernetes-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("a create whose reply was lost", () => {
  const object = (manager: string, creationTimestamp: string) =>
    ({ metadata: { creationTimestamp, managedFields: [{ manager }] } }) as unknown as KubeObject;

  test("is remembered by the next process and forgotten after the engine ended normally", () => {
    const place = join(folder, "creates");
    const first = new LostCreates(place);
    first.begin("urn:a", "manager-1");
    expect(new LostCreates(place).of("urn:a")).toMatchObject({ urn: "urn:a", manager: "manager-1" });
    first.allSettled();
    expect(new LostCreates(place).of("urn:a")).toBeUndefined();
  });
  test("is recorded with the state of the session, or in the user's cache folder without one", () => {
    expect(defaultFolder({ HYPERSHIFT_NETWORK_RECORDS: "/state/processes", XDG_CACHE_HOME: "/cache" })).toBe(
      "/state/begun-creates",
    );
    expect(defaultFolder({ XDG_CACHE_HOME: "/cache" })).toBe("/cache/hypershift-network/begun-creates");
  });
  test("matches an object only if field manager and creation time fit", () => {
    const begun = { urn: "u", manager: "m", at: Date.parse("2026-01-01T00:00:00.900Z") };
    expect(isMadeBy(object("m", "2026-01-01T00:00:00Z"), begun)).toBe(true);
    expect(isMadeBy(object("m", "2025-12-31T23:59:59Z"), begun)).toBe(false);
    expect(isMadeBy(object("other", "2026-01-01T00:00:00Z"), begun)).toBe(false);
  });
});
