/** Turns in which every field that can hold text holds the words of their messages. */

import type { ConversationId } from 'throughline'
import type { TenantStore } from 'throughline/stores'
import type { HistoryLine, TurnKnowledge, TurnRecord } from 'throughline/turns'
import { commitChanges } from '../../packages/throughline/src/derived/commit.ts'
import {
  sampleKnowledge,
  sampleStep,
  sampleTurn,
} from '../../packages/throughline/src/derived/remembered-turns.test-support.ts'
import { loadTurns } from '../../packages/throughline/src/derived/rows.ts'
import { loadConversation } from '../../packages/throughline/src/derived/state.ts'
import type { Span } from '../../packages/throughline/src/domain/span.ts'

export interface WordyTurn {
  readonly id: ConversationId
  readonly messages: Span
  readonly words: string
  readonly key: string | null
}

/** Where the next turn starts: after the messages of the newest. */
export async function rememberedTo(tenant: TenantStore, id: ConversationId): Promise<number> {
  const [newest] = (await loadTurns(tenant, { id, before: null, limit: 1 })) ?? []
  return newest?.messages.to ?? 0
}

export async function rememberWords(
  tenant: TenantStore,
  { id, messages, words, key }: WordyTurn,
): Promise<void> {
  const [newest, , third] = (await loadTurns(tenant, { id, before: null, limit: 3 })) ?? []
  const turn = (newest?.turn ?? 0) + 1
  const compressed =
    third === undefined || third.forgotten
      ? null
      : { turn: third.turn, text: `They spoke of ${third.user}.`, by: 'm' }
  const line = { from: turn - 3, to: turn - 2, text: compressed?.text ?? 'They spoke.', by: 'm' }
  const record = sampleTurn({
    turn,
    key,
    messages,
    user: words,
    assistant: words,
    digest: { text: words, by: 'm' },
    routing: { agent: words, goal: words, complexity: 'high' },
    entitiesMentioned: [words],
    compressed,
    audit: {
      ...sampleTurn().audit,
      ...{ created: [words], updated: [words], deleted: [words] },
      errors: [{ code: 'E', message: words, step: null }],
    },
    knows: knowledgeOf(newest ?? null, third === undefined ? null : line, turn, words),
  })
  const steps = [0, 1].map((step) => {
    const described = { description: words, outcome: words, entityIds: [words] }
    return sampleStep({ turn, step, ...described, result: { [words]: [words] } })
  })
  const digests = steps.map(({ result: _, ...digest }) => digest)
  const remembered = { record: { ...record, steps: digests }, steps, asking: null }
  const expectedVersion = (await loadConversation(tenant, id))?.version ?? 0
  await commitChanges(tenant, { id, expectedVersion, changes: { remembered }, at: 0 })
}

function knowledgeOf(
  newest: TurnRecord | null,
  line: HistoryLine | null,
  turn: number,
  words: string,
): TurnKnowledge {
  const { theme, entities = [], history = [] } = newest?.knows ?? {}
  const sample = sampleKnowledge()
  return {
    // Sometimes it continues the previous theme.
    theme:
      turn % 2 === 0
        ? (theme ?? null)
        : { text: `${theme?.text ?? ''} and ${words}`.slice(-600), by: 'm', turn },
    history: line === null ? [] : folded([...history, line]),
    pending: sample.pending && {
      ...sample.pending,
      ...{ turn, goal: words, proposal: words },
      ...{ assumptions: [words], questions: [words], partialPlan: [words], entityIds: [words] },
    },
    entities: [
      // The oldest entity gets a new description in every turn.
      ...entities.slice(-6).map((entity, index) => {
        const label = `${entity.label} ${words}`.slice(-200)
        return index === 0 ? { ...entity, label, turnUpdated: turn } : entity
      }),
      ...sample.entities.map((entity) => ({
        ...entity,
        ...{ id: `${turn} ${words}`, label: words, aliases: [words], data: { [words]: words } },
        ...{ turnCreated: turn, turnUpdated: turn },
      })),
    ],
  }
}

/** The oldest lines merged into one, as a model writes it. */
function folded(lines: readonly HistoryLine[]): readonly HistoryLine[] {
  if (lines.length < 5) return lines
  const [old, recent] = [lines.slice(0, 3), lines.slice(3)]
  const text = old.map((line) => line.text).join(' Then ')
  return [{ from: 1, to: recent[0]?.from ?? 1, text, by: 'm' }, ...recent]
}
