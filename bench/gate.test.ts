import { describe, expect, it } from 'vitest'
import { seededRandom } from '../harness/kernel/chance.ts'
import type { TranscriptItem } from '../packages/throughline/src/transcripts/transcript.ts'
import { badKinds } from './gate/bad-drafts.ts'
import { mutationsOf } from './gate/mutations.ts'
import { gateRows } from './gate.ts'

const plan = { truthful: 8, badOfEach: 8 }

const items: readonly TranscriptItem[] = [
  {
    kind: 'conversation',
    id: 'a',
    parent: null,
    title: null,
    meta: null,
  } as unknown as TranscriptItem,
  ...[
    'Please fix the lamp in src/lamp/switch.ts.',
    'The lamp is fixed, committed as 4f0c2d1b9e.',
  ].map(
    (content, at) =>
      ({
        kind: 'message',
        conversationId: 'a',
        message: { role: at === 0 ? 'user' : 'assistant', content },
      }) as unknown as TranscriptItem,
  ),
  {
    kind: 'compaction',
    conversationId: 'a',
    summary:
      'The user wanted the lamp in src/lamp/switch.ts to be fixed. It is fixed and committed as 4f0c2d1b9e.',
  } as unknown as TranscriptItem,
]

const file = {
  source: 'lamps',
  name: 'lamps/one.jsonl',
  items: async function* () {
    yield* items
  },
}

describe('bench gate', () => {
  it('has rows for true drafts, mutated ones and each kind of bad draft', async () => {
    const rows = await gateRows([file], plan)
    expect(rows.filter(({ unit }) => unit === 'accepted (0)').map(({ method }) => method)).toEqual(
      Object.keys(badKinds),
    )
    expect(Object.keys(badKinds)).toHaveLength(17)
    expect(rows.filter(({ unit, value }) => unit === 'accepted (0)' && value > 0)).toEqual([])
    for (const { source, unit, value } of rows) {
      if (unit.startsWith('% accepted (')) expect(value, source).toBe(100)
      if (unit.startsWith('% caught (')) expect(value, source).toBe(100)
    }
    expect(rows.find(({ method }) => method === 'written by models')).toMatchObject({
      source: 'lamps',
      n: 1,
    })
  })

  it('changes one character of a value, and nothing else', () => {
    const text = 'Committed as 4f0c2d1b9e, 12345 rows.'
    for (const { text: other, mutant } of mutationsOf(text, seededRandom('one'))) {
      expect(other).toHaveLength(text.length)
      expect([...other].filter((letter, at) => letter !== text[at])).toHaveLength(1)
      expect(other).toContain(mutant)
    }
  })
})
