/** Turn records for tests: two messages each, with different texts. */
import type { Entity } from '../domain/entity.ts'
import type {
  PendingDecision,
  StepRecord,
  TurnKnowledge,
  TurnRecord,
} from '../domain/turn-memory.ts'

export const nothingKnown: TurnKnowledge = { theme: null, history: [], pending: null, entities: [] }

/** Newest first. The newest has `knows`, by default with history lines for all but three turns. */
export function recordsOf(
  turns: number,
  knows: Partial<TurnKnowledge> = {},
  changes: (turn: number) => Partial<TurnRecord> = () => ({}),
): readonly TurnRecord[] {
  return Array.from({ length: turns }, (_, index) =>
    turnRecord({
      turn: index + 1,
      messages: { from: index * 2, to: index * 2 + 2 },
      knows:
        index + 1 === turns
          ? { ...nothingKnown, history: historyOf(turns - 3), ...knows }
          : nothingKnown,
      ...changes(index + 1),
    }),
  ).reverse()
}

export function turnRecord(changes: Partial<TurnRecord> & { readonly turn: number }): TurnRecord {
  const { turn } = changes
  return {
    key: null,
    messages: { from: 0, to: 0 },
    at: Date.UTC(2026, 10, 15, 21, turn),
    user: `Question ${turn}?`,
    assistant: `Answer ${turn}.`,
    digest: null,
    routing: null,
    decision: 'plan_direct',
    entitiesMentioned: [],
    steps: [],
    compressed: null,
    audit: {
      ...{ created: [], updated: [], deleted: [], errors: [] },
      ...{ artifactsGenerated: 0, artifactsSaved: 0, stepsDone: 0, stepsTotal: 0 },
    },
    knows: nothingKnown,
    forgotten: false,
    ...changes,
  }
}

/** One history line for each of the first turns. */
export function historyOf(turns: number): TurnKnowledge['history'] {
  return Array.from({ length: turns }, (_, index) => ({
    ...{ from: index + 1, to: index + 2, text: `Told turn ${index + 1}.`, by: 'rules' },
  }))
}

export function savedEntity(id: string, changes: Partial<Entity> = {}): Entity {
  return {
    ...{ id, type: 'recipe', label: `Soup ${id}`, aliases: [], state: 'active', source: 'db_read' },
    ...{
      turnCreated: 1,
      turnLastRef: 1,
      turnUpdated: 1,
      since: 1,
      rejected: false,
      subdomain: null,
      data: null,
    },
    ...changes,
  }
}

export function proposed(changes: Partial<PendingDecision> = {}): PendingDecision {
  return {
    kind: 'propose',
    turn: 4,
    goal: 'Save the soups',
    proposal: 'I would save Soup a and Soup b.',
    ...{ assumptions: [], questions: [], partialPlan: [], entityIds: [] },
    ...changes,
  }
}

export function stepRecord(
  turn: number,
  step: number,
  changes: Partial<StepRecord> = {},
): StepRecord {
  return {
    ...{ turn, step, description: `Find ${turn}.${step}`, subdomain: null, status: 'done' },
    ...{ outcome: `found ${turn}.${step}`, entityIds: [], recordCount: null },
    result: { rows: [`row of ${turn}.${step}`] },
    ...changes,
  }
}
