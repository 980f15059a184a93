import fc from "fast-check";

import { JsonBytes } from "../../src/plan/scan/jsonBytes";
import { RepeatedTexts } from "../../src/plan/engineStates";

/** Strings of few letters, so that many differ in one letter only, and other values. */
const values = fc.array(
  fc.oneof(
    fc.string({ unit: fc.constantFrom("a", "b", '"', "\\", "é", "\n"), maxLength: 5 }),
    fc.constantFrom(null, 1, true, [], { a: 1 }),
  ),
  { maxLength: 200 },
);

describe("strings that are repeated", () => {
  test("are parsed to their values", () => {
    fc.assert(
      fc.property(values, (all) => {
        const written = all.map((value) => JSON.stringify(value));
        const bytes = Buffer.from(written.join(""));
        const texts = new RepeatedTexts(new JsonBytes(bytes));
        let at = 0;
        for (const [position, one] of written.entries()) {
          const end = at + Buffer.byteLength(one);
          expect(texts.at(at, end)).toEqual(all[position]);
          at = end;
        }
      }),
    );
  });

  test("are parsed once, but a value that can be changed is parsed each time", () => {
    const json = new JsonBytes(Buffer.from('"type""type"[][]'));
    const parsed = jest.spyOn(json, "parsed");
    const texts = new RepeatedTexts(json);
    expect([texts.at(0, 6), texts.at(6, 12)]).toEqual(["type", "type"]);
    expect(parsed).toHaveBeenCalledTimes(1);
    expect(texts.at(12, 14)).not.toBe(texts.at(12, 14));
  });
});
