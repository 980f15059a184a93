import type { FlowCounts } from "../../../src/reachability/answers/answer";
import { countFlows, flowsSentence, provesNothing } from "../../../src/reachability/answers/describeAnswer";
import { Proof } from "../../../src/reachability/proof/prove";

describe("the counts of flows by verdict", () => {
  const none = countFlows([]);

  test("count a dropped flow as refuted unless it is accepted or not every pod needs it", () => {
    const dropped = { proof: Proof.Refuted };
    expect(none).toEqual({
      proved: 0,
      assumed: 0,
      unknown: 0,
      refuted: 0,
      optionalRefuted: 0,
      exempted: 0,
      disabled: 0,
    });
    expect(
      countFlows([
        ...[Proof.Proved, Proof.Proved, Proof.Assumed, Proof.Unknown].map((proof) => ({
          proof,
          optional: true,
        })),
        dropped,
        dropped,
        dropped,
        { ...dropped, optional: true },
        { ...dropped, optional: true },
        { ...dropped, accepted: "exempted" },
        { ...dropped, accepted: "disabled", optional: true },
        { proof: Proof.Proved, accepted: "disabled" },
      ]),
    ).toEqual({
      proved: 3,
      assumed: 1,
      unknown: 1,
      refuted: 3,
      optionalRefuted: 2,
      exempted: 1,
      disabled: 1,
    });
  });

  test.each<[string, Partial<FlowCounts>]>([
    ["0 of 0 documented flows proved, 0 assumed, 0 unknown, 0 refuted", {}],
    ["1 of 1 documented flow proved, 0 assumed, 0 unknown, 0 refuted", { proved: 1 }],
    [
      "1 of 15 documented flows proved, 2 assumed, 3 unknown, 4 refuted, 3 exempted, 2 dropped because the rule is disabled",
      { proved: 1, assumed: 2, unknown: 3, refuted: 4, exempted: 3, disabled: 2 },
    ],
    [
      "1 of 1 documented flow proved, 0 assumed, 0 unknown, 0 refuted, and 1 flow that not every pod needs is dropped",
      { proved: 1, optionalRefuted: 1 },
    ],
    [
      "1 of 1 documented flow proved, 0 assumed, 0 unknown, 0 refuted, and 2 flows that not every pod needs are dropped",
      { proved: 1, optionalRefuted: 2 },
    ],
    [
      "0 of 1 documented flow proved, 1 assumed, 0 unknown, 0 refuted: this plan proves nothing",
      { assumed: 1 },
    ],
  ])("%s", (text, counts) => {
    expect(flowsSentence({ ...none, ...counts })).toBe(text);
    expect(provesNothing({ ...none, ...counts })).toBe(text.endsWith("proves nothing"));
  });
});
