/** Compares the prefix of a request with the previous one and names the cause of a difference. */
import { isCoreSlot, type Rendered, type SlotKind } from '../../domain/context.ts'
import type { BreakCause, EpochCause } from '../../domain/decision.ts'
import type { Sha256 } from '../../domain/hash.ts'
import type { Part } from '../../domain/message.ts'
import type { RequestPrefix } from '../../domain/receipt.ts'
import { policyIn } from '../project/basis.ts'
import type { ContextInputs, RenderedRequest } from '../project/records.ts'
import { type BoundedCache, createBoundedCache, getOrMake } from '../text/bounded-cache.ts'

type NewPrefix = Omit<RequestPrefix, 'previous'>

export function prefixOf(
  { messages, chain }: Chain,
  { request, log, basis, sha256 }: ContextInputs,
  shown: RenderedRequest,
): NewPrefix {
  const hashOf = (value: unknown) => contentHash(value, sha256)
  const partsIn = (slot: SlotKind) =>
    shown.rendered.flatMap(({ message }) => (message.slot === slot ? [message.parts] : []))
  // Slots after the messages are not part of the prefix.
  const memory = shown.rendered
    .slice(0, shown.stable)
    .flatMap(({ message }) => (isCoreSlot(message.slot) ? [] : [message.parts]))
  const hasOpenCall = shown.repairs.some(({ kind }) => kind === 'call-without-result')
  return {
    messages,
    chain,
    rewrites: log.rewrites,
    policy: policyIn(basis),
    system: hashOf(shown.system),
    tools: hashOf(request.tools),
    // As rendered: a text that is cut to its share changes when the share changes.
    profile: hashOf(partsIn('profile')),
    retrieved: hashOf(partsIn('retrieved')),
    ...(memory.length > 0 && { memory: hashOf(memory) }),
    open: hasOpenCall ? 'call' : request.next === undefined ? null : 'next',
  }
}

/** Cached, because prompts and tools rarely change between requests. */
export function contentHash(value: unknown, sha256: Sha256): string {
  const text = JSON.stringify(value)
  const hash = () => sha256(text).slice(0, hashCharacters)
  // Long texts are mostly retrieved for one request only, so they are not cached.
  if (text.length > maxCachedCharacters) return hash()
  return getOrMake(hashes, sha256, () => createBoundedCache<string>(hashesCached)).get(text, hash)
}

const hashCharacters = 16
const maxCachedCharacters = 16_384
const hashesCached = 64
const hashes = new WeakMap<Sha256, BoundedCache<string>>()

export function breakCauseOf(
  before: RequestPrefix,
  now: NewPrefix,
  /** The chain over as many messages as the previous request had. */
  { messages, chain }: Chain,
  /** Why an epoch began with this request; null if none did. */
  epochCause: EpochCause | null,
): BreakCause | null {
  if (before.tools !== now.tools) return 'tools-changed'
  if (before.system !== now.system) return epochCause ?? 'system-changed'
  if (chain === before.chain && messages === before.messages) return null
  if (before.rewrites !== now.rewrites) return 'history-changed'
  if (epochCause !== null) return epochCause
  if (before.memory !== now.memory) return 'memory-changed'
  if (before.profile !== now.profile) return 'profile-changed'
  // Another policy may have other slots in another order.
  if (before.policy !== undefined && before.policy !== now.policy) return 'policy-changed'
  if (before.open === 'call') return 'result-arrived'
  if (before.open === 'next') return 'next-changed'
  return before.retrieved === now.retrieved ? 'history-changed' : 'retrieved-changed'
}

/** The key of the history block is its whole text, so it is hashed once per epoch. */
export function shortKey({ key, message }: Rendered, sha256: Sha256): string {
  if (key.length <= maxKeyCharacters) return key
  const shorten = () => ({ key, short: sha256(key) })
  return getOrMake(shortKeys, message.parts, shorten, (known) => known.key === key).short
}

// Longer keys are replaced by their hash.
const maxKeyCharacters = 256
const shortKeys = new WeakMap<readonly Part[], { readonly key: string; readonly short: string }>()

type Chain = Pick<RequestPrefix, 'messages' | 'chain'>

/** A function that hashes the first messages; `count` says how many. */
export function chainsOf(keys: readonly string[], sha256: Sha256): (messages: number) => Chain {
  const joined = keys.join('\n')
  return (count) => {
    const messages = Math.min(count, keys.length)
    // From -1, because a line end follows every key but the last.
    let end = -1
    for (const key of keys.slice(0, messages)) end += key.length + 1
    const chain = sha256(joined.slice(0, Math.max(0, end))).slice(0, chainCharacters)
    return { messages, chain }
  }
}

const chainCharacters = 32
