import { TIER, type Acl } from "../../local/ovn/acls/acl";
import { withoutTiers } from "../../local/ovn/acls/withoutTiers";

const acl = (tier: number, priority: number, action: Acl["action"], match: string): Acl => ({
  group: "g",
  direction: "to-lport",
  tier,
  priority,
  action,
  match,
});
const shown = (acls: readonly Acl[]) =>
  [...acls].sort((a, b) => b.priority - a.priority).map(({ action, match }) => `${action} ${match}`);

const namespaced = [acl(TIER.namespaces, 1000, "drop", "all"), acl(TIER.namespaces, 1001, "allow", "some")];

describe("tiers for an OVN that has none", () => {
  test("entries of only namespaces stay as they are", () => {
    expect(withoutTiers(namespaced)).toEqual(namespaced);
  });

  test("a tier that comes later stands lower, whatever its priorities are", () => {
    const acls = [
      acl(TIER.baseline, 1750, "drop", "base"),
      ...namespaced,
      acl(TIER.admin, 200, "drop", "admin"),
    ];
    expect(shown(withoutTiers(acls))).toEqual(["drop admin", "allow some", "drop all", "drop base"]);
  });

  test("in the place of what passes stand the tiers below for its packets, and then that they pass", () => {
    const acls = [acl(TIER.admin, 200, "pass", "p"), acl(TIER.admin, 100, "drop", "d"), ...namespaced];
    expect(shown(withoutTiers(acls))).toEqual([
      "allow (p) && (some)",
      "drop (p) && (all)",
      "allow-related p",
      "drop d",
      "allow some",
      "drop all",
    ]);
  });
});
