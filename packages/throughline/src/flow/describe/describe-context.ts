/** Turns a rendered view into a context, and records the request for comparison with the next. */
import type { Context, ContextWarning, Rendered, Section, Size } from '../../domain/context.ts'
import type { Decision, EpochCause } from '../../domain/decision.ts'
import { storedIn } from '../../domain/message.ts'
import type { RequestPrefix, RequestRecord } from '../../domain/receipt.ts'
import { assertInvariant, INVARIANT } from '../../invariants.ts'
import { systemSize } from '../assemble/fixed-texts.ts'
import { neverCompacted, triggerStateAfter } from '../decide/decide.ts'
import type { Meter } from '../measure/measure.ts'
import type {
  ContextInputs,
  ContextResult,
  FixedParts,
  RenderedRequest,
  ViewOutcome,
} from '../project/records.ts'
import { breakpointsTokens } from '../project/render-view.ts'
import type { LogReader } from '../read/readers.ts'
import { breakCauseOf, chainsOf, prefixOf, shortKey } from './request-prefix.ts'

export async function describeContext(
  inputs: ContextInputs,
  { plan, sizes }: FixedParts,
  outcome: ViewOutcome,
  decision: Decision,
): Promise<Pick<ContextResult, 'context' | 'sent'>> {
  const { log, request, lastRequest: last, meter, sha256 } = inputs
  const { shown, epoch } = outcome
  const size = plan.tokensAgainstLimit(shown.size)
  assertInvariant(
    size <= plan.limitTokens,
    INVARIANT.budget,
    `a request of ${size} tokens, where ${plan.limitTokens} are available`,
  )
  const keys = shown.rendered.map((rendered) => shortKey(rendered, sha256))
  const chainOf = chainsOf(keys, sha256)
  const stable = prefixOf(chainOf(shown.stable), inputs, shown)
  const fingerprint = fingerprintOf(stable, keys.slice(shown.stable), inputs)
  const startedBy = outcome.epochCause ?? epochStartedSince(outcome, last)
  const brokenBy =
    last === null
      ? null
      : breakCauseOf(last.prefix, stable, chainOf(last.prefix.messages), startedBy)
  const previous = await previouslySentMessages(inputs, fingerprint, brokenBy)
  const context: Context = {
    model: meter.card.id,
    system: shown.system,
    tools: request.tools,
    messages: shown.rendered.map(({ message }) => message),
    files: await readFiles(shown.rendered, log),
    breakpoints: size + breakpointsTokens > plan.limitTokens ? [] : breakpoints(shown, previous),
    budget: plan.budget,
    tokens: plan.expected(shown.size.tokens),
    available: plan.budget.availableTokens,
    sections: sections(shown, sizes.tools, meter),
    omitted: shown.omitted,
    repairs: shown.repairs,
    epoch,
    decision,
    fingerprint,
    prefixOf: last !== null && brokenBy === null ? last.fingerprint : null,
    brokenBy,
    warnings: [
      ...inputs.warnings,
      ...(inputs.recaller?.meaning?.warnings() ?? []),
      ...(shown.rendered.length === 0 ? [emptyWarning] : []),
    ],
  }
  return { context, sent: recordOf(context, inputs, outcome, { ...stable, previous }) }
}

/** `tail`: the keys of the messages after the stable prefix. */
export function fingerprintOf(
  { system, tools, chain }: Pick<RequestPrefix, 'system' | 'tools' | 'chain'>,
  tail: readonly string[],
  { meter, sha256 }: Pick<ContextInputs, 'meter' | 'sha256'>,
): string {
  const requestKey = JSON.stringify([meter.card.id, system, tools, chain, ...tail])
  return sha256(requestKey).slice(0, fingerprintCharacters)
}

const emptyWarning: ContextWarning = {
  code: 'CONVERSATION_EMPTY',
  text: 'the conversation has no messages: append one before you send a request',
  suggestions: [],
}

function recordOf(
  context: Context,
  inputs: ContextInputs,
  outcome: ViewOutcome,
  prefix: RequestPrefix,
): RequestRecord {
  const { fingerprint, model, epoch, brokenBy, tokens, available, decision } = context
  const { lastRequest: last, now } = inputs
  const { omitted, size } = outcome.shown
  const { kind, reason, shadow } = decision
  const stubbed = omitted.filter(({ why }) => why === 'stubbed')
  return {
    fingerprint,
    model,
    at: now,
    head: inputs.log.head,
    windowTokens: context.budget.windowTokens,
    triggerTokens: context.budget.triggerTokens,
    targetTokens: context.budget.targetTokens,
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
    triggers: triggerStateAfter(decision, last?.triggers ?? neverCompacted, {
      head: compactedAt(inputs, outcome, decision),
      epochBegan: outcome.epochCause !== null || (last === null && outcome.view !== null),
    }),
    prefix,
  }
}

const fingerprintCharacters = 32

/** After the slots before the messages, after the previous request, and after the stable prefix. */
function breakpoints({ rendered, stable }: RenderedRequest, previous: number): readonly number[] {
  const firstMessage = rendered.findIndex(
    ({ message: { slot } }) => slot === 'recent' || slot === 'current',
  )
  const ends = [firstMessage, Math.min(previous, stable), stable].map((count) => count - 1)
  return [...new Set(ends)].filter((index) => index >= 0).sort((left, right) => left - right)
}

export function sections(shown: RenderedRequest, tools: Size, meter: Meter): readonly Section[] {
  const bySlot = Map.groupBy(shown.rendered, ({ message }) => message.slot)
  const slots = [...bySlot].map(([kind, rendered]): Section => {
    const tokens = rendered.reduce((sum: number, { size }: Rendered) => sum + size.tokens, 0)
    return { kind, messages: rendered.length, tokens }
  })
  const { tokens: systemTokens } = systemSize(shown.system, meter)
  const fixed: readonly Section[] = [
    { kind: 'system', messages: 0, tokens: systemTokens },
    { kind: 'tools', messages: 0, tokens: tools.tokens },
  ]
  return [...fixed.filter(({ tokens }) => tokens > 0), ...slots]
}

/** How many messages of this request an earlier one already sent, so that a cache may have them. */
async function previouslySentMessages(
  { lastRequest: last, findRequest }: ContextInputs,
  fingerprint: string,
  brokenBy: Context['brokenBy'],
): Promise<number> {
  // A repeated request keeps its breakpoints.
  if (last !== null && brokenBy === null)
    return last.fingerprint === fingerprint ? last.prefix.previous : last.prefix.messages
  // After an undo, the provider may still cache the request from before the compaction.
  const earlier = brokenBy === 'restored' ? await findRequest(fingerprint) : null
  return earlier?.prefix.previous ?? 0
}

/** The cause of a view that the user restored or edited since the last request. */
function epochStartedSince({ view }: ViewOutcome, last: RequestRecord | null): EpochCause | null {
  return view === null || last === null || view.epoch <= last.epoch ? null : view.cause
}

/** With a background summary, triggers count from the log's end when that summary was requested. */
function compactedAt({ log }: ContextInputs, { summary, view }: ViewOutcome, { kind }: Decision) {
  const isOfSummary = kind === 'compact' && summary !== null && summary.covers.to === view?.line
  return isOfSummary ? summary.head : log.head
}

async function readFiles(
  rendered: readonly Rendered[],
  log: Pick<LogReader, 'file'>,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>()
  for (const hash of new Set(rendered.flatMap(({ message }) => storedIn(message.parts)))) {
    const bytes = await log.file(hash)
    if (bytes !== null) files.set(hash, bytes)
  }
  return files
}
