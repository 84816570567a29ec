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
} from '../domain/turn-memory.ts'
import { activeEntities } from './entities/entity-states.ts'
import { limits } from './limits-data.ts'
import { noLineYet } from './sentences-data.ts'

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
export function fullFrom({ turn, knows }: Newest, { fullTurns }: Limits): number {
  const firstWanted = Math.max(1, turn + 1 - fullTurns)
  // Turns without a history line have no other description.
  const historyEnd = knows.history.at(-1)?.to ?? 1
  if (historyEnd <= firstWanted) return historyEnd
  // A line over several turns cannot be split, so full turns start after it.
  const splitLine = knows.history.find(({ from, to }) => from < firstWanted && firstWanted < to)
  return splitLine?.to ?? firstWanted
}

/** Without any history line, thousands of turns could qualify. */
export function maxFullTurns({ fullTurns }: Limits): number {
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
