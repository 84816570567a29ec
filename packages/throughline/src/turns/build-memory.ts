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

/** Records and steps come newest first; all records from the first that is shown in full are needed. */
export function buildMemory(
  records: readonly TurnRecord[],
  steps: readonly StepRecord[],
  rules: TurnRules,
): TurnMemory {
  const [newest] = records
  const whole = steps.slice(0, rules.fullSteps).reverse()
  if (newest === undefined) return { ...nothing, steps: whole }
  const from = fullFrom(newest, rules)
  const recent = records
    .slice(0, mostFullTurns(rules))
    .filter(({ turn }) => turn >= from)
    .reverse()
  const { theme, pending, entities } = newest.knows
  return {
    turn: newest.turn,
    to: toldTo(recent),
    recentTurns: recent.map(rememberedTurn),
    history: historyBefore(newest.knows, from, recent[0]?.turn ?? from),
    theme,
    activeEntities: activeEntities(entities, rules),
    entities,
    steps: whole,
    stepDigests: recent.flatMap((record) => record.steps).filter((step) => !isAmong(step, whole)),
    pending,
  }
}

const nothing: TurnMemory = {
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

/**
 * Where a turn's sources were edited since, its messages and all after them are shown as the log
 * has them.
 */
function toldTo(recent: readonly TurnRecord[]): Seq {
  const lost = recent.find(({ forgotten, messages }) => forgotten && messages.to > messages.from)
  return lost?.messages.from ?? Math.max(0, ...recent.map(({ messages }) => messages.to))
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

/** A clock is handed in, and may give what no calendar has. */
function isoText(at: number): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}

function isAmong({ turn, step }: StepDigest, steps: readonly StepDigest[]): boolean {
  return steps.some((each) => each.turn === turn && each.step === step)
}

/** Turns in full and history lines together describe each turn once, also where the rules changed since. */
type Limits = Pick<TurnRules, 'fullTurns'>
type Newest = Pick<TurnRecord, 'turn' | 'knows'>

export function fullFrom({ turn, knows }: Newest, { fullTurns }: Limits): number {
  const wanted = Math.max(1, turn + 1 - fullTurns)
  // Turns without a history line have no other description.
  const toldTo = knows.history.at(-1)?.to ?? 1
  if (toldTo <= wanted) return toldTo
  // A line of several turns is not split: the turns after it are shown.
  const across = knows.history.find(({ from, to }) => from < wanted && wanted < to)
  return across?.to ?? wanted
}

/** Of a history that was never made there may be thousands. */
export function mostFullTurns({ fullTurns }: Limits): number {
  return Math.max(fullTurns, limits.turnsReadMost)
}

/** Up to the first turn that is shown; `from` is what `fullFrom` says. */
function historyBefore(
  { history }: TurnRecord['knows'],
  from: number,
  shownFrom: number,
): readonly HistoryLine[] {
  const lines = history.filter(({ to }) => to <= from)
  if (shownFrom <= from) return lines
  return [...lines, { from, to: shownFrom, text: 'Not told in short yet.', by: byRules }]
}
