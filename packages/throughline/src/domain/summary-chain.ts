/**
 * Where a summary stands in its chain. The cap bounds how often a summary is made from a
 * summary, not how long a conversation may go on: at the cap the chain is folded into a new
 * root of the next generation, which still names the summary that it comes from.
 */
export interface ChainLink {
  /** 0 for a root, and never more than the cap less one. */
  readonly depth: number
  /** How often the chain was begun anew. */
  readonly generation: number
  readonly parentId: string | null
}

export function nextLink(
  last: (Pick<ChainLink, 'depth' | 'generation'> & { readonly id: string }) | null,
  mostDepth: number,
): ChainLink {
  if (last === null) return { depth: 0, generation: 0, parentId: null }
  const depth = last.depth + 1
  return depth < mostDepth
    ? { depth, generation: last.generation, parentId: last.id }
    : { depth: 0, generation: last.generation + 1, parentId: last.id }
}
