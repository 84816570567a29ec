import { describe, expect, it } from 'vitest'
import type { ContextMessage } from '../../packages/throughline/src/domain/context.ts'
import { sharesOf } from './shares.ts'

function message(seq: number | null, slot: string, characters: number): ContextMessage {
  const text = { type: 'text', text: 'x'.repeat(characters), metadata: null } as const
  // Tests also use slots that do not exist yet.
  const kind = slot as ContextMessage['slot']
  return { role: 'user', author: null, parts: [text], meta: null, seq, slot: kind }
}

describe('the shares of a context', () => {
  it('separate message text from derived text, by slot', () => {
    const { verbatimOrNarrative, derived } = sharesOf({
      messages: [
        message(null, 'earlier', 10),
        message(null, 'ledger', 20),
        message(3, 'earlier', 30),
        message(7, 'recent', 40),
      ],
    })
    expect(verbatimOrNarrative).toBeCloseTo(0.7)
    expect([...derived]).toEqual([
      ['earlier', 0.1],
      ['ledger', 0.2],
    ])
  })

  it('count a summary as narrative', () => {
    const messages = [message(null, 'summary', 60), message(null, 'ledger', 40)]
    expect(sharesOf({ messages }).verbatimOrNarrative).toBeCloseTo(0.6)
  })

  it('are 0 for an empty context', () => {
    expect(sharesOf({ messages: [] })).toEqual({ verbatimOrNarrative: 0, derived: new Map() })
  })
})
