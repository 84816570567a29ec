/**
 * The memory step after every reply. It commits the digest of the answer, history, theme,
 * entities and pending decision together.
 *
 * - A *missed* turn is in the log, but no call reported it. The next call remembers it by rules.
 * - A *taken* turn was remembered as missed, by another process, before its own call.
 * - A *late* turn has the actions of a taken turn, which only its own call can report.
 */
import { accessOf, type ConversationAccess } from '../conversation/access.ts'
import type { ConversationHandle } from '../conversation/handle.ts'
import { defaults } from '../defaults-data.ts'
import { commitChanges } from '../derived/commit.ts'
import type { Seq } from '../domain/ids.ts'
import { wholeNumber } from '../domain/span.ts'
import type {
  AgentTurn,
  Thought,
  TurnMemory,
  TurnRecord,
  TurnRules,
} from '../domain/turn-memory.ts'
import { turnRules } from '../domain/turn-rules-data.ts'
import { ThroughlineError } from '../errors.ts'
import { checkOptions, invalidOption } from '../flow/check/check-options.ts'
import { buildRecord, type EntityChanges } from './build-record.ts'
import { type DescribedTurn, describeTurn } from './describe-turn.ts'
import { type FoundTurn, findTurn, type MissedTurn } from './find-turn.ts'
import type { AskedOfTurn } from './questions.ts'
import { type AfterReplyInput, readAgentTurn } from './read-turn.ts'
import { lateSentence } from './sentences-data.ts'
import { readMemory } from './turn-context.ts'

/** The options of `afterReply`. */
export interface AfterReplyOptions {
  /** Your key for the turn: a second call with it changes nothing, within the last 20 turns. */
  readonly key?: string | undefined
  /**
   * Where the turn ends in the log (`appended.head`). Default: after the last message that is not
   * the user's.
   */
  readonly head?: number | undefined
  /** Aborts the call, which then rejects with the signal's reason and does not remember the turn. */
  readonly signal?: AbortSignal | undefined
}

/** What `afterReply` remembered of a turn, or why nothing changed. */
export type AfterReply =
  | {
      readonly changed: false
      /** `no-response`: the answer was empty. `repeated`: the turn is already remembered. */
      readonly why: 'no-response' | 'repeated'
      /** The turn that is already remembered; null if the answer was empty. */
      readonly record: TurnRecord | null
      readonly memory: TurnMemory
    }
  | {
      readonly changed: true
      readonly record: TurnRecord
      readonly entities: EntityChanges
      /** The questions for models, each with the writer of the accepted answer. */
      readonly asked: readonly AskedOfTurn[]
      /** Model calls, including retries, and their cost; null if a price is unknown. */
      readonly calls: number
      readonly costUsd: number | null
      readonly memory: TurnMemory
    }

/**
 * Remembers a turn of an agent. Call it after every reply; it appends no message to the log.
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
    for (const { to, ...texts } of await missedBefore(access, turn, rules, checked))
      await commitTurn(access, { ...noActions, ...texts }, rules, { ...withoutModels, head: to })
    return commitTurn(access, turn, rules, { ...checked, asksModels: true })
  })
}

const noActions = { router: null, think: null, steps: [], entities: [], entityUpdates: [] }
const withoutModels = { key: null, signal: null, asksModels: false } as const

async function missedBefore(
  access: ConversationAccess,
  { userMessage, finalResponse }: AgentTurn,
  rules: TurnRules,
  { head, key }: CheckedOptions,
): Promise<readonly MissedTurn[]> {
  const found = await findTurn(access, rules, { userMessage, finalResponse, head })
  const isKnown = key !== null && found.records.some((record) => record.key === key)
  return isKnown || found.taken !== null ? [] : found.missed
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

/** Finds, describes and commits a turn; starts again when another writer commits first. */
async function commitTurn(
  access: ConversationAccess,
  turn: AgentTurn,
  rules: TurnRules,
  options: CheckedOptions & { readonly asksModels: boolean },
): Promise<AfterReply> {
  const { id, now } = access
  const { userMessage, finalResponse } = turn
  let described: DescribedTurn | null = null
  for (let attempt = 0; attempt < defaults.commitAttempts; attempt += 1) {
    options.signal?.throwIfAborted()
    const { head } = options
    const foundInLog = await findTurn(access, rules, { userMessage, finalResponse, head })
    const { taken } = foundInLog
    const late = taken === null ? null : lateTurn(turn, taken, foundInLog.number)
    const found = late === null ? foundInLog : withoutMessages(foundInLog)
    const known = found.records.find(({ key }) => key !== null && key === options.key)
    // Another process has remembered the missed turn together with its own.
    const isDone = !options.asksModels && found.messages.from === found.messages.to
    if (known !== undefined || isDone || (taken !== null && late === null)) {
      if (known !== undefined && taken === null) assertSameTexts(known, turn)
      const memory = await readMemory(access, rules)
      return { changed: false, why: 'repeated', record: known ?? taken, memory }
    }
    // A retry reuses model answers while the earlier turns are the same.
    if (described === null || described.pastKey !== found.pastKey) {
      const byRules = described !== null || late !== null || !options.asksModels
      const { signal } = options
      const toDescribe = { turn: late ?? turn, found, rules, signal, byRules }
      described = keepAccount(described, await describeTurn(access, toDescribe))
      options.signal?.throwIfAborted()
    }
    const at = now()
    const { record, steps, entities } = buildRecord({
      turn: late ?? turn,
      number: found.number,
      key: options.key,
      messages: found.messages,
      at,
      before: found.knows,
      rules,
      ...described.texts,
    })
    const { version: expectedVersion } = found.state.conversation
    const asking = described.asking(found.state.asking, at)
    const changes = { remembered: { record, steps, asking } }
    const outcome = await commitChanges(access.store, { id, expectedVersion, changes, at })
    if (outcome.kind !== 'committed') continue
    const { asked, calls, costUsd } = described
    const memory = await readMemory(access, rules)
    return { changed: true, record, entities, asked, calls, costUsd, memory }
  }
  throw new ThroughlineError(
    'STORE_BUSY',
    `afterReply: other writers changed conversation "${id}" during every attempt; try again`,
  )
}

/** Calls that were made for an outdated past are paid for, so they stay in the account. */
function keepAccount(paid: DescribedTurn | null, latest: DescribedTurn): DescribedTurn {
  if (paid === null) return latest
  const { calls, costUsd, asking } = paid
  return { ...latest, calls, costUsd, asking }
}

/**
 * The actions of a turn whose texts another process has already remembered from the log; null if
 * there are none.
 */
function lateTurn(turn: AgentTurn, taken: TurnRecord, number: number): AgentTurn | null {
  const { steps, entities, entityUpdates, finalResponse } = turn
  const decided = taken.turn === number - 1 ? turn.think : null
  const isPending = decided !== null && decided.decision !== 'plan_direct'
  if (steps.length + entities.length + entityUpdates.length === 0 && !isPending) return null
  const think = decided === null ? null : withQuestions(decided, finalResponse)
  return { ...turn, userMessage: '', finalResponse: lateSentence(taken.turn), think }
}

/** Without a proposal or questions of its own, the decision refers to the answer. */
function withQuestions(think: Thought, answer: string): Thought {
  const { decision, proposalMessage, clarificationQuestions: questions } = think
  const isInAnswer = decision === 'clarify' && questions.length === 0
  return {
    ...think,
    proposalMessage: proposalMessage ?? answer,
    clarificationQuestions: isInAnswer ? [answer] : questions,
  }
}

/** The messages after a taken turn belong to later turns. */
function withoutMessages(found: FoundTurn): FoundTurn {
  const { from } = found.messages
  return { ...found, messages: { from, to: from } }
}

/** A forgotten record has no texts to compare. */
function assertSameTexts({ key, user, assistant, forgotten }: TurnRecord, turn: AgentTurn): void {
  if (forgotten || (user === turn.userMessage && assistant === turn.finalResponse)) return
  throw new ThroughlineError(
    'KEY_CONFLICT',
    `afterReply: key "${key}" belongs to another turn; use a new key for each turn`,
  )
}

/** The last call of each conversation, by store and id. */
const lastCalls = new WeakMap<object, Map<string, Promise<unknown>>>()

/** Two calls at once could each remember the other's turn as missed, so a call waits. */
async function oneAtATime<Value>(
  { store, id }: Pick<ConversationAccess, 'store' | 'id'>,
  work: () => Promise<Value>,
): Promise<Value> {
  const calls = lastCalls.get(store) ?? new Map<string, Promise<unknown>>()
  lastCalls.set(store, calls)
  const previousCall = calls.get(id) ?? Promise.resolve()
  const call = previousCall.then(work, work)
  calls.set(id, call)
  try {
    return await call
  } finally {
    if (calls.get(id) === call) calls.delete(id)
  }
}
