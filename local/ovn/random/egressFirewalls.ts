import fc from "fast-check";

import type { EgressFirewallSpec, LabelSelector } from "../manifests";
import { NAMES, PORTS, block, list, protocol, type Objects } from "./pools";

const firewallPort = fc.record({ protocol, port: fc.constantFrom(...PORTS) });
const destination: fc.Arbitrary<EgressFirewallSpec["egress"][number]["to"]> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ cidrSelector: block }) },
  { weight: 1, arbitrary: fc.record({ dnsName: fc.constantFrom(...Object.keys(NAMES)) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      nodeSelector: fc.constantFrom<LabelSelector[]>(
        {},
        { matchLabels: { zone: "a" } },
        { matchExpressions: [{ key: "role", operator: "DoesNotExist" }] },
      ),
    }),
  },
);
const egressFirewallSpec: fc.Arbitrary<EgressFirewallSpec> = fc.record({
  egress: fc.array(
    fc.record(
      { type: fc.constantFrom("Allow", "Deny"), to: destination, ports: list(firewallPort) },
      { requiredKeys: ["type", "to"] },
    ),
    { minLength: 3, maxLength: 8 },
  ),
});

/** An egress firewall in the first namespace. */
export const egressFirewalls: Objects = ([first]) =>
  egressFirewallSpec.map((spec) => [
    { kind: "EgressFirewall", metadata: { name: "default", namespace: first! }, spec },
  ]);
