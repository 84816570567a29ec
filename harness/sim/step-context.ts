/** Requests contexts for several models and windows, and checks them. */
import { isDeepStrictEqual } from 'node:util'
import {
  type Context,
  type ContextInput,
  type ConversationHandle,
  type MessageInput,
  type PolicyInput,
  recallToolSchemas,
} from 'throughline'
import { checkPins, marksOf, pinnedOf } from '../history/check-pins.ts'
import type { Finding } from '../kernel/finding.ts'
import { checkListed } from '../prop/check-listed.ts'
import { checkContextPairs, checkPairs } from '../prop/check-pairs.ts'
import { checkPrefix } from '../prop/check-prefix.ts'
import { checkContextUnicode, checkUnicode } from '../prop/check-text.ts'
import { providers } from '../prop/providers.ts'
import { plainWords } from '../prop/random-parts.ts'
import { tokenizer } from '../races/strict-model.ts'
import { checkCause, settleCauses } from './break-causes.ts'
import { type ExpectedLog, partTexts } from './expected.ts'
import { chatModels } from './sim-engine.ts'
import { failuresWord, liesWord } from './sim-model.ts'
import { type Scene, type Step, unexpected } from './step.ts'
import { wordsIn } from './step-append.ts'

export const context: Step = {
  name: 'context',
  weight: 24,
  together: true,
  run: async (scene) => {
    const { chance } = scene.world.stage
    const input = { model: chance.pick(chatModels).id, ...drawnExtras(scene) }
    const made = await contextFor(scene, input)
    if (made !== null && scene.alone && chance.once(3)) await askedAgain(scene, input, made)
  },
}

/** The other engine, with other caches, returns the same context for the same state (invariant 7). */
async function askedAgain(scene: Scene, input: ContextInput, first: Context): Promise<void> {
  const { world, log, slot } = scene
  const other: Scene = { ...scene, slot: slot === 0 ? 1 : 0 }
  const isSame = isDeepStrictEqual(world.engine(slot).policy, world.engine(other.slot).policy)
  const state = async () => {
    const { version, head } = (await world.look(log.id).info()) ?? {}
    return `${version} ${head}`
  }
  const before = await state()
  const second = await contextFor(other, input)
  if (!isSame || second === null || before !== (await state())) return
  if (JSON.stringify(shownIn(first)) !== JSON.stringify(shownIn(second)))
    world.findings.push({
      rule: 'same-bytes',
      detail: `"${log.id}": ${first.fingerprint} and ${second.fingerprint}`,
    })
}

function shownIn({ system, messages, omitted, repairs, tokens }: Context) {
  return { system, messages, omitted, repairs, tokens }
}

function drawnExtras({ world, alone }: Scene): Omit<ContextInput, 'model'> {
  const { chance } = world.stage
  return {
    system: chance.once(12) ? 'Be brief.' : 'You are a careful agent.',
    ...(chance.once(10) && { retrieved: plainWords(chance, chance.between(20, 900)) }),
    ...(chance.once(12) && { profile: 'Likes short answers.' }),
    ...(chance.once(10) && { tools: recallToolSchemas() }),
    ...(alone && chance.once(8) && { next: { role: 'user', content: 'And what came of it?' } }),
  }
}

async function contextFor(scene: Scene, input: ContextInput): Promise<Context | null> {
  const { world, log, slot } = scene
  const acknowledged = log.messages.length
  const { policy } = world.engine(slot)
  const pins = log.pins
  const answer = await world.ask(slot, (tl) => tl.conversation(log.id).context(input))
  if (answer.kind === 'refused') {
    if (answer.error.code !== 'CONTEXT_OVERFLOW' || !isPinnedFull(scene, input.model))
      unexpected(scene, `context of ${input.model}`, answer)
    return null
  }
  if (answer.kind === 'doubt') {
    log.unanswered.add(input.model)
    return null
  }
  world.stage.count('contexts')
  if (answer.value.decision.kind === 'compact') world.stage.count('compactions')
  if (answer.value.prefixOf !== null) world.stage.count('contexts with a kept prefix')
  const made = world.planted.context?.(answer.value) ?? answer.value
  world.stage.trace.note(
    `  context ${made.model} of "${log.id}": ${made.fingerprint}, ${made.tokens} of ${made.available}, epoch ${made.epoch}, ${made.decision.kind} ${made.decision.reason}, broken by ${made.brokenBy}`,
  )
  const { files: _, ...shown } = made
  world.stage.trace.weigh(JSON.stringify(shown))
  world.seen(marksOf(made))
  const next: MessageInput | undefined = input.next
  world.findings.push(
    ...(await checkContext(world.look(log.id), log, {
      context: made,
      policy,
      acknowledged,
      input,
      alone: scene.alone,
      next,
      pins,
    })),
  )
  if (scene.alone) settleCauses(log, input.model)
  return made
}

/** Pins are shown word for word: if they alone fill the window, there is no context. */
function isPinnedFull({ log }: Scene, model: string): boolean {
  const window = chatModels.find(({ id }) => id === model)?.contextWindowTokens ?? 0
  const tokens = [...log.pins].reduce(
    (sum, seq) =>
      sum + tokenizer.count(JSON.stringify(partTexts(log.messages[seq]?.input.content ?? ''))) + 40,
    0,
  )
  return tokens > window / 3
}

/**
 * Checks a context against the log and the rules of providers: it fits, every provider accepts it,
 * nothing is silently omitted, pins are exact, no lost or made-up text is in it, and it keeps the
 * prefix of an earlier request or says why not (invariants 3, 4, 6, 7, 13, 15).
 */
interface MadeContext {
  readonly context: Context
  readonly policy: PolicyInput
  /** How many messages were acknowledged when it was requested. */
  readonly acknowledged: number
  /** The `next` message of the request, not in the log. */
  readonly next: MessageInput | undefined
  /** The inputs of the request. */
  readonly input: ContextInput
  /** Whether no other step ran concurrently. */
  readonly alone: boolean
  /** The pins at the time of the request. */
  readonly pins: ReadonlySet<number>
}

async function checkContext(
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
    ...checkExtends(log, made),
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
  // Concurrent pins may or may not be visible.
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
  if (tokens > available) return [{ rule: 'budget', detail: `reports ${tokens} of ${available}` }]
  // A lower bound from the messages alone: the engine counts the rest.
  const least = [...context.system, ...context.messages.flatMap(({ parts }) => parts)].reduce(
    (sum, part) => sum + ('text' in part ? tokenizer.count(part.text) : 0),
    0,
  )
  return least > available ? [{ rule: 'budget', detail: `${least} of ${available}` }] : []
}

/** Each acknowledged message is shown whole, listed, or pinned. */
function checkShown(log: ExpectedLog, made: MadeContext): readonly Finding[] {
  const { context, acknowledged, next } = made
  const pins = [...made.pins, ...log.pins]
  const places = [
    ...context.messages.flatMap(({ seq }) => (seq === null ? [] : [seq + 1])),
    ...context.omitted.flatMap(({ span }) => (span === null ? [] : [span.to])),
    ...pins,
  ]
  const inputs = log.messages.map(({ input }) => input)
  // Concurrent appends may or may not be visible.
  const end = Math.min(Math.max(acknowledged, ...places), inputs.length)
  const history = next === undefined ? inputs.slice(0, end) : inputs.concat(next)
  return checkListed(context, history, pins)
}

function checkExtends(log: ExpectedLog, { context, policy }: MadeContext): readonly Finding[] {
  const { prefixOf, fingerprint } = context
  const findings: Finding[] = []
  if (prefixOf !== null) {
    const before = log.contexts.get(prefixOf)
    if (before === undefined && !log.unanswered.has(context.model))
      findings.push({ rule: 'prefix', detail: `extends ${prefixOf}, which was never returned` })
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
