import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";

import { Platform } from "../../src/requirements/vocabulary";
import { Folder } from "../plan/plans";
import { validCluster } from "../rules/refusals/objects";
import { call } from "./terminal";

let folder: Folder;
beforeEach(() => (folder = new Folder()));
afterEach(() => folder.remove());

/** The rules of which a file has errors. */
async function errorsIn(text: string): Promise<string[]> {
  const file = folder.write("rendered.yaml", text);
  const { out } = await call(["check", file, "--format", "json"]);
  const { findings } = JSON.parse(out) as {
    findings: { rule: string; level: string; status: string; path: string }[];
  };
  const errors = findings.filter(({ level, status }) => level === "error" && status === "violated");
  return errors.map(({ rule, path }) => `${rule} ${path}`);
}

const shared = process.env.HYPERSHIFT_NETWORK_SHARED ?? join(__dirname, "../../../shared");
const samples = join(shared, "samples");
const rendered: [string, string][] = existsSync(samples)
  ? readdirSync(samples).map((name) => [name, readFileSync(join(samples, name), "utf8")])
  : [];
const own = Object.values(Platform).map((platform): [string, string] => [
  platform,
  stringify(validCluster(platform)),
]);

describe("what hypershift create cluster renders", () => {
  test.each([...own, ...rendered])(
    "%s has no error, with real values in place of fake ones",
    async (_, text) => {
      const real = text
        .replaceAll("fakeProxyAddr", "http://proxy.example.com:3128")
        .replaceAll("fakeAddress", "192.0.2.10");
      expect(await errorsIn(real)).toEqual([]);
    },
  );

  test.each(rendered)("%s has no other error than those of its fake values", async (_, text) => {
    const fakes = ["proxy-invalid spec.configuration.proxy.http", "publishing-unsupported spec.services["];
    for (const error of await errorsIn(text)) expect(fakes.some((fake) => error.startsWith(fake))).toBe(true);
  });
});
