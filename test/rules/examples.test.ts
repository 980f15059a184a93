import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

import { type RuleExample, ruleExamples, rules } from "../../src/rules";
import { readConfiguration } from "../../src/gate/readConfiguration";
import { violations } from "./builders";
import { exampleResources } from "./exampleResources";
import { rulesPage } from "./rulesPage";

const examples = Object.entries(ruleExamples);
const ruleOf = (id: string) => rules.find((rule) => rule.id === id)!;
const found = (id: string, text: string, { configuration = "" }: RuleExample) =>
  violations(
    ruleOf(id),
    exampleResources(text),
    readConfiguration(parse(configuration), "hypershift-network.yaml").configuration,
  ).map(({ message }) => message);

/** Rules without an example, because it would take too many lines: 8,001 rules. */
const WITHOUT = ["egress-firewall-limit"];

describe("the example of a rule", () => {
  it.each(examples)("%s is found in the violation, and not in the fix", (id, example) => {
    expect(found(id, example.violated, example)).not.toEqual([]);
    expect(found(id, example.mended, example)).toEqual([]);
  });

  it.each(examples)("%s names only packets that can exist", (id, { violated, configuration = "" }) => {
    const { configuration: read } = readConfiguration(parse(configuration), "hypershift-network.yaml");
    for (const { witness = "" } of violations(ruleOf(id), exampleResources(violated), read)) {
      const [, from, to] = /^(.*) -> (.*), [^,]*$/.exec(witness) ?? [];
      expect(witness).not.toMatch(/\bprotocol 0\b|\.0 ->|-> [\d.]+\.0,|:: ->/);
      if (from !== undefined) expect(to).not.toBe(from);
    }
  });

  it("exists for every rule", () => {
    const ids = rules.map(({ id }) => id).sort();
    expect([...examples.map(([id]) => id), ...WITHOUT].sort()).toEqual(ids);
  });
});

describe("docs/rules.md", () => {
  it("matches the rules", () => {
    const file = join(__dirname, "../../docs/rules.md");
    const page = rulesPage();
    if (process.env.UPDATE_GOLDEN) writeFileSync(file, page);
    expect(readFileSync(file, "utf8")).toBe(page);
  });
});

/** Every rule id, by group: users name them in configurations, and later checks rely on them. */
const IDS = {
  addresses:
    "hosted-cluster-name cidr-invalid cidr-overlap cidr-reserved-overlap network-capacity address-plan-conflict ovn-subnet-invalid ovn-subnet-capacity ovn-subnet-release",
  ports:
    "port-missing port-excess port-public port-localhost-only bootstrap-port-open node-port-range publishing-unsupported security-group-mixed-rules security-group-quota",
  proxy:
    "proxy-invalid proxy-no-proxy-missing proxy-trusted-ca proxy-dns-blocked proxy-api-bypass proxy-no-compute-nodes",
  egress:
    "egress-firewall-name egress-firewall-duplicate egress-firewall-limit egress-firewall-rule-invalid egress-firewall-shadowed egress-firewall-api-blocked egress-firewall-dns egress-ip-invalid egress-ip-platform egress-ip-nodes egress-router-invalid egress-router-platform",
  clusterNetwork:
    "cidr-unconnected-overlap cidr-public machine-network primary-network-namespace service-published-twice multicast-annotation hybrid-overlay-overlap hybrid-overlay-port hybrid-overlay-platform ipsec-day-two service-traffic-policy migration-mtu migration-ports migration-isolation-mode migration-order immutable-field object-invalid object-twice policy-order-undefined port-range-reversed network-acl-number",
  isolation:
    "network-policy-invalid isolation-default-deny isolation-flow-blocked isolation-flow-excess pod-privileged pod-host-path pod-host-network pod-host-pid pod-host-port pod-capabilities pod-user pod-selinux dedicated-nodes",
};

it("M22 the rules have exactly the promised ids", () => {
  const promised = Object.values(IDS).flatMap((group) => group.split(" "));
  expect(rules.map(({ id }) => id).sort()).toEqual(promised.sort());
});
