import { Duty, othersFilters, type OthersRule } from "../../src/requirements/othersFilters";
import { Protocol } from "../../src/requirements/vocabulary";
import { awsWorkerGroup } from "../../src/requirements/rows/nodes";

const lineOf = ({ direction, protocol, ports }: Pick<OthersRule, "direction" | "protocol" | "ports">) =>
  `${direction} ${protocol}${ports ? ` ${ports.from}-${ports.to}` : ""}`;

describe("security groups of others", () => {
  test("HyperShift's group of worker nodes has the rules that defaultWorkerRules creates", () => {
    const { rules } = othersFilters.find(({ id }) => id === "hypershift-worker-group")!;
    expect(rules.map(lineOf).sort()).toEqual(awsWorkerGroup.map(lineOf).sort());
  });

  test("each group has an owner, documents, releases, rules and a way to prove it", () => {
    for (const { duty, documents, releases, toProof, rules } of othersFilters) {
      expect(duty).not.toBe(Duty.Plan);
      expect([documents.length > 0, rules.length > 0]).toEqual([true, true]);
      expect([releases, toProof]).not.toContain("");
    }
    expect(new Set(othersFilters.map(({ id }) => id)).size).toBe(othersFilters.length);
  });

  test("rules have ports exactly if their protocol has ports", () => {
    for (const { protocol, ports } of othersFilters.flatMap(({ rules }) => rules))
      expect(ports !== undefined).toBe(([Protocol.Tcp, Protocol.Udp] as Protocol[]).includes(protocol));
  });
});
