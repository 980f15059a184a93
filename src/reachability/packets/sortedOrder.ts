import { Scratch } from "./scratch";

/** Up to so many are put in order where they stand. */
const FEW = 24;

const scratch = new Scratch();

/** The numbers below `count` in an order; the list holds until the next call, and may be longer. Equal ones keep their order. */
export function sortedOrder(count: number, isBefore: (a: number, b: number) => boolean): ArrayLike<number> {
  const order = scratch.take(count);
  for (let number = 0; number < count; number++) order[number] = number;
  if (count > FEW)
    return Array.from(order.subarray(0, count)).sort((a, b) =>
      isBefore(a, b) ? -1 : isBefore(b, a) ? 1 : 0,
    );
  for (let number = 1; number < count; number++) {
    let to = number;
    for (; to > 0 && isBefore(number, order[to - 1]!); to--) order[to] = order[to - 1]!;
    order[to] = number;
  }
  return order;
}
