/** Helpers that commit turns and load them, for tests on stores. */

import type { ConversationId } from '../domain/ids.ts'
import { closedBreaker } from '../domain/model-calls.ts'
import type { Span } from '../domain/span.ts'
import type {
  AuthoredText,
  HistoryLine,
  StepRecord,
  TurnKnowledge,
  TurnRecord,
} from '../domain/turn-memory.ts'
import type { TenantStore } from '../ports/store.ts'
import { hardText, id } from '../testing/store-cases/case.test-support.ts'
import { change } from './changes.test-support.ts'
import type { Remembered } from './changes.ts'
import { loadSteps, loadTurns } from './rows.ts'

export function sampleKnowledge(changes: Partial<TurnKnowledge> = {}): TurnKnowledge {
  return {
    theme: { text: `Planning ${hardText}`, by: 'm', turn: 1 },
    history: [],
    pending: {
      kind: 'propose',
      turn: 1,
      goal: hardText,
      proposal: hardText,
      assumptions: [hardText],
      questions: [],
      partialPlan: [hardText],
      entityIds: ['temp_1'],
    },
    entities: [
      {
        id: 'temp_1',
        type: 'recipe',
        label: hardText,
        aliases: [hardText],
        state: 'pending',
        source: 'generate',
        turnCreated: 1,
        turnLastRef: 1,
        turnUpdated: 1,
        since: 1,
        rejected: false,
        subdomain: null,
        data: { [hardText]: hardText },
      },
    ],
    ...changes,
  }
}

export function sampleTurn(changes: Partial<TurnRecord> = {}): TurnRecord {
  return {
    turn: 1,
    key: null,
    messages: { from: 0, to: 2 },
    at: 5,
    user: hardText,
    assistant: hardText,
    digest: { text: hardText, by: 'm' },
    routing: { agent: null, goal: hardText, complexity: 'high' },
    decision: 'propose',
    entitiesMentioned: [hardText],
    steps: [],
    compressed: null,
    audit: {
      created: ['temp_1'],
      updated: [],
      deleted: [],
      artifactsGenerated: 1,
      artifactsSaved: 0,
      errors: [{ code: 'E', message: hardText, step: null }],
      stepsDone: 1,
      stepsTotal: 2,
    },
    knows: sampleKnowledge(),
    forgotten: false,
    ...changes,
  }
}

export function sampleStep(changes: Partial<StepRecord> = {}): StepRecord {
  return {
    turn: 1,
    step: 0,
    description: hardText,
    subdomain: null,
    status: 'done',
    outcome: hardText,
    entityIds: [hardText],
    recordCount: 2,
    result: { [hardText]: [1.5, null, hardText] },
    ...changes,
  }
}

export function sampleRemembered(changes: Partial<Remembered> = {}): Remembered {
  const asking = { breaker: closedBreaker, spent: [{ at: 4, usd: 0.5 }], failedTo: null }
  return { record: sampleTurn(), steps: [sampleStep()], asking, ...changes }
}

/**
 * Commits the next turns, each with so many messages from a place on and two steps; texts name
 * their conversation.
 */
export async function remember(
  tenant: TenantStore,
  { to = id, from = 0, turns = 1, each = 2 }: Partial<Remembering> = {},
): Promise<void> {
  for (let number = 0; number < turns; number += 1) {
    const [newest] = (await loadTurns(tenant, { id: to, before: null, limit: 1 })) ?? []
    const messages = { from: from + number * each, to: from + (number + 1) * each }
    const record = nextTurn(newest ?? null, to, messages)
    const steps = [0, 1].map((step) =>
      sampleStep({ turn: record.turn, step, result: `${record.user}.${step}` }),
    )
    await change(tenant, { remembered: { record, steps, asking: null } }, to)
  }
}

/**
 * The turn after the newest: it has a sentence about the turn two before it, and knows all turns.
 */
export function nextTurn(
  newest: TurnRecord | null,
  by: ConversationId,
  messages: Span,
): TurnRecord {
  const turn = (newest?.turn ?? 0) + 1
  const userText = `${by} ${turn}`
  const compressed = turn > 2 ? { turn: turn - 2, text: `sentence ${turn - 2}`, by: 'm' } : null
  const { pending, entities } = sampleKnowledge()
  return sampleTurn({
    turn,
    key: `key ${turn}`,
    messages,
    user: userText,
    assistant: `answer ${userText}`,
    compressed,
    knows: {
      theme: { text: `theme ${userText}`, by: 'm', turn },
      history: compressed === null ? [] : foldedLines(newest?.knows.history ?? [], compressed),
      pending: pending && { ...pending, turn, goal: `goal ${userText}` },
      entities: [
        ...(newest?.knows.entities ?? []),
        ...entities.map((entity) => {
          return { ...entity, id: userText, turnCreated: turn, turnUpdated: turn }
        }),
      ],
    },
  })
}

/** Folds all lines into one, and adds a line for the newest turn. */
function foldedLines(
  lines: readonly HistoryLine[],
  { turn, text, by }: AuthoredText & { readonly turn: number },
): readonly HistoryLine[] {
  const line = { from: turn, to: turn + 1, text, by }
  if (turn === 1) return [line]
  return [{ from: 1, to: turn, text: lines.map((each) => each.text).join(', '), by }, line]
}

interface Remembering {
  readonly to: ConversationId
  readonly from: number
  readonly turns: number
  readonly each: number
}

/** The user's text of each turn, newest first. */
export const userTexts = async (tenant: TenantStore, of: ConversationId = id) =>
  (await loadTurns(tenant, { id: of, before: null, limit: 99 }))?.map(({ user }) => user)

/** The result of each step, newest first. */
export const broughtBy = async (tenant: TenantStore, of: ConversationId = id) =>
  (await loadSteps(tenant, { id: of, turn: null, step: null, limit: 99 }))?.map(
    ({ result }) => result,
  )

/** The knowledge after a turn, in short. */
export const knownIn = async (tenant: TenantStore, turn: number, of: ConversationId = id) => {
  const [record] = (await loadTurns(tenant, { id: of, before: turn + 1, limit: 1 })) ?? []
  const { theme, history, pending, entities } = record?.knows ?? {}
  return {
    theme: theme?.text ?? null,
    history: history?.map(({ from, to, text }) => `${from}-${to}: ${text}`),
    goal: pending?.goal ?? null,
    entities: entities?.map((entity) => entity.id),
    compressed: record?.compressed?.text ?? null,
  }
}
