/** Does work for every item, as many at a time as there are lanes; each lane takes the next item when it is done with one. */
export async function inLanes<Lane, Item, Result>(
  lanes: readonly Lane[],
  items: readonly Item[],
  work: (lane: Lane, item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const next = items.entries();
  await Promise.all(
    lanes.map(async (lane) => {
      for (const [place, item] of next) results[place] = await work(lane, item);
    }),
  );
  return results;
}
