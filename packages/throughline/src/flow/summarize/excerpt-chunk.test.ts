import { describe, expect, it } from 'vitest'
import { excerptChunk } from './summarize-chunks.ts'

/** A token is a character, so that room can be read off the text. */
const meter = { text: (text: string) => text.length }

function sources(count: number, characters: number) {
  const text = Array.from({ length: characters / 4 }, (_, at) => String(at).padStart(4, '0'))
  return Array.from({ length: count }, (_, seq) => ({
    seq,
    role: 'user' as const,
    text: text.join(''),
  }))
}

function firstLine(count: number, mostTokens: number): string | undefined {
  return excerptChunk(sources(count, 400), mostTokens, meter).split('\n')[0]
}

describe('a chunk as an excerpt', () => {
  it('shares the room among the texts, in whole tokens', () => {
    expect(firstLine(2, 302)).toHaveLength(155)
    expect(firstLine(2, 301)).toHaveLength(154)
  })

  it('leaves about a sentence of each, however many there are', () => {
    expect(firstLine(4, 100)).toBe('(user) 0000000100020003000400 … 00980099')
  })

  it('is whole if it fits, and empty without texts', () => {
    const [only] = sources(1, 80)
    expect(excerptChunk(sources(1, 80), 120, meter)).toBe(`(user) ${only?.text}`)
    expect(excerptChunk([], 50, meter)).toBe('')
  })
})
