import { UNKNOWN } from "../../../src/resources/resource";
import { egressFirewallShadowed } from "../../../src/egressFirewall/rules/nameAndRules";
import { fixOf } from "../../../src/gate/rule";
import { hostedCluster, networking, violations } from "../../rules/builders";
import { rule, named, port, denyAll, api, firewall, messages } from "./firewalls";

describe("M15 egress-firewall-shadowed", () => {
  it("names only the one earlier rule that matches all of a rule's traffic", () => {
    const object = firewall([
      rule("Deny", "192.0.2.0/25", port(443)),
      rule("Deny", "192.0.2.0/24"),
      rule("Allow", "192.0.2.0/26"),
      rule("Allow", "192.0.2.0/26", port(443)),
      rule("Allow", "2001:db8::/32"),
      rule(
        "Allow",
        "2001:db8:1::/48",
        [443, 80].map((number) => ({ port: number, protocol: "TCP" })),
      ),
    ]);
    expect(
      messages(egressFirewallShadowed, [object]).map((message) => message.split(" before it")[0]),
    ).toEqual(
      expect.arrayContaining([
        "spec.egress[2]: is never reached: spec.egress[1]",
        "spec.egress[3]: is never reached: spec.egress[0]",
        "spec.egress[5]: is never reached: spec.egress[4]",
      ]),
    );
  });

  it("names the earlier rules that together match a rule's traffic, and how few rules would be enough", () => {
    const object = firewall([
      rule("Deny", "192.0.2.0/25"),
      rule("Deny", "192.0.2.128/25"),
      rule("Allow", "192.0.2.0/24", port(443)),
    ]);
    expect(messages(egressFirewallShadowed, [object])).toEqual([
      "spec.egress[2]: is never reached: spec.egress[0], spec.egress[1] before it match all of its traffic; 1 of 3 rules would be enough",
    ]);
  });

  it("reports rules that change nothing", () => {
    expect(
      messages(egressFirewallShadowed, [
        firewall([rule("Deny", "192.0.2.0/24"), rule("Allow", "0.0.0.0/0")]),
      ]),
    ).toEqual([
      "spec.egress[1]: changes nothing: without it, later rules or the end of the list have the same effect; 1 of 2 rules would be enough",
    ]);
  });

  it("reports a rule inside the cluster network, if there is only one cluster", () => {
    const inside = firewall([rule("Deny", "10.133.0.0/16"), rule("Deny", "192.0.2.0/24")]);
    expect(messages(egressFirewallShadowed, [hostedCluster(), inside])).toEqual([
      expect.stringContaining("spec.egress[0]: covers only the cluster network"),
    ]);
    expect(messages(egressFirewallShadowed, [inside])).toEqual([]);
    expect(
      messages(egressFirewallShadowed, [hostedCluster(), hostedCluster({}, "tenant-b"), inside]),
    ).toEqual([]);
  });

  it("suggests moving a rule only if others match its traffic, not inside the cluster network", () => {
    const twoNetworks = hostedCluster({
      networking: networking("10.0.0.0/16", {
        clusterNetwork: [{ cidr: "10.132.0.0/15" }, { cidr: "10.134.0.0/15" }],
      }),
    });
    const object = firewall([
      rule("Deny", "10.132.0.0/14"),
      rule("Deny", "192.0.2.0/24"),
      rule("Allow", "192.0.2.0/28"),
    ]);
    for (const cluster of [hostedCluster(), twoNetworks])
      expect(violations(egressFirewallShadowed, [cluster, object])).toMatchObject([
        {
          message:
            "covers only the cluster network, which egress firewalls never match; 1 of 3 rules would be enough",
          fix: "remove it: traffic within the cluster network is for a NetworkPolicy",
        },
        { fix: fixOf(egressFirewallShadowed) },
      ]);
  });

  it("does not report rules that have or could have an effect", () => {
    expect(messages(egressFirewallShadowed, [firewall([api, denyAll])])).toEqual([]);
    expect(messages(egressFirewallShadowed, [firewall([named("Allow", "example.com"), denyAll])])).toEqual(
      [],
    );
    expect(
      messages(egressFirewallShadowed, [
        firewall([rule("Deny", UNKNOWN), rule("Allow", "192.0.2.0/24"), denyAll]),
      ]),
    ).toEqual([]);
    expect(messages(egressFirewallShadowed, [firewall(UNKNOWN)])).toEqual([]);
  });

  const shadowed = [rule("Deny", "192.0.2.0/24"), rule("Allow", "192.0.2.0/25")];
  it("names the rule that matches everything, and no number if a rule is unknown", () => {
    const words = "spec.egress[1]: is never reached: spec.egress[0] before it matches all of its traffic";
    expect(messages(egressFirewallShadowed, [firewall(shadowed)])).toEqual([
      `${words}; 1 of 2 rules would be enough`,
    ]);
    expect(messages(egressFirewallShadowed, [firewall([...shadowed, rule("Deny", UNKNOWN)])])).toEqual([
      words,
    ]);
  });

  it("states that a rule that changes nothing can stay", () => {
    const object = firewall([rule("Deny", "192.0.2.0/24"), rule("Allow", "0.0.0.0/0")]);
    expect(violations(egressFirewallShadowed, [object])[0]?.fix).toBe(
      "remove it, or keep it for readers of the list",
    );
  });

  it.each(["clusters-tenant-a", "clusters", "hypershift", "openshift-dns"])(
    "does not apply the hosted cluster's network to rules for pods of %s, which may be in the management cluster",
    (namespace) => {
      const inside = firewall([rule("Deny", "10.133.0.0/16")], { namespace });
      expect(messages(egressFirewallShadowed, [hostedCluster(), inside])).toEqual([]);
    },
  );
});
