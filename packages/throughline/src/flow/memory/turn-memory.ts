/** Records of turns and steps in, what is remembered out. Pure. */
import type { Seq } from '../../domain/ids.ts'
import type { RememberedTurn, TurnMemory } from '../../domain/turn-memory.ts'
import type { StepDigest, StepRecord, TurnRecord } from '../../domain/turn-record.ts'
import type { TurnRules } from '../../domain/turn-rules.ts'
import { activeEntities } from './active-entities.ts'
import { fullFrom, historyBefore, mostFullTurns } from './full-turns.ts'

/**
 * Records and steps newest first, as stores read them: all records from the first that is shown in
 * full, and perhaps more.
 */
export function turnMemoryOf(
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
 * What a turn rested on may have been edited since: then nothing tells it any more, and its
 * messages are shown as they stand in the log, with all that came behind them.
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
