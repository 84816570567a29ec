import { describe, expect, it } from 'vitest'
import type { Tokenizer } from '../../index.ts'
import { createRecount } from './checks.ts'

function counting() {
  const counted: string[] = []
  const tokenizer: Tokenizer = {
    id: 'characters/1',
    exact: true,
    count: (text) => {
      counted.push(text)
      return text.length
    },
  }
  return { counted, recount: createRecount(tokenizer) }
}

const request = {
  system: 'Be brief.',
  messages: [
    { role: 'user', content: 'hello' },
    { role: 'assistant', content: [{ type: 'text', text: 'yes' }] },
  ],
}

const enough = 1_000

describe('createRecount', () => {
  it('counts the JSON of a request', () => {
    const { recount } = counting()
    expect(recount(request)).toBe(JSON.stringify(request).length)
  })

  it('counts no less in pieces, and each piece once', () => {
    const { recount, counted } = counting()
    const tokens = recount(request, enough)
    expect(tokens).toBeGreaterThanOrEqual(JSON.stringify(request).length)
    expect(tokens).toBeLessThan(JSON.stringify(request).length * 1.1)
    const before = counted.length
    const longer = { ...request, messages: [...request.messages, { role: 'user', content: 'so' }] }
    recount(longer, enough)
    expect(counted.slice(before)).toEqual(['{"role":"user","content":"so"}'])
  })

  it('counts in one piece only what is nearly full', () => {
    const { recount, counted } = counting()
    const tokens = recount(request, enough)
    recount(request, tokens / 0.96)
    expect(counted).not.toContain(JSON.stringify(request))
    recount(request, tokens / 0.98)
    expect(counted).toContain(JSON.stringify(request))
  })

  it('leaves out the bytes of files, in every form that they are sent in', () => {
    const { recount } = counting()
    const base64 = 'A'.repeat(1_000)
    const files = [
      { type: 'base64', data: base64 },
      { url: `data:image/png;base64,${base64}` },
      { data: new Uint8Array(1_000) },
    ]
    expect(recount(files)).toBeLessThan(100)
  })
})
