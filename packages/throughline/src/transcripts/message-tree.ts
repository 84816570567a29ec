/**
 * A conversation that is kept as a tree: the way from its beginning to the message that is
 * shown last, and the branches that it did not take.
 */

export interface MessageTree {
  /** Of every message the one before it; null where there is none. */
  readonly before: ReadonlyMap<string, string | null>
  /** Those that hold a message; the others only tie the tree together. */
  readonly spoken: ReadonlySet<string>
}

interface TreeWay {
  /** From the beginning to the end. */
  readonly way: readonly string[]
  /** Of each branch how many messages it holds. */
  readonly branches: readonly number[]
}

export function wayTo(end: string | null, tree: MessageTree): TreeWay {
  const last = end !== null && tree.before.has(end) ? end : lastLeaf(tree)
  const way: string[] = []
  const onWay = new Set<string>()
  // A message that stands before itself would lead round and round.
  for (let at = last; at !== null && tree.before.has(at) && !onWay.has(at); ) {
    onWay.add(at)
    way.push(at)
    at = tree.before.get(at) ?? null
  }
  return { way: way.reverse(), branches: branchesOf(onWay, tree) }
}

/** Where nothing says which is shown last: the newest that nothing follows. */
function lastLeaf({ before }: MessageTree): string | null {
  const followed = new Set(before.values())
  const leaves = [...before.keys()].filter((id) => !followed.has(id))
  return leaves.at(-1) ?? null
}

function branchesOf(onWay: ReadonlySet<string>, tree: MessageTree): readonly number[] {
  const headOf = new Map<string, string>()
  const counts = new Map<string, number>()
  for (const id of tree.before.keys()) {
    if (onWay.has(id)) continue
    const head = branchHead(id, onWay, tree, headOf)
    counts.set(head, (counts.get(head) ?? 0) + (tree.spoken.has(id) ? 1 : 0))
  }
  return [...counts.values()].filter((count) => count > 0)
}

/** The first message of a branch; what was walked once is not walked again. */
function branchHead(
  id: string,
  onWay: ReadonlySet<string>,
  { before }: MessageTree,
  headOf: Map<string, string>,
): string {
  const walked: string[] = []
  const seen = new Set<string>()
  let head = id
  for (let at: string | null = id; at !== null && !onWay.has(at) && before.has(at); ) {
    const known = headOf.get(at)
    head = known ?? at
    if (known !== undefined || seen.has(at)) break
    seen.add(at)
    walked.push(at)
    at = before.get(at) ?? null
  }
  for (const step of walked) headOf.set(step, head)
  return head
}
