import { describe, expect, it } from 'vitest'
import type { Draft } from '../../domain/summary.ts'
import { meter } from '../summary-input.test-support.ts'
import { renderStructured } from './structured.ts'

const draft: Draft = {
  text: 'Ada fixed parseInvoice.',
  keyPoints: ['It takes a zone'],
  facets: {
    participants: ['Ada'],
    decisions: ['Use Temporal 0.5'],
    actionItems: [
      { owner: 'Ada', task: 'Add a test', due: '2031-02-03' },
      { owner: null, task: 'Deploy', due: null },
    ],
    unresolved: ['Who pays?'],
    domainEntities: ['src/invoice.ts'],
    tone: null,
    userFacts: [],
    references: ['terms.pdf (ID: 7)'],
  },
}

const noNames = { participants: [], domainEntities: [], references: [] }

const shown = (mostTokens: number, shownDraft: Draft = draft) =>
  renderStructured(shownDraft, { depth: 1, mostTokens, meter })

describe('a structured summary in a context', () => {
  it('B1-5: shows every list that is not empty', () => {
    expect(shown(500)).toMatchInlineSnapshot(`
      "Conversation summary (depth 1)

      Ada fixed parseInvoice.

      Key Points:
      - It takes a zone

      Decisions:
      - Use Temporal 0.5

      Action Items:
      - Ada: Add a test (due 2031-02-03)
      - Deploy

      Unresolved:
      - Who pays?

      Participants:
      - Ada

      Domain Entities:
      - src/invoice.ts

      References:
      - terms.pdf (ID: 7)"
    `)
  })

  it('shows the story alone where there is nothing else', () => {
    const story = { text: 'So.', keyPoints: [], facets: null }
    expect(shown(500, story)).toBe('Conversation summary (depth 1)\n\nSo.')
  })

  it('leaves out only as many items as it must, key points last', () => {
    const points = { ...draft, keyPoints: ['It takes a zone', 'It rounds down', 'It is slow'] }
    const bare = { ...points, facets: { ...draft.facets, ...noNames } } as Draft
    const mostTokens = meter.count(shown(500, bare)) - 1
    const short = shown(mostTokens, points)
    expect(short).toContain('- It takes a zone\n- It rounds down\n\nDecisions:')
    expect(short).not.toMatch(/It is slow|Participants|Domain Entities|References/)
  })

  it('X2-2: has no more tokens than it may, and loses its last lists first', () => {
    const short = shown(50)
    expect(meter.count(short)).toBeLessThanOrEqual(50)
    expect(short).toContain('Use Temporal 0.5')
    expect(short).not.toContain('terms.pdf')
  })
})
