import { agreeOnRanges, byPackage, everyBlock } from "../../local/fleet/ranges";

test.each([
  // Addresses of the universe, blocks in a list, and the number of lists: every list in every order.
  [16, 2, 2 * 31 ** 2],
  [8, 3, 2 * 15 ** 3],
  [4, 4, 2 * 7 ** 4],
])(
  "range functions agree with comparing addresses: universe of %i addresses, lists of %i blocks",
  (universe, length, lists) => {
    expect(agreeOnRanges(universe, length)).toEqual({ lists });
  },
);

test("range functions report pairs, nesting and sizes for a list of overlapping blocks", () => {
  const [all, lower, upper] = everyBlock(16, 4).map((block, at) => ({ ...block, at }));
  expect(byPackage([all!, lower!, upper!])).toEqual({
    pairs: ["0 1 holds from 10.11.12.0", "0 2 holds from 10.11.12.8"],
    touched: [0, 1, 2],
    heaviest: { shared: [8, 8], further: 0 },
    repeated: 0,
    nested: 2,
    meetingFirst: [1, 2],
    isEnclosed: false,
  });
});
