import { describe, expect, it } from 'vitest'
import type { MessageInput } from '../../domain/message.ts'
import { pieceKey } from '../../domain/search-index.ts'
import { sha256 } from '../../system.ts'
import { build } from '../../testing/build.ts'
import { sealMessages } from '../append/append.ts'
import { piecesOf } from './message-pieces.ts'
import { noReason, rangesOf, rangeText } from './recalled-text.ts'

const createdAt = Date.UTC(2026, 2, 5, 14, 10)
const long = Array.from({ length: 900 }, (_, index) => `word${index}`).join(' ')

/** The pieces of these messages, as [place, part]. */
function drawn(messages: Iterable<MessageInput>, chosen: readonly (readonly [number, number])[]) {
  const dated = [...messages].map((message) => ({ ...message, createdAt }))
  const log = sealMessages(dated, sha256)
  const pieces = chosen.flatMap(([seq, part]) => {
    const message = log[seq]
    const range = message === undefined ? undefined : piecesOf(message).ranges[part]
    return message === undefined || range === undefined
      ? []
      : [{ message, key: pieceKey(seq, part), ...range, worth: seq, ...noReason }]
  })
  return rangesOf(pieces)
}

describe('recalled pieces as text', () => {
  it('show author, date and place', () => {
    const script = build()
      .user('Which port?', 'review\ndesk')
      .says('8443.')
      .user('Good.')
      .calls('read', { path: 'a.ts' })
      .result('const port = 8443')
    const ranges = drawn(script, [
      [0, 0],
      [1, 0],
      [3, 0],
      [4, 0],
    ])
    expect(ranges.map(rangeText).join('\n\n')).toMatchInlineSnapshot(`
      "#0-#1 · 2026-03-05 14:10
      review desk: Which port?
      assistant: 8443.

      #3-#4 · 2026-03-05 14:10
      assistant: a.ts
      tool: const port = 8443"
    `)
    expect(ranges.map(({ span, worth }) => [span, worth])).toEqual([
      [{ from: 0, to: 2 }, 1],
      [{ from: 3, to: 5 }, 4],
    ])
  })

  it('continue if they are adjacent, and mark gaps', () => {
    const script = build().user('First.').says(long)
    const parts = piecesOf(sealMessages([...script], sha256)[1] as never).ranges.length
    expect(parts).toBeGreaterThan(3)
    const whole = Array.from({ length: parts }, (_, part) => [1, part] as const)
    expect(drawn(script, whole).map(({ text }) => text)).toEqual([`assistant: ${long}`])
    const [some] = drawn(script, [
      [1, 1],
      [1, 3],
    ])
    const lines = some?.text.split('\n') ?? []
    expect(lines.map((line) => line.slice(0, 17))).toEqual([
      expect.stringMatching(/^assistant: … word/),
      expect.stringMatching(/^… word/),
    ])
  })

  it('are nothing where nothing was chosen', () => {
    expect(rangesOf([])).toEqual([])
  })
})
