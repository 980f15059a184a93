import {
  isUnderDomain,
  isWildcard,
  viewsOfEntries,
  viewsOfRules,
} from "../../src/objects/egressFirewallRules";

describe("the rules of an egress firewall are read", () => {
  const ports = [{ port: 443, protocol: "TCP" }];

  test("from the args of a component, each with its paths", () => {
    const rule = { type: "Allow", cidr: "10.0.0.0/8", nodeLabels: { a: "b" }, ports };
    const [, view, ...more] = viewsOfRules([null, rule], "args.rules");
    const nodeLabels = { path: "args.rules[1].nodeLabels", value: { a: "b" } };
    const nodeSelector = { path: "args.rules[1].nodeSelector", value: undefined };
    expect(more).toEqual([]);
    expect(view).toEqual({
      path: "args.rules[1]",
      value: rule,
      type: { path: "args.rules[1].type", value: "Allow" },
      cidr: { path: "args.rules[1].cidr", value: "10.0.0.0/8" },
      dnsName: { path: "args.rules[1].dnsName", value: undefined },
      nodeLabels,
      nodeSelector,
      nodes: [nodeLabels, nodeSelector],
      ports: { path: "args.rules[1].ports", value: ports },
      keys: ["type", "cidr", "dnsName", "nodeLabels", "nodeSelector", "ports"],
      destinations: ["cidr", "dnsName", "nodeLabels", "nodeSelector"],
    });
    expect(viewsOfRules([{}])[0]).toMatchObject({
      path: "rules[0]",
      type: { path: "rules[0].type", value: undefined },
    });
    expect(viewsOfRules(undefined)).toEqual([]);
  });

  test("from an object, whose destinations are in `to`", () => {
    const entry = { type: "Deny", to: { dnsName: "example.com", nodeSelector: {} }, ports };
    const nodeSelector = { path: "spec.egress[0].to.nodeSelector", value: {} };
    expect(viewsOfEntries([entry])).toEqual([
      {
        path: "spec.egress[0]",
        value: entry,
        type: { path: "spec.egress[0].type", value: "Deny" },
        cidr: { path: "spec.egress[0].to.cidrSelector", value: undefined },
        dnsName: { path: "spec.egress[0].to.dnsName", value: "example.com" },
        nodeLabels: { path: "spec.egress[0].to.nodeSelector", value: undefined },
        nodeSelector,
        nodes: [nodeSelector],
        ports: { path: "spec.egress[0].ports", value: ports },
        keys: ["type", "to", "ports"],
        destinations: ["to.cidrSelector", "to.dnsName", "to.nodeSelector"],
      },
    ]);
    expect(viewsOfEntries([{ to: { cidrSelector: "0.0.0.0/0" } }], "egress")[0]).toMatchObject({
      path: "egress[0]",
      cidr: { path: "egress[0].to.cidrSelector", value: "0.0.0.0/0" },
    });
    expect(viewsOfEntries("all")).toEqual([]);
  });

  test.each<[unknown, boolean, boolean]>([
    ["*.example.com", true, true],
    ["*.Example.com.", true, true],
    ["*.com", true, false],
    ["*.com.", true, false],
    ["*.exa_mple.com", true, false],
    ["*.example..com", true, false],
    ["a.*.example.com", false, false],
    ["*", false, false],
    [7, false, false],
    ["www.example.com", false, true],
    ["com", false, false],
  ])("%j is a wildcard: %s, below a domain: %s", (name, isOne, isBelow) => {
    expect(isWildcard(name as string)).toBe(isOne);
    if (typeof name === "string") expect(isUnderDomain(name)).toBe(isBelow);
  });
});
