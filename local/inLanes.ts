/** Runs `work` for every item, one item at a time in each lane; a lane takes the next item when it finishes one. */
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
