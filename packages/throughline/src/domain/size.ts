/** How much of a request a piece of it is. */
export interface Size {
  /** What the provider will count, as well as we know. */
  readonly tokens: number
  /** The most that it can be as it is written in a request, JSON and all. */
  readonly wire: number
}

export const noSize: Size = { tokens: 0, wire: 0 }

export function addSizes(sizes: Iterable<Size>): Size {
  let tokens = 0
  let wire = 0
  for (const size of sizes) {
    tokens += size.tokens
    wire += size.wire
  }
  return { tokens, wire }
}
