import { stringify } from "yaml";

import { Platform } from "../../src/requirements/vocabulary";
import { Folder } from "../plan/plans";
import { validCluster } from "../rules/refusals/objects";
import { call } from "./terminal";

let folder: Folder;
beforeEach(() => (folder = new Folder()));
afterEach(() => folder.remove());

test.each(Object.values(Platform))("a valid HostedCluster on %s has no error", async (platform) => {
  const file = folder.write("cluster.yaml", stringify(validCluster(platform)));
  const { out } = await call(["check", file, "--format", "json"]);
  const { findings } = JSON.parse(out) as { findings: { level: string; status: string }[] };
  expect(findings.filter(({ level, status }) => level === "error" && status === "violated")).toEqual([]);
});
