import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { distribution, packagesToInstall } from "../../local/toolchain/debianPackages";

describe("Debian packages", () => {
  test("installed packages are not fetched in another version", () => {
    const plan = [
      "NOTE: This is only a simulation!",
      "Reading package lists...",
      "The following NEW packages will be installed:",
      "  libxdp1 ovn-central",
      "Inst libssl3 [3.0.16-1] (3.0.17-1 Debian:12.11/stable [amd64])",
      "Inst libxdp1 (1.3.1-1 Debian:12.11/stable [amd64])",
      "Inst ovn-central (23.03.1-1~deb12u2 Debian:12.11/stable [amd64])",
      "Conf libxdp1 (1.3.1-1 Debian:12.11/stable [amd64])",
    ].join("\n");
    expect(packagesToInstall(plan)).toEqual(["libxdp1", "ovn-central"]);
  });

  test.each([
    ['PRETTY_NAME="Debian GNU/Linux 12"\nVERSION_ID="12"\nID=debian\n', "debian-12"],
    ['ID=ubuntu\nID_LIKE=debian\nVERSION_ID="24.04"\n', "ubuntu-24.04"],
    ["ID=debian\n", "debian-unknown"],
  ])("each release of a distribution has its own name: %j is %s", (text, expected) => {
    const folder = mkdtempSync(join(tmpdir(), "os-release-"));
    try {
      writeFileSync(join(folder, "os-release"), text);
      expect(distribution(join(folder, "os-release"))).toBe(expected);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
