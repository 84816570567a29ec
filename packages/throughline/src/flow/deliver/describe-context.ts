/**
 * A shown view as a context: its sections, what names it, and what of the request
 * before it still stands at its beginning. The record of it is what the next request
 * is held against.
 */
import type { Context, Section, SlotKind } from '../../domain/context.ts'
import type { BreakCause, EpochCause } from '../../domain/epoch-cause.ts'
import type { Sha256 } from '../../domain/hash.ts'
import { isMemorySlot } from '../../domain/memory-slot.ts'
import type { Part } from '../../domain/message.ts'
import type { Rendered } from '../../domain/rendered.ts'
import type { RequestPrefix, RequestRecord } from '../../domain/request-record.ts'
import type { Size } from '../../domain/size.ts'
import { assertInvariant, INVARIANT } from '../../invariants.ts'
import { systemSize } from '../assemble/measure-held.ts'
import type { ContextRequest } from '../assemble/request.ts'
import { breakpointsTokens, type Shown } from '../assemble/show.ts'
import type { Meter } from '../measure/measure.ts'
import { type CountCache, createCountCache } from '../measure/measure-cache.ts'
import type { BudgetPlan } from '../measure/plan-budget.ts'
import type { Decided } from '../project/projecting.ts'

export interface Described {
  readonly context: Context
  readonly record: RequestRecord
}

export interface DescribeInput {
  readonly shown: Shown
  readonly request: ContextRequest
  readonly plan: BudgetPlan
  readonly tools: Size
  readonly decided: Decided
  readonly epoch: number
  /** Why an epoch began with this request, or since the one before, if one did. */
  readonly began: EpochCause | null
  readonly last: RequestRecord | null
  /** The same request, where it was sent before; null where that is not known. */
  readonly again: RequestRecord | null
  /** How often the log was rewritten. */
  readonly rewrites: number
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly meter: Meter
  readonly sha256: Sha256
  readonly now: number
}

export function describeContext(input: DescribeInput): Described {
  const { shown, request, plan, epoch, last, meter, sha256 } = input
  const hard = plan.hard(shown.size)
  assertInvariant(
    hard <= plan.hardTokens,
    INVARIANT.budget,
    `a request of ${hard} tokens, where ${plan.hardTokens} are available`,
  )
  const keys = shown.rendered.map((rendered) => shortKey(rendered, sha256))
  const chainOf = chainsOf(keys, sha256)
  const stable = prefixOf(chainOf(shown.stable), input)
  const named = [meter.card.id, stable.system, stable.tools, stable.chain]
  const fingerprint = sha256(JSON.stringify([...named, ...keys.slice(shown.stable)])).slice(
    0,
    fingerprintLength,
  )
  const brokenBy =
    last === null ? null : breakOf(last.prefix, stable, chainOf(last.prefix.messages), input)
  const continues = last !== null && brokenBy === null
  const previous = continues ? previousOf(last, fingerprint) : (input.again?.prefix.previous ?? 0)
  const prefix = { ...stable, previous }
  const tokens = plan.expected(shown.size.tokens)
  const stubbed = shown.omitted.filter(({ why }) => why === 'stubbed')
  const context: Context = {
    model: meter.card.id,
    system: shown.system,
    tools: request.tools,
    messages: shown.rendered.map(({ message }) => message),
    files: input.files,
    breakpoints:
      hard + breakpointsTokens > plan.hardTokens ? [] : breakpoints(shown, prefix.previous),
    budget: plan.budget,
    tokens,
    available: plan.budget.availableTokens,
    sections: sections(shown, input.tools, meter),
    omitted: shown.omitted,
    repairs: shown.repairs,
    epoch,
    decision: input.decided.decision,
    fingerprint,
    prefixOf: continues ? last.fingerprint : null,
    brokenBy,
  }
  const { kind, reason, shadow } = input.decided.decision
  const record: RequestRecord = {
    fingerprint,
    model: meter.card.id,
    at: input.now,
    epoch,
    brokenBy,
    tokens: shown.size.tokens,
    expectedTokens: tokens,
    availableTokens: plan.budget.availableTokens,
    originalTokens: stubbed.reduce(
      (sum, omission) => sum + (omission.tokens ?? 0),
      shown.size.tokens,
    ),
    stubbed: stubbed.length,
    leftOut: shown.omitted.reduce(
      (sum, { why, span }) => sum + (why === 'left-out' && span !== null ? span.to - span.from : 0),
      0,
    ),
    decision: { kind, reason, shadow },
    triggers: input.decided.triggers,
    prefix,
  }
  return { context, record }
}

const fingerprintLength = 32

/** Asked for again, a request has its breakpoints where they were. */
function previousOf({ fingerprint, prefix }: RequestRecord, asked: string): number {
  return fingerprint === asked ? prefix.previous : prefix.messages
}

function prefixOf(
  { messages, chain }: Chain,
  { shown, request, rewrites, sha256 }: DescribeInput,
): Omit<RequestPrefix, 'previous'> {
  const named = (value: unknown) => nameOf(JSON.stringify(value), sha256)
  const waits = shown.repairs.some(({ kind }) => kind === 'call-without-result')
  return {
    messages,
    chain,
    rewrites,
    system: named(shown.system),
    tools: named(request.tools),
    // As they are shown: what is cut to its share is another text when the share is.
    profile: named(partsIn('profile', shown)),
    retrieved: named(partsIn('retrieved', shown)),
    ...memoryName(shown, named),
    open: waits ? 'call' : request.next === undefined ? null : 'next',
  }
}

/** What stands behind the messages is no part of the beginning. */
function memoryName(
  { rendered, stable }: Shown,
  named: (value: unknown) => string,
): Pick<RequestPrefix, 'memory'> {
  const parts = rendered
    .slice(0, stable)
    .flatMap(({ message }) => (isMemorySlot(message.slot) ? [message.parts] : []))
  return parts.length === 0 ? {} : { memory: named(parts) }
}

function partsIn(slot: SlotKind, { rendered }: Shown): readonly (readonly Part[])[] {
  return rendered.flatMap(({ message }) => (message.slot === slot ? [message.parts] : []))
}

/** Prompts and tools are the same request after request. */
function nameOf(text: string, sha256: Sha256): string {
  // What was found for one request comes with no other.
  if (text.length > namedCharacters) return sha256(text).slice(0, nameLength)
  const known = names.get(sha256) ?? createCountCache<string>(namesRemembered)
  names.set(sha256, known)
  return known.get(text, () => sha256(text).slice(0, nameLength))
}

const nameLength = 16
const namedCharacters = 16_384
const namesRemembered = 64
const names = new WeakMap<Sha256, CountCache<string>>()

/** What stands for the past is named by all of its text, which is the same for a whole epoch. */
function shortKey({ key, message }: Rendered, sha256: Sha256): string {
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
type Chain = Pick<RequestPrefix, 'messages' | 'chain'>

/** Of the first so many keys, which are joined once. */
function chainsOf(keys: readonly string[], sha256: Sha256): (messages: number) => Chain {
  const joined = keys.join('\n')
  return (asked) => {
    const messages = Math.min(asked, keys.length)
    let end = -1
    for (let at = 0; at < messages; at += 1) end += (keys[at]?.length ?? 0) + 1
    const chain = sha256(joined.slice(0, Math.max(0, end))).slice(0, fingerprintLength)
    return { messages, chain }
  }
}

/** The first thing in the request, in the order in which providers read it, that differs. */
function breakOf(
  before: RequestPrefix,
  now: Omit<RequestPrefix, 'previous'>,
  { messages, chain }: Chain,
  { began }: DescribeInput,
): BreakCause | null {
  if (before.tools !== now.tools) return 'tools-changed'
  if (before.system !== now.system) return began ?? 'system-changed'
  if (chain === before.chain && messages === before.messages) return null
  if (before.rewrites !== now.rewrites) return 'history-changed'
  if (began !== null) return began
  if (before.memory !== now.memory) return 'memory-changed'
  if (before.profile !== now.profile) return 'profile-changed'
  if (before.open === 'call') return 'result-arrived'
  if (before.open === 'next') return 'next-changed'
  return before.retrieved === now.retrieved ? 'history-changed' : 'retrieved-changed'
}

/** Behind what stands before the messages, behind the request before, and behind all that lasts. */
function breakpoints({ rendered, stable }: Shown, previous: number): readonly number[] {
  const before = rendered.findIndex(({ message }) => isOfLog(message.slot))
  const ends = [before, Math.min(previous, stable), stable].map((count) => count - 1)
  return [...new Set(ends)].filter((at) => at >= 0).sort((left, right) => left - right)
}

function isOfLog(slot: SlotKind): boolean {
  return slot === 'recent' || slot === 'current'
}

function sections(shown: Shown, tools: Size, meter: Meter): readonly Section[] {
  const bySlot = Map.groupBy(shown.rendered, ({ message }) => message.slot)
  const slots = [...bySlot].map(
    ([kind, rendered]): Section => ({
      kind,
      messages: rendered.length,
      tokens: rendered.reduce((sum: number, { size }: Rendered) => sum + size.tokens, 0),
    }),
  )
  const system = systemSize(shown.system, meter).tokens
  return [
    ...(system === 0 ? [] : [{ kind: 'system', messages: 0, tokens: system } as const]),
    ...(tools.tokens === 0 ? [] : [{ kind: 'tools', messages: 0, tokens: tools.tokens } as const]),
    ...slots,
  ]
}
