/** Many figures as few as can be seen: runs of them, each of which stands for itself. */

/** More than a page is wide in points of a screen of the usual kind. */
const finest = 600

/** Runs of indexes `[from, to)`, one for each point that is drawn. */
export function bucketsOf(
  count: number,
  most = finest,
): readonly (readonly [from: number, to: number])[] {
  const buckets = Math.min(count, most)
  return Array.from({ length: buckets }, (_, bucket) => [
    Math.floor((bucket * count) / buckets),
    Math.floor(((bucket + 1) * count) / buckets),
  ])
}
