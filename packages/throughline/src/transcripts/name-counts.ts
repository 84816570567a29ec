/**
 * How often each of very many names has come, in a few bytes for each, however long they are:
 * hashes of 53 bits in a table. Two names of one hash count as one, which takes some hundred
 * million names to become likely; what is made of the counts must stand that.
 */

/** No name has this hash. */
const free = 0

/** Beyond this share of its places a table is slow. */
const fullest = 0.7

export class NameCounts {
  #hashes = new Float64Array(64)
  #counts = new Uint32Array(64)
  #size = 0

  has(name: string): boolean {
    return this.#hashes[this.#placeOf(nameHash(name))] !== free
  }

  /** Adds one, and says how often the name has come now. */
  add(name: string): number {
    const hash = nameHash(name)
    const place = this.#placeOf(hash)
    if (this.#hashes[place] === free) {
      this.#hashes[place] = hash
      this.#size += 1
    }
    const count = (this.#counts[place] ?? 0) + 1
    this.#counts[place] = count
    if (this.#size > this.#hashes.length * fullest) this.#grow()
    return count
  }

  /** Where the hash stands, or where it would. */
  #placeOf(hash: number): number {
    const mask = this.#hashes.length - 1
    let place = hash & mask
    for (;;) {
      const found = this.#hashes[place]
      if (found === hash || found === free) return place
      place = (place + 1) & mask
    }
  }

  #grow(): void {
    const [hashes, counts] = [this.#hashes, this.#counts]
    this.#hashes = new Float64Array(hashes.length * 2)
    this.#counts = new Uint32Array(hashes.length * 2)
    for (const [index, hash] of hashes.entries()) {
      if (hash === free) continue
      const place = this.#placeOf(hash)
      this.#hashes[place] = hash
      this.#counts[place] = counts[index] ?? 0
    }
  }
}

/** The same for the same text, everywhere and always. Not safe against whoever looks for collisions. */
export function nameHash(text: string): number {
  let low = 0x811c9dc5
  let high = 0x41c6ce57
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ code, 0x5f356495) ^ (high >>> 15)
  }
  low = Math.imul(low ^ (low >>> 15), 0x2c1b3c6d) ^ (high >>> 13)
  high = Math.imul(high ^ (high >>> 16), 0x297a2d39) ^ (low >>> 12)
  return (high & 0x1fffff) * 0x1_0000_0000 + (low >>> 0) || 1
}
