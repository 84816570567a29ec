/**
 * A shown view as a context: its sections, what names it, and what of the request
 * before it still stands at its beginning. What is recorded of it is what the next request
 * is held against.
 */
import type { Context, Section, SlotKind } from '../../domain/context.ts'
import type { Decision } from '../../domain/decision.ts'
import type { EpochCause } from '../../domain/epoch-cause.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Rendered } from '../../domain/rendered.ts'
import type { RequestPrefix, RequestRecord } from '../../domain/request-record.ts'
import type { Size } from '../../domain/size.ts'
import { storedIn } from '../../domain/stored-files.ts'
import { assertInvariant, INVARIANT } from '../../invariants.ts'
import { systemSize } from '../assemble/fixed-texts.ts'
import { breakpointsTokens, type RenderedRequest } from '../assemble/render.ts'
import { neverCompacted, triggerStateAfter } from '../decide/decide.ts'
import type { Meter } from '../measure/measure.ts'
import type { BudgetPlan } from '../measure/plan-budget.ts'
import type { ContextInputs, Decided, FixedParts, ViewOutcome } from '../project/records.ts'
import type { LogReader } from '../read/readers.ts'
import { breakOf, chainsOf, type PrefixInput, prefixOf, shortKey } from './request-prefix.ts'

export interface Described {
  readonly context: Context
  readonly sent: RequestRecord
}

interface DescribeInput extends PrefixInput {
  readonly plan: BudgetPlan
  readonly tools: Size
  readonly decided: Decided
  readonly epoch: number
  /** Why an epoch began with this request, or since the one before, if one did. */
  readonly began: EpochCause | null
  readonly last: RequestRecord | null
  /** The same request, where it was sent before; null where that is not known. */
  readonly again: RequestRecord | null
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly meter: Meter
  readonly now: number
}

function describeContext(input: DescribeInput): Described {
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
  const name = JSON.stringify([...named, ...keys.slice(shown.stable)])
  const fingerprint = sha256(name).slice(0, fingerprintLength)
  const brokenBy =
    last === null ? null : breakOf(last.prefix, stable, chainOf(last.prefix.messages), input.began)
  const continues = last !== null && brokenBy === null
  const previous = continues ? previousOf(last, fingerprint) : (input.again?.prefix.previous ?? 0)
  const context: Context = {
    model: meter.card.id,
    system: shown.system,
    tools: request.tools,
    messages: shown.rendered.map(({ message }) => message),
    files: input.files,
    breakpoints: hard + breakpointsTokens > plan.hardTokens ? [] : breakpoints(shown, previous),
    budget: plan.budget,
    tokens: plan.expected(shown.size.tokens),
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
  return { context, sent: recordOf(context, input, { ...stable, previous }) }
}

/** What is kept of it. */
function recordOf(context: Context, input: DescribeInput, prefix: RequestPrefix): RequestRecord {
  const { fingerprint, model, epoch, brokenBy, tokens, available } = context
  const { omitted, size } = input.shown
  const { kind, reason, shadow } = input.decided.decision
  const stubbed = omitted.filter(({ why }) => why === 'stubbed')
  return {
    fingerprint,
    model,
    at: input.now,
    epoch,
    brokenBy,
    tokens: size.tokens,
    expectedTokens: tokens,
    availableTokens: available,
    originalTokens: stubbed.reduce((sum, each) => sum + (each.tokens ?? 0), size.tokens),
    stubbed: stubbed.length,
    leftOut: omitted.reduce(
      (sum, { why, span }) => sum + (why === 'left-out' && span !== null ? span.to - span.from : 0),
      0,
    ),
    decision: { kind, reason, shadow },
    triggers: input.decided.triggers,
    prefix,
  }
}

const fingerprintLength = 32

/** Asked for again, a request has its breakpoints where they were. */
function previousOf({ fingerprint, prefix }: RequestRecord, asked: string): number {
  return fingerprint === asked ? prefix.previous : prefix.messages
}

/** Behind what stands before the messages, behind the request before, and behind all that lasts. */
function breakpoints({ rendered, stable }: RenderedRequest, previous: number): readonly number[] {
  const before = rendered.findIndex(({ message }) => isOfLog(message.slot))
  const ends = [before, Math.min(previous, stable), stable].map((count) => count - 1)
  return [...new Set(ends)].filter((at) => at >= 0).sort((left, right) => left - right)
}

function isOfLog(slot: SlotKind): boolean {
  return slot === 'recent' || slot === 'current'
}

function sections(shown: RenderedRequest, tools: Size, meter: Meter): readonly Section[] {
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

/** What was chosen, as the context that leaves. */
export async function describeChosen(
  input: ContextInputs,
  held: FixedParts,
  chosen: ViewOutcome,
  decision: Decision,
): Promise<Described> {
  const { log, next, request, last, meter, sha256, now } = input
  const { shown, epoch, began } = chosen
  const files = await readFiles(shown.rendered, log, next?.files ?? new Map())
  const { plan } = held
  const { tools } = held.sizes
  const triggers = triggerStateAfter(decision, last?.triggers ?? neverCompacted, {
    head: countedFrom(input, chosen, decision),
    began: began !== null || (last === null && chosen.view !== null),
  })
  const describing = {
    shown,
    decided: { decision, triggers },
    request,
    plan,
    tools,
    epoch,
    began: began ?? begunSince(chosen, last),
    last,
    rewrites: log.rewrites,
    policy: input.basis.policy,
    files,
    meter,
    sha256,
    now,
    again: null,
  }
  const described = describeContext(describing)
  if (described.context.brokenBy !== 'restored') return described
  // What was sent then may still be in the provider's cache.
  const again = await input.findRequest(described.context.fingerprint)
  return again === null ? described : describeContext({ ...describing, again })
}

/** A view that somebody restored or edited since the last request breaks with it, and compacts nothing. */
function begunSince({ view }: ViewOutcome, last: RequestRecord | null): EpochCause | null {
  return view === null || last === null || view.epoch <= last.epoch ? null : view.cause
}

/** A summary that was written ahead was asked for with fewer messages: the next is due by those. */
function countedFrom(
  { log }: ContextInputs,
  { summary, view }: ViewOutcome,
  { kind }: Decision,
): Seq {
  const isOfSummary = kind === 'compact' && summary !== null && summary.covers.to === view?.line
  return isOfSummary ? summary.head : log.head
}

/** The bytes of the files that a request shows. */
async function readFiles(
  rendered: readonly Rendered[],
  log: Pick<LogReader, 'file'>,
  known: ReadonlyMap<string, Uint8Array>,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>()
  for (const hash of new Set(rendered.flatMap(({ message }) => storedIn(message.parts)))) {
    const bytes = known.get(hash) ?? (await log.file(hash))
    if (bytes !== null) files.set(hash, bytes)
  }
  return files
}
