/** What names the messages of a request, one by one and from the first on. */
import type { Sha256 } from '../../domain/hash.ts'
import type { Part } from '../../domain/message.ts'
import type { Rendered } from '../../domain/rendered.ts'
import type { RequestPrefix } from '../../domain/request-record.ts'

/** What stands for the past is named by all of its text, which is the same for a whole epoch. */
export function shortKey({ key, message }: Rendered, sha256: Sha256): string {
  if (key.length <= longestKey) return key
  const known = shortKeys.get(message.parts)
  if (known?.key === key) return known.short
  const short = sha256(key)
  shortKeys.set(message.parts, { key, short })
  return short
}

// What a hash is shorter than is worth a hash.
const longestKey = 256
const shortKeys = new WeakMap<readonly Part[], { readonly key: string; readonly short: string }>()

/** So many messages, and the hash of their keys. */
export type Chain = Pick<RequestPrefix, 'messages' | 'chain'>

/** Of the first so many keys, which are joined once. */
export function chainsOf(keys: readonly string[], sha256: Sha256): (messages: number) => Chain {
  const joined = keys.join('\n')
  return (asked) => {
    const messages = Math.min(asked, keys.length)
    let end = -1
    for (let at = 0; at < messages; at += 1) end += (keys[at]?.length ?? 0) + 1
    const chain = sha256(joined.slice(0, Math.max(0, end))).slice(0, chainLength)
    return { messages, chain }
  }
}

const chainLength = 32
