/** The context extension that fills the slots of the policy `turn-memory`. */
import type { ConversationAccess } from '../conversation/access.ts'
import { loadSteps, loadTurns } from '../derived/rows.ts'
import type { Seq } from '../domain/ids.ts'
import {
  byRules,
  type HistoryLine,
  type RememberedTurn,
  type StepDigest,
  type StepRecord,
  type TurnMemory,
  type TurnRecord,
  type TurnRules,
  turnSlots,
} from '../domain/turn-memory.ts'
import { turnRules } from '../domain/turn-rules-data.ts'
import type { ContextExtension } from '../ports/context-extension.ts'
import { activeEntities } from './entities/entity-states.ts'
import { limits } from './limits-data.ts'
import { memoryContent } from './memory-blocks.ts'
import { noLineYet } from './sentences-data.ts'

export const turnContext: ContextExtension = {
  slots: turnSlots,
  content: async ({ store, id, policy, reader }) => {
    const rules = policy.turns ?? turnRules
    const memory = await readMemory({ store, id }, rules)
    // Only the slot `turns`, together with the history, replaces messages.
    const isCovering = policy.slots.some(({ kind }) => kind === 'turns')
    return { coveredTo: isCovering ? memory.to : 0, ...memoryContent(memory, reader, rules) }
  },
}

type MemorySource = Pick<ConversationAccess, 'store' | 'id'>

export async function readMemory(source: MemorySource, rules: TurnRules): Promise<TurnMemory> {
  const [recent, steps] = await Promise.all([
    readTurns(source, null, rules.fullTurns),
    loadSteps(source.store, { id: source.id, turn: null, step: null, limit: rules.fullSteps }),
  ])
  const [newest] = recent
  const before = recent.at(-1)?.turn ?? 0
  // Older turns without a history line: an earlier policy showed more turns in full.
  const missing = newest === undefined ? 0 : before - fullFrom(newest, rules)
  const most = Math.min(missing, maxFullTurns(rules) - recent.length)
  const others = await readTurns(source, before, most)
  return buildMemory([...recent, ...others], steps ?? [], rules)
}

/** Newest first; null reads from the newest. */
export async function readTurns(
  { store, id }: MemorySource,
  before: number | null,
  limit: number,
): Promise<readonly TurnRecord[]> {
  return limit <= 0 ? [] : ((await loadTurns(store, { id, before, limit })) ?? [])
}

/**
 * Builds the memory from records and steps, newest first. The records must go back to the first
 * turn that is shown in full.
 */
export function buildMemory(
  records: readonly TurnRecord[],
  steps: readonly StepRecord[],
  rules: TurnRules,
): TurnMemory {
  const [newest] = records
  const fullSteps = steps.slice(0, rules.fullSteps).reverse()
  if (newest === undefined) return { ...emptyMemory, steps: fullSteps }
  const from = fullFrom(newest, rules)
  const recent = records
    .slice(0, maxFullTurns(rules))
    .filter(({ turn }) => turn >= from)
    .reverse()
  const { theme, pending, entities } = newest.knows
  return {
    turn: newest.turn,
    to: coveredTo(recent),
    recentTurns: recent.map(rememberedTurn),
    history: historyBefore(newest.knows, from, recent[0]?.turn ?? from),
    theme,
    activeEntities: activeEntities(entities, rules),
    entities,
    steps: fullSteps,
    stepDigests: recent.flatMap(({ steps }) => steps).filter((step) => !isAmong(step, fullSteps)),
    pending,
  }
}

const emptyMemory: TurnMemory = {
  turn: 0,
  to: 0,
  recentTurns: [],
  history: [],
  theme: null,
  pending: null,
  activeEntities: [],
  entities: [],
  steps: [],
  stepDigests: [],
}

/** Ends before a forgotten turn: contexts show its messages, and all later ones, from the log. */
function coveredTo(recent: readonly TurnRecord[]): Seq {
  const gap = recent.find(({ forgotten, messages }) => forgotten && messages.to > messages.from)
  return gap?.messages.from ?? Math.max(0, ...recent.map(({ messages }) => messages.to))
}

function rememberedTurn(record: TurnRecord): RememberedTurn {
  const { turn, user, assistant, digest, at, routing, decision, entitiesMentioned } = record
  return {
    turn,
    user,
    assistant,
    assistantSummary: digest?.text ?? null,
    timestamp: isoText(at),
    routing,
    decision,
    entitiesMentioned,
    messages: record.messages,
  }
}

/** A caller's clock may return a number that is no date. */
function isoText(at: number): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}

function isAmong({ turn, step }: StepDigest, steps: readonly StepDigest[]): boolean {
  return steps.some((other) => other.turn === turn && other.step === step)
}

type Limits = Pick<TurnRules, 'fullTurns'>
type Newest = Pick<TurnRecord, 'turn' | 'knows'>

/** The first turn to show in full, so that full turns and history lines describe each turn once. */
function fullFrom({ turn, knows }: Newest, { fullTurns }: Limits): number {
  const firstWanted = Math.max(1, turn + 1 - fullTurns)
  // Turns without a history line have no other description.
  const historyEnd = knows.history.at(-1)?.to ?? 1
  if (historyEnd <= firstWanted) return historyEnd
  // A line over several turns cannot be split, so full turns start after it.
  const splitLine = knows.history.find(({ from, to }) => from < firstWanted && firstWanted < to)
  return splitLine?.to ?? firstWanted
}

/** Without any history line, thousands of turns could qualify. */
function maxFullTurns({ fullTurns }: Limits): number {
  return Math.max(fullTurns, limits.maxTurnsRead)
}

/** History lines up to the first turn that is shown; `from` is the result of `fullFrom`. */
function historyBefore(
  { history }: TurnRecord['knows'],
  from: number,
  shownFrom: number,
): readonly HistoryLine[] {
  const lines = history.filter(({ to }) => to <= from)
  if (shownFrom <= from) return lines
  return [...lines, { from, to: shownFrom, text: noLineYet, by: byRules }]
}
