import { describe, expect, it } from 'vitest'
import type { ContextMessage } from '../../packages/throughline/src/domain/context.ts'
import { anchoredPieces, anchorsIn } from './anchors.ts'

function message(seq: number | null, text: string): ContextMessage {
  const part = { type: 'text', text, metadata: null } as const
  return { role: 'user', author: null, parts: [part], meta: null, seq, slot: 'recent' }
}

describe('anchors in a text', () => {
  it('are positions and spans', () => {
    expect(anchorsIn('see #12; in short in #3-#17, #4.')).toEqual(['#12', '#3-#17', '#4'])
  })

  it('are not parts of words, URLs or colors', () => {
    expect(anchorsIn('a#12 &#39; /page#7 x/#8 ##9 #12ab')).toEqual([])
  })

  it('are not in the note about omitted messages', () => {
    expect(anchorsIn('[earlier messages, #0 to #41, are not shown, but for #3]')).toEqual(['#3'])
  })
})

describe('pieces with an anchor', () => {
  it('are a whole stub, or single lines of derived text', () => {
    const pieces = anchoredPieces(
      [message(5, 'src/a.ts\n[… left out; see #5 …]'), message(null, 'b.ts #7\nc.ts')],
      () => '',
    )
    expect(pieces).toEqual([
      { text: 'src/a.ts\n[… left out; see #5 …]', anchors: ['#5'] },
      { text: 'b.ts #7', anchors: ['#7'] },
    ])
  })

  it('are not texts whose message itself contains such a number', () => {
    expect(anchoredPieces([message(5, 'fixes #12')], () => 'fixes #12')).toEqual([])
  })
})
