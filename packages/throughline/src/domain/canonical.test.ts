import { describe, expect, it } from 'vitest'
import { sha256 } from '../system.ts'
import { canonicalHash, canonicalText, type Sha256 } from './hash.ts'
import { canonicalJson } from './json.ts'
import type { Part } from './message.ts'

const text = (content: string): Part => ({ type: 'text', text: content, metadata: null })
const call = (input: string): Part => ({
  type: 'tool-call',
  callId: '1',
  name: 'n',
  input,
  metadata: null,
})
const canonical = (...parts: readonly Part[]) =>
  canonicalText({ role: 'assistant', author: null, parts })

describe('the canonical text of a message', () => {
  it('is the same wherever a client puts its cache hints', () => {
    const hinted: Part = {
      type: 'text',
      text: 'a',
      metadata: { cache_control: { type: 'ephemeral' } },
    }
    expect(canonical(hinted)).toBe(canonical(text('a')))
  })

  it('is the same with and without reasoning', () => {
    const reasoning: Part = { type: 'reasoning', text: 'hm', signature: 's', metadata: null }
    expect(canonical(reasoning, text('a'))).toBe(canonical(text('a')))
  })

  it('is the same however the arguments of a call are spelled', () => {
    expect(canonical(call('{"b":1,"a":[1.0, "x"]}'))).toBe(
      canonical(call('{ "a": [1,"x"], "b": 1 }')),
    )
  })

  it('takes arguments of a call as data, whatever their names', () => {
    expect(canonical(call('{"cache_control":"a"}'))).not.toBe(
      canonical(call('{"cache_control":"b"}')),
    )
    const block = (json: string): Part => ({ type: 'opaque', kind: 'x', json, metadata: null })
    expect(canonical(block('{"cache_control":"a"}'))).toBe(canonical(block('{}')))
  })

  it('differs where the meaning does', () => {
    const texts = [
      canonical(text('a')),
      canonical(text('b')),
      canonical(text('a'), text('')),
      canonical(call('{"a":1}')),
      canonical(call('{"a":"1"}')),
      canonicalText({ role: 'user', author: null, parts: [text('a')] }),
      canonicalText({ role: 'assistant', author: 'Ada', parts: [text('a')] }),
    ]
    expect(new Set(texts).size).toBe(texts.length)
  })
})

describe('the canonical hash of a message', () => {
  const giants = ['\u{1f600}"\n'.repeat(50_000), `x${'\u{1f600}'.repeat(50_000)}\ud800`]
  it.each([...giants, 'short', ''])('is that of its canonical text', (content) => {
    const message = { role: 'user', author: null, parts: [text(content), text('b')] } as const
    expect(canonicalHash(message, sha256)).toBe(sha256(canonicalText(message)))
  })

  it.each(giants)('is taken without writing the whole text of a giant', (content) => {
    const longest: number[] = []
    const hash: Sha256 = (data) => {
      for (const piece of typeof data === 'string' ? [data] : data)
        longest.push(String(piece).length)
      return ''
    }
    canonicalHash({ role: 'user', author: null, parts: [text(content)] }, hash)
    expect(Math.max(...longest)).toBeLessThan(content.length)
  })
})

describe('canonical JSON', () => {
  it('keeps integers that JavaScript cannot hold apart', () => {
    expect(canonicalJson('{"id":12345678901234567890}')).toBe('{"id":12345678901234567890}')
    expect(canonicalJson('12345678901234567890')).not.toBe(canonicalJson('12345678901234567891'))
  })

  it('keeps apart numbers that JavaScript would make equal', () => {
    const alike = [
      ['1e-400', '0'],
      ['123456.789012345678901', '123456.789012345678902'],
    ] as const
    for (const [left, right] of alike) expect(canonicalJson(left)).not.toBe(canonicalJson(right))
  })

  it('leaves text that is not JSON as it is', () => {
    expect(canonicalJson('*** Begin Patch')).toBe('*** Begin Patch')
    expect(canonicalJson('')).toBe('')
  })

  it('leaves text nested beyond any honest use as it is', () => {
    const bomb = '['.repeat(100_000) + ']'.repeat(100_000)
    expect(canonicalJson(bomb)).toBe(bomb)
  })

  it('takes a key named __proto__ as a key', () => {
    expect(canonicalJson('{"b":1,"__proto__":{"x":1}}')).toBe('{"__proto__":{"x":1},"b":1}')
    expect(({} as { x?: unknown }).x).toBeUndefined()
  })
})
