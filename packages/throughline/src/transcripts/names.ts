/**
 * Counts very many names by hashes of 53 bits, so that a name takes a few bytes however long it is. Names
 * with equal hashes count as one, likely only beyond a hundred million names; users of the counts must
 * tolerate that.
 */
export class NameCounts {
  readonly #counts = new Map<number, number>()

  has(name: string): boolean {
    return this.#counts.has(nameHash(name))
  }

  /** Returns the new count. */
  add(name: string): number {
    const hash = nameHash(name)
    const count = (this.#counts.get(hash) ?? 0) + 1
    this.#counts.set(hash, count)
    return count
  }
}

/** Stable across machines. Not safe against deliberate collisions. */
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

/** Makes names unique in their order: `a`, `a#2`, `b`. A file gives the same names whenever it is read. */
export class UniqueNames {
  readonly #counts = new NameCounts()

  /** Scopes are independent of each other. */
  take(name: string, scope = ''): string {
    const count = this.#counts.add(scope === '' ? name : `${scope}\n${name}`)
    return count === 1 ? name : this.take(`${name}#${count}`, scope)
  }
}

/** The most recent names, up to a bound. */
export class RecentNames<Value> {
  readonly #limit: number
  readonly #values = new Map<string, Value>()

  constructor(limit: number) {
    this.#limit = limit
  }

  get(name: string): Value | undefined {
    return this.#values.get(name)
  }

  set(name: string, value: Value): void {
    this.#values.delete(name)
    this.#values.set(name, value)
    const [oldest] = this.#values.keys()
    if (this.#values.size > this.#limit && oldest !== undefined) this.#values.delete(oldest)
  }
}

/** Room for the suffix of a repeated name (`a#2`). */
const suffixLength = 16
/** The engine takes ids of 512 characters and keys of 1,024. */
export const maxIdLength = 512 - suffixLength
export const maxKeyLength = 1_024 - suffixLength

/** Control characters and half surrogate pairs. */
const forbidden = /[\p{Cc}\p{Cs}]/gu

export function validName(name: string, maxLength: number): string {
  const clean = name.slice(0, maxLength).replace(forbidden, '\uFFFD')
  if (clean === name) return name
  const suffix = `~${fingerprint(name)}`
  // The cut may have halved a surrogate pair.
  return clean.slice(0, maxLength - suffix.length).toWellFormed() + suffix
}

/** FNV-1a, not safe against deliberate collisions: `UniqueNames` numbers them. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}
