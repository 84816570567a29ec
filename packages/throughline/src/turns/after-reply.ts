/**
 * The memory step after every reply: digest of the answer, history, theme, entities, pending
 * decision, in one commit.
 */
import { accessOf, type ConversationAccess } from '../conversation/access.ts'
import type { ConversationHandle } from '../conversation/handle.ts'
import { defaults } from '../defaults-data.ts'
import { commitChanges } from '../derived/commit.ts'
import type { Seq } from '../domain/ids.ts'
import { wholeNumber } from '../domain/span.ts'
import {
  type AgentTurn,
  type Thought,
  type TurnMemory,
  type TurnRecord,
  type TurnRules,
  turnRules,
} from '../domain/turn-memory.ts'
import { ThroughlineError } from '../errors.ts'
import { checkOptions, invalidOption } from '../flow/check/check-options.ts'
import { type EntityChanges, remember } from './build-record.ts'
import { type DescribedTurn, describeTurn } from './describe-turn.ts'
import { type Before, findTurn, type MissedTurn } from './find-turn.ts'
import type { AskedOfTurn } from './questions.ts'
import { type AfterReplyInput, readAgentTurn } from './read-turn.ts'
import { readMemory } from './turn-context.ts'

/** The options of `afterReply`. */
export interface AfterReplyOptions {
  /** Your name for the turn: handed over again, nothing changes. The last 20 turns are looked at. */
  readonly key?: string | undefined
  /**
   * Where the turn ends in the log (`appended.head`). Default: after the last message that is not
   * the user's.
   */
  readonly head?: number | undefined
  /** Ends the wait for models; the call then rejects with its reason, and nothing has changed. */
  readonly signal?: AbortSignal | undefined
}

/** What `afterReply` remembered of a turn, or why nothing changed. */
export type AfterReply =
  | {
      readonly changed: false
      /** There was no answer; or the turn is known by its key. */
      readonly why: 'no-response' | 'repeated'
      /** The turn that is known; null where there was no answer. */
      readonly record: TurnRecord | null
      readonly memory: TurnMemory
    }
  | {
      readonly changed: true
      readonly record: TurnRecord
      readonly entities: EntityChanges
      /** What models were asked: one for each question, and what of it was taken. */
      readonly asked: readonly AskedOfTurn[]
      /** Calls, retries included, and what they have cost; null where a price is unknown. */
      readonly calls: number
      readonly costUsd: number | null
      readonly memory: TurnMemory
    }

/**
 * The memory step of an agent, called after every reply: it remembers the turn, and shows nothing.
 *
 * @example
 * await afterReply(chat, {
 *   userMessage: 'Save them, please.',
 *   finalResponse: 'Done! I saved Rice Bowl and Miso Soup.',
 *   router: { goal: 'save recipes', complexity: 'low' },
 *   think: { decision: 'plan_direct' },
 *   entities: [{ id: 'r-17', formerId: 'temp_1', type: 'recipe', label: 'Rice Bowl', source: 'db_write' }],
 * })
 */
export async function afterReply(
  chat: ConversationHandle,
  input: AfterReplyInput,
  options: AfterReplyOptions = {},
): Promise<AfterReply> {
  const access = await accessOf(chat, 'afterReply')
  const checked = readOptions(options)
  const turn = readAgentTurn(input)
  const rules = access.policy.turns ?? turnRules
  if (turn === null) {
    const memory = await readMemory(access, rules)
    return { changed: false, why: 'no-response', record: null, memory }
  }
  return oneAtATime(access, async () => {
    checked.signal?.throwIfAborted()
    for (const { to, ...words } of await missedBefore(access, turn, rules, checked))
      await inAttempts(access, { ...nothingDone, ...words }, rules, { ...unasked, head: to })
    return inAttempts(access, turn, rules, { ...checked, asksModels: true })
  })
}

const nothingDone = { router: null, think: null, steps: [], entities: [], entityUpdates: [] }
const unasked = { key: null, signal: null, asksModels: false } as const

async function missedBefore(
  access: ConversationAccess,
  { userMessage, finalResponse }: AgentTurn,
  rules: TurnRules,
  { head, key }: CheckedOptions,
): Promise<readonly MissedTurn[]> {
  const before = await findTurn(access, rules, { userMessage, finalResponse, head })
  const isKnown = key !== null && before.records.some((record) => record.key === key)
  return isKnown || before.taken !== null ? [] : before.missed
}

interface CheckedOptions {
  readonly key: string | null
  readonly head: Seq | null
  readonly signal: AbortSignal | null
}

function readOptions(options: AfterReplyOptions): CheckedOptions {
  const { key, head, signal } = checkOptions(options, ['key', 'head', 'signal'], 'afterReply')
  if (key !== undefined && (typeof key !== 'string' || key === '' || key.length > 512))
    throw invalidOption('afterReply: key must be text of 1 to 512 characters')
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw invalidOption('afterReply: signal must be an AbortSignal')
  return {
    key: key?.toWellFormed() ?? null,
    head: head === undefined ? null : wholeNumber(head),
    signal: signal ?? null,
  }
}

async function inAttempts(
  access: ConversationAccess,
  turn: AgentTurn,
  rules: TurnRules,
  options: CheckedOptions & { readonly asksModels: boolean },
): Promise<AfterReply> {
  const { id, now } = access
  const { userMessage, finalResponse } = turn
  let told: DescribedTurn | null = null
  for (let attempt = 0; attempt < defaults.commitAttempts.value; attempt += 1) {
    options.signal?.throwIfAborted()
    const { head } = options
    const found = await findTurn(access, rules, { userMessage, finalResponse, head })
    const { taken } = found
    const late = taken === null ? null : lateTurn(turn, taken, found.number)
    const before = late === null ? found : withoutMessages(found)
    const known = before.records.find(({ key }) => key !== null && key === options.key)
    // Somebody else has remembered what was missed, with the next turn.
    const isOver = !options.asksModels && before.messages.from === before.messages.to
    if (known !== undefined || isOver || (taken !== null && late === null)) {
      if (known !== undefined && taken === null) assertSame(known, turn)
      const memory = await readMemory(access, rules)
      return { changed: false, why: 'repeated', record: known ?? taken, memory }
    }
    // Model answers stay, unless they were about another past.
    if (told === null || told.of !== before.name) {
      const isLate = told !== null || late !== null || !options.asksModels
      const { signal } = options
      const anew = await describeTurn(access, { turn: late ?? turn, before, rules, signal, isLate })
      told = withAccountOf(told, anew)
      options.signal?.throwIfAborted()
    }
    const at = now()
    const { number, messages, knows } = before
    const { record, steps, entities } = remember({
      ...{ turn: late ?? turn, key: options.key, at, rules, number, messages, before: knows },
      ...told.texts,
    })
    const { version: expectedVersion } = before.state.conversation
    const remembered = { record, steps, asking: told.asking(before.state.asking, at) }
    const changes = { remembered }
    const outcome = await commitChanges(access.store, { id, expectedVersion, changes, at })
    if (outcome.kind !== 'committed') continue
    const { asked, calls, costUsd } = told
    const memory = await readMemory(access, rules)
    return { changed: true, record, entities, asked, calls, costUsd, memory }
  }
  throw new ThroughlineError('STORE_BUSY', `conversation "${id}" is changed by others all the time`)
}

/** Calls for another past were paid all the same. */
function withAccountOf(paid: DescribedTurn | null, anew: DescribedTurn): DescribedTurn {
  if (paid === null) return anew
  const { calls, costUsd, asking } = paid
  return { ...anew, calls, costUsd, asking }
}

/**
 * What is left of a turn whose words another process took from the log: its actions. Null where
 * nothing is left.
 */
function lateTurn(turn: AgentTurn, taken: TurnRecord, number: number): AgentTurn | null {
  const { steps, entities, entityUpdates, finalResponse } = turn
  const decided = taken.turn === number - 1 ? turn.think : null
  const isPending = decided !== null && decided.decision !== 'plan_direct'
  if (steps.length + entities.length + entityUpdates.length === 0 && !isPending) return null
  const words = `What turn ${taken.turn} did, handed over later.`
  const think = decided === null ? null : withWords(decided, finalResponse)
  return { ...turn, userMessage: '', finalResponse: words, think }
}

/** Who proposes or asks without saying what has said it in the answer. */
function withWords(think: Thought, answer: string): Thought {
  const { decision, proposalMessage, clarificationQuestions: questions } = think
  const isUnsaid = decision === 'clarify' && questions.length === 0
  return {
    ...think,
    proposalMessage: proposalMessage ?? answer,
    clarificationQuestions: isUnsaid ? [answer] : questions,
  }
}

/** The messages after the turn that was taken belong to later ones. */
function withoutMessages(before: Before): Before {
  const { from } = before.messages
  return { ...before, messages: { from, to: from } }
}

/** What was purged or edited meanwhile says nothing any more, and is not held against anything. */
function assertSame({ key, user, assistant, forgotten }: TurnRecord, turn: AgentTurn): void {
  if (forgotten || (user === turn.userMessage && assistant === turn.finalResponse)) return
  throw new ThroughlineError('KEY_CONFLICT', `afterReply: key "${key}" was used for another turn`)
}

/**
 * Calls for one conversation run one after the other, so that a late turn is not taken for a
 * missed one.
 */
const waiting = new WeakMap<object, Map<string, Promise<unknown>>>()

async function oneAtATime<Value>(
  { store, id }: Pick<ConversationAccess, 'store' | 'id'>,
  work: () => Promise<Value>,
): Promise<Value> {
  const queues = waiting.get(store) ?? new Map<string, Promise<unknown>>()
  waiting.set(store, queues)
  const before = queues.get(id) ?? Promise.resolve()
  const mine = before.then(work, work)
  queues.set(id, mine)
  try {
    return await mine
  } finally {
    if (queues.get(id) === mine) queues.delete(id)
  }
}
