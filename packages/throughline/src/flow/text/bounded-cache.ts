/**
 * A bounded cache in two generations, each half of the size: what is asked for moves to the young
 * one; when that is
 * full, the old one is dropped. Exact LRU would be slow: the first key of a Map with many
 * deletions takes 40 µs to find.
 */
export interface BoundedCache<Value> {
  get(key: string, make: () => Value): Value
}

/** What a map holds under the key; made and kept where it holds nothing, or nothing that is still right. */
export function getOrMake<Key, Value>(
  known: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
  isRight: (value: Value) => boolean = () => true,
): Value {
  const found = known.get(key)
  if (found !== undefined && isRight(found)) return found
  const made = make()
  known.set(key, made)
  return made
}

export function createBoundedCache<Value>(maxEntries: number): BoundedCache<Value> {
  const generationEntries = Math.floor(maxEntries / 2)
  let young = new Map<string, Value>()
  let old = new Map<string, Value>()
  return {
    get(key, make) {
      const known = young.get(key)
      if (known !== undefined) return known
      const value = old.get(key) ?? make()
      if (generationEntries === 0) return value
      if (young.size >= generationEntries) {
        old = young
        young = new Map()
      }
      young.set(key, value)
      return value
    },
  }
}
