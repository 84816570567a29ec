import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Part } from '../domain/message.ts'
import { type Atomic, atomsOf, type LogAtom, matchRecent, matchWhole } from './match.ts'

const text = (words: string): Part => ({ type: 'text', text: words, metadata: null })
const call = (callId: string, name: string, input: string): Part => ({
  ...{ type: 'tool-call', callId, name, input, metadata: null },
})
const result = (callId: string, words: string): Part => ({
  ...{ type: 'tool-result', callId, name: null, isError: false, metadata: null },
  output: { kind: 'text', text: words },
})
const says = (role: Atomic['role'], ...parts: readonly (Part | string)[]): Atomic => ({
  role,
  parts: parts.map((part) => (typeof part === 'string' ? text(part) : part)),
})

interface Logged extends Atomic {
  readonly cut?: boolean
}

function log(...messages: readonly Logged[]): readonly LogAtom[] {
  return messages.flatMap((message, seq) => {
    const cut = message.cut === true
    return atomsOf(message, cut).map((atom) => ({ ...atom, seq, cut }))
  })
}

function prompt(...messages: readonly Atomic[]) {
  return messages.flatMap((message) => atomsOf(message, true))
}

const hello = says('user', 'Hello')
const hi = says('assistant', 'Hi')
const read = says(
  'assistant',
  call('c1', 'read', '{"path":"a"}'),
  call('c2', 'read', '{"path":"b"}'),
)
const both = says('tool', result('c1', 'A'), result('c2', 'B'))

describe('a prompt with the whole history', () => {
  it('goes on where the log ends', () => {
    expect(matchWhole(log(hello, hi), prompt(hello, hi, hello))).toEqual({
      kind: 'goes-on',
      newFrom: 2,
    })
  })

  it('is all new where there is no log', () => {
    expect(matchWhole([], prompt(hello))).toEqual({ kind: 'goes-on', newFrom: 0 })
  })

  it('may divide messages otherwise, and drop reasoning and empty texts', () => {
    const thought: Part = { type: 'reasoning', text: 'Hm.', signature: null, metadata: null }
    const [first, second] = [says('tool', result('c1', 'A')), says('tool', result('c2', 'B'))]
    const known = log(hello, { ...read, parts: [thought, text(''), ...read.parts] }, first, second)
    expect(matchWhole(known, prompt(hello, read, both))).toEqual({ kind: 'goes-on', newFrom: 5 })
  })

  it('parts where something was edited, at the beginning of that message', () => {
    const edited = says('tool', result('c1', 'A'), result('c2', 'edited'))
    expect(matchWhole(log(hello, read, both), prompt(hello, read, edited))).toEqual({
      kind: 'parts',
      at: 2,
      newFrom: 3,
    })
  })

  it('parts where it ends before the log does', () => {
    expect(matchWhole(log(hello, hi), prompt(hello))).toEqual({ kind: 'parts', at: 1, newFrom: 1 })
  })

  it('parts at once where it is another one', () => {
    expect(matchWhole(log(hello), prompt(says('user', 'Other')))).toMatchObject({ at: 0 })
  })

  it('takes a call whose arguments were spelled anew, repaired or renamed for the same', () => {
    const known = log(hello, says('assistant', call('c1', 'read', '{ "n": 1.0 }')))
    for (const sent of [
      call('c1', 'read', '{"n":1}'),
      call('c1', 'read', '{"n":2}'),
      call('c1', 'reed', '{"n":1}'),
    ])
      expect(matchWhole(known, prompt(hello, says('assistant', sent))).kind).toBe('goes-on')
    for (const sent of [call('c2', 'read', '{"n":1}'), call('c1', 'write', '{"m":2}')])
      expect(matchWhole(known, prompt(hello, says('assistant', sent))).kind).toBe('parts')
  })

  it('takes a file that was downloaded since for the same', () => {
    const fields = {
      type: 'file',
      mediaType: 'image/png',
      name: null,
      width: null,
      height: null,
      metadata: null,
    } as const
    const there: Part = { ...fields, source: { kind: 'url', url: 'https://example.test/a.png' } }
    const here: Part = {
      ...fields,
      source: { kind: 'stored', sha256: 'a'.repeat(64), sizeBytes: 3 },
    }
    const other: Part = {
      ...fields,
      source: { kind: 'stored', sha256: 'b'.repeat(64), sizeBytes: 3 },
    }
    expect(matchWhole(log(says('user', there)), prompt(says('user', here))).kind).toBe('goes-on')
    expect(matchWhole(log(says('user', here)), prompt(says('user', other))).kind).toBe('parts')
  })

  it('may hold a reply that was cut off, or part of it, or nothing of it', () => {
    const known = log(hello, { ...says('assistant', 'One two three'), cut: true })
    const next = says('user', 'Go on')
    for (const kept of [[says('assistant', 'One two three')], [says('assistant', 'One')]])
      expect(matchWhole(known, prompt(hello, ...kept, next))).toEqual({
        kind: 'goes-on',
        newFrom: 2,
      })
    expect(matchWhole(known, prompt(hello, next))).toEqual({ kind: 'goes-on', newFrom: 1 })
    expect(matchWhole(known, prompt(hello))).toEqual({ kind: 'parts', at: 1, newFrom: 1 })
  })
})

describe('a prompt with the end of a history', () => {
  it('goes on behind what it shares with the end of the log', () => {
    expect(matchRecent(log(hello, hi, hello), prompt(hi, hello, hi))).toEqual({
      kind: 'goes-on',
      newFrom: 2,
    })
  })

  it('is new where the log ends otherwise, even if it was said before', () => {
    expect(matchRecent(log(hello, hi), prompt(hello))).toEqual({ kind: 'goes-on', newFrom: 0 })
  })

  it('is known where the log ends with it, as after a failed call', () => {
    expect(matchRecent(log(hi, hello), prompt(hello))).toEqual({ kind: 'goes-on', newFrom: 1 })
  })

  it('parts where a reply that was cut off is asked for again', () => {
    const cut = { ...says('assistant', 'One'), cut: true }
    expect(matchRecent(log(hi, hello, cut), prompt(hello))).toMatchObject({ kind: 'parts', at: 2 })
    expect(matchRecent(log(hi, hello, cut), prompt(hello, hi))).toEqual({
      kind: 'goes-on',
      newFrom: 1,
    })
  })
})

it('finds for every history and every place exactly what came behind it', () => {
  const message = fc
    .record({
      role: fc.constantFrom('user' as const, 'assistant' as const),
      parts: fc.array(fc.constantFrom('a', 'b', 'c', '').map(text), { minLength: 1, maxLength: 3 }),
    })
    .map((made): Atomic => made)
  fc.assert(
    fc.property(fc.array(message, { maxLength: 8 }), fc.nat(8), (messages, at) => {
      const known = log(...messages.slice(0, at))
      const expected = { kind: 'goes-on', newFrom: known.length }
      expect(matchWhole(known, prompt(...messages))).toEqual(expected)
    }),
  )
})
