import type { TranscriptItem } from 'throughline/transcripts'
import { describe, expect, it } from 'vitest'
import type { MessageInput } from '../packages/throughline/src/domain/message.ts'
import { violationKinds } from './fit/tally.ts'
import { fitRows, measureFit } from './fit.ts'
import { turnMessages } from './turn/messages.ts'

function file(messages: readonly MessageInput[]) {
  const conversationId = 'one'
  const items = messages.map(
    (message): TranscriptItem => ({
      kind: 'message',
      conversationId,
      message,
      usage: null,
      model: null,
      line: null,
    }),
  )
  return {
    source: 'made',
    name: 'made/one.json',
    items: async function* () {
      yield* items
    },
  }
}

describe('bench fit', () => {
  it('replays every request in three windows and finds no violation', async () => {
    const turns = Array.from({ length: 30 }, (_, turn) => turnMessages(turn)).flat()
    const notes: string[] = []
    const rows = await fitRows([file(turns)], { note: (...note) => notes.push(note.join(' ')) })
    expect(notes).toEqual([])
    const figure = (size: number, unit: string, method = 'throughline') =>
      rows.find((row) => row.size === size && row.unit === unit && row.method === method)?.value
    for (const size of [8_192, 32_768, 131_072]) {
      expect(figure(size, 'requests')).toBe(30)
      expect(figure(size, 'violations')).toBe(0)
      for (const kind of violationKinds) expect(figure(size, 'violations', kind)).toBe(0)
    }
    expect(figure(8_192, 'epochs')).toBeGreaterThan(1)
    expect(figure(131_072, 'epochs')).toBe(0)
    expect(figure(131_072, '% of the prompt repeats the previous one')).toBeGreaterThan(80)
  })

  it('accepts a refusal only if the prompt alone is too large', async () => {
    const rows = await fitRows([
      file([
        { role: 'system', content: 'Never say so. '.repeat(3_000) },
        { role: 'user', content: 'hello' },
        { role: 'assistant', content: 'hello' },
      ]),
    ])
    expect(rows).toContainEqual({
      source: 'made',
      method: 'throughline',
      size: 8_192,
      value: 1,
      unit: 'requests whose prompt alone is too large',
      n: 1,
    })
    expect(rows.filter(({ unit, value }) => unit === 'violations' && value > 0)).toEqual([])
  })

  it('needs a folder', async () => {
    await expect(measureFit({ dataDir: null })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })
})
