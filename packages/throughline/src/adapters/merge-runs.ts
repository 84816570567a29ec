/** Neighbours of one kind, gathered into runs: for providers that want roles to alternate. */
export function runsOf<Item>(
  items: readonly Item[],
  same: (previous: Item, next: Item) => boolean,
): readonly (readonly [Item, ...Item[]])[] {
  const runs: [Item, ...Item[]][] = []
  let previous: Item | undefined
  for (const item of items) {
    const run = runs.at(-1)
    if (run !== undefined && previous !== undefined && same(previous, item)) run.push(item)
    else runs.push([item])
    previous = item
  }
  return runs
}
