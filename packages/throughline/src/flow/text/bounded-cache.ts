/**
 * A bounded cache with two generations of half the size each. A used entry moves to the young
 * generation; when that is full, the old one is dropped. An exact LRU would be slow: finding the
 * first key of a Map after many deletions takes 40 µs.
 */
export interface BoundedCache<Value> {
  get(key: string, make: () => Value): Value
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

/** Returns the value of a key; makes and stores one if it is missing or no longer valid. */
export function getOrMake<Key, Value>(
  cache: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
  isValid: (value: Value) => boolean = () => true,
): Value {
  const found = cache.get(key)
  if (found !== undefined && isValid(found)) return found
  const made = make()
  cache.set(key, made)
  return made
}
