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

describe("ACLs for an OVN without tiers", () => {
  test("are unchanged if all are in the namespace tier", () => {
    expect(withoutTiers(namespaced)).toEqual(namespaced);
  });

  test("have lower priorities in a later tier, whatever their own priorities are", () => {
    const acls = [
      acl(TIER.baseline, 1750, "drop", "base"),
      ...namespaced,
      acl(TIER.admin, 200, "drop", "admin"),
    ];
    expect(shown(withoutTiers(acls))).toEqual(["drop admin", "allow some", "drop all", "drop base"]);
  });

  test("replace a pass by the lower tiers for its packets, followed by an allow", () => {
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
