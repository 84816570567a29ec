/**
 * Which of many phrases stand in a text, word by word, in one pass: the words are walked through
 * a tree of all phrases, and where no phrase goes on, the longest end of what was walked that
 * begins another is gone on with. However many phrases there are and whatever the text repeats,
 * the time is that of reading both once.
 */

interface Node {
  readonly next: Map<string, Node>
  /** Phrases that end here, by their places in the list. */
  readonly ends: number[]
  /** The longest other beginning of a phrase that the words so far end with. */
  shorter: Node | null
  found: boolean
}

/** Places in the list of the phrases that stand in one of the texts; all are lists of words. */
export function foundPhrases(
  phrases: readonly (readonly string[])[],
  texts: readonly (readonly string[])[],
): ReadonlySet<number> {
  const root = treeOf(phrases)
  const found = new Set<number>()
  for (const text of texts) {
    let node = root
    for (const word of text) {
      node = step(node, word) ?? root
      // What is shorter than a place that was found before has been found with it.
      for (let end: Node | null = node; end !== null && !end.found; end = end.shorter) {
        end.found = true
        for (const place of end.ends) found.add(place)
      }
    }
  }
  return found
}

function treeOf(phrases: readonly (readonly string[])[]): Node {
  const root = newNode()
  for (const [place, words] of phrases.entries()) {
    let node = root
    for (const word of words) {
      const next = node.next.get(word) ?? newNode()
      node.next.set(word, next)
      node = next
    }
    node.ends.push(place)
  }
  link(root)
  return root
}

/** Level by level, since what is shorter stands on a level before. */
function link(root: Node): void {
  const open = [root]
  for (const node of open)
    for (const [word, next] of node.next) {
      next.shorter = node === root ? root : (step(node.shorter, word) ?? root)
      open.push(next)
    }
}

function step(from: Node | null, word: string): Node | null {
  for (let node = from; node !== null; node = node.shorter) {
    const next = node.next.get(word)
    if (next !== undefined) return next
  }
  return null
}

function newNode(): Node {
  return { next: new Map(), ends: [], shorter: null, found: false }
}
