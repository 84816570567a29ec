/**
 * A context against the log and the rules of providers: it fits, every provider takes it, nothing
 * is left out in silence, pins stand word for word, nothing gone or made up is in it, and it goes
 * on from a request before or says why not (invariants 3, 4, 6, 7, 13, 15).
 */
import type {
  Context,
  ContextInput,
  ConversationHandle,
  MessageInput,
  PolicyInput,
} from 'throughline'
import { checkPins } from '../history/check-pins.ts'
import { pinnedOf } from '../history/pinned.ts'
import type { Finding } from '../kernel/finding.ts'
import { checkListed } from '../prop/check-listed.ts'
import { checkContextPairs, checkPairs } from '../prop/check-pairs.ts'
import { checkPrefix } from '../prop/check-prefix.ts'
import { checkContextUnicode, checkUnicode } from '../prop/check-text.ts'
import { providers } from '../prop/providers.ts'
import { tokenizer } from '../races/strict-model.ts'
import { checkCause } from './break-causes.ts'
import { wordsIn } from './drawn-messages.ts'
import type { ExpectedLog } from './expected.ts'
import { failuresWord, liesWord } from './sim-model.ts'

export interface MadeContext {
  readonly context: Context
  readonly policy: PolicyInput
  /** How many messages were acknowledged when it was asked for. */
  readonly acknowledged: number
  /** The message that it was asked with, not in the log. */
  readonly next: MessageInput | undefined
  /** What it was asked with. */
  readonly input: ContextInput
  /** Whether nothing else was done at the same time. */
  readonly alone: boolean
  /** The pins when it was asked for. */
  readonly pins: ReadonlySet<number>
}

export async function checkContext(
  chat: ConversationHandle,
  log: ExpectedLog,
  made: MadeContext,
): Promise<readonly Finding[]> {
  const { context } = made
  const findings: Finding[] = [
    ...checkFits(context),
    ...checkContextPairs(context),
    ...checkContextUnicode(context),
    ...checkShown(log, made),
    ...checkGoesOn(log, made),
    ...checkCause(log, made),
    ...checkWords(log, context),
  ]
  for (const provider of providers) {
    const request = provider.write(context)
    findings.push(
      ...provider
        .problems(request)
        .map((detail) => ({ rule: 'accepted', detail: `${provider.format}: ${detail}` })),
      ...checkPairs(provider.format, request),
      ...checkUnicode(request),
    )
  }
  // Who pins meanwhile may be seen or not.
  if (made.pins === log.pins) {
    const messages = await Array.fromAsync(chat.messages())
    const pinned = messages.filter(({ seq }) => log.pins.has(seq)).map(pinnedOf)
    findings.push(
      ...checkPins(context, pinned).map(({ rule, detail }) => ({ rule: `pin-${rule}`, detail })),
    )
  }
  return findings.map(({ rule, detail }) => ({
    rule,
    detail: `context of ${context.model} in "${log.id}": ${detail}`,
  }))
}

function checkFits(context: Context): readonly Finding[] {
  const { tokens, available } = context
  if (tokens > available) return [{ rule: 'budget', detail: `says ${tokens} of ${available}` }]
  // No more than what is said in it: what stands around it is the engine's to count.
  const least = [...context.system, ...context.messages.flatMap(({ parts }) => parts)].reduce(
    (sum, part) => sum + ('text' in part ? tokenizer.count(part.text) : 0),
    0,
  )
  return least > available ? [{ rule: 'budget', detail: `${least} of ${available}` }] : []
}

/** Each message that was acknowledged is shown whole, or listed, or pinned. */
function checkShown(log: ExpectedLog, made: MadeContext): readonly Finding[] {
  const { context, acknowledged, next } = made
  const pins = [...made.pins, ...log.pins]
  const places = [
    ...context.messages.flatMap(({ seq }) => (seq === null ? [] : [seq + 1])),
    ...context.omitted.flatMap(({ span }) => (span === null ? [] : [span.to])),
    ...pins,
  ]
  const inputs = log.messages.map(({ input }) => input)
  // Who appends meanwhile may be seen or not.
  const end = Math.min(Math.max(acknowledged, ...places), inputs.length)
  const history = next === undefined ? inputs.slice(0, end) : [...inputs, next]
  return checkListed(context, history, pins)
}

function checkGoesOn(log: ExpectedLog, { context, policy }: MadeContext): readonly Finding[] {
  const { prefixOf, fingerprint } = context
  const findings: Finding[] = []
  if (prefixOf !== null) {
    const before = log.contexts.get(prefixOf)
    if (before === undefined && !log.unheard.has(context.model))
      findings.push({ rule: 'prefix', detail: `goes on from ${prefixOf}, which nobody got` })
    if (before !== undefined) findings.push(...checkPrefix(before.context, context, before.policy))
  }
  log.contexts.set(fingerprint, { context, policy })
  return findings
}

function checkWords(log: ExpectedLog, context: Context): readonly Finding[] {
  const { files: _, ...shown } = context
  const text = JSON.stringify(shown)
  const old = wordsIn(shown).filter((word) => log.gone.has(word))
  return [
    ...old.map((word) => ({ rule: 'gone', detail: `${word} is shown` })),
    ...[liesWord, failuresWord]
      .filter((word) => text.includes(word))
      .map((word) => ({ rule: 'believed', detail: `${word} is shown` })),
  ]
}
