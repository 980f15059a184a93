import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { currentContext } from "./kubeconfig";

describe("the kubeconfig of a cluster with nodes", () => {
  const folder = mkdtempSync(join(tmpdir(), "kubeconfig-"));
  const file = join(folder, "config");
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const written = (user: object, current = "b") => {
    const config = {
      clusters: [
        { name: "one", cluster: { server: "https://one" } },
        { name: "two", cluster: { server: "https://two", "certificate-authority": "ca.crt" } },
      ],
      users: [{ name: "admin", user }],
      contexts: [
        { name: "a", context: { cluster: "one", user: "admin" } },
        { name: "b", context: { cluster: "two", user: "admin" } },
      ],
      "current-context": current,
    };
    writeFileSync(file, JSON.stringify(config));
  };

  test("is reduced to its current context, with the content of the files that it names", () => {
    writeFileSync(join(folder, "ca.crt"), "authority");
    writeFileSync(join(folder, "me.crt"), "certificate");
    written({ "client-certificate": "me.crt", "client-key-data": "a2V5" });
    const { clusters, users } = currentContext(file);
    expect(clusters).toEqual([
      { name: "nodes", cluster: { server: "https://two", "certificate-authority-data": "YXV0aG9yaXR5" } },
    ]);
    expect(users[0].user).toEqual({
      "client-key-data": "a2V5",
      "client-certificate-data": "Y2VydGlmaWNhdGU=",
    });
  });

  test("is refused without credentials of its user, and without a valid current context", () => {
    written({ exec: { command: "aws" } });
    expect(() => currentContext(file)).toThrow(/neither a token nor a client certificate/);
    written({ token: "t" }, "c");
    expect(() => currentContext(file)).toThrow(/current-context names no cluster/);
  });
});
