import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Message, Part } from '../domain/message.ts'
import { atomsOf, type LogAtom, matchRecent, matchWhole } from './match.ts'

type Atomic = Pick<Message, 'role' | 'parts'>

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
    const isCutOff = message.cut === true
    return atomsOf(message, isCutOff).map((atom) => ({ ...atom, seq, isCutOff }))
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
  it('continues the log at its end', () => {
    expect(matchWhole(log(hello, hi), prompt(hello, hi, hello))).toEqual({
      kind: 'continues',
      newFrom: 2,
    })
  })

  it('is all new if the log is empty', () => {
    expect(matchWhole([], prompt(hello))).toEqual({ kind: 'continues', newFrom: 0 })
  })

  it('may split messages differently, and drop reasoning and empty texts', () => {
    const thought: Part = { type: 'reasoning', text: 'Hm.', signature: null, metadata: null }
    const [first, second] = [says('tool', result('c1', 'A')), says('tool', result('c2', 'B'))]
    const known = log(hello, { ...read, parts: [thought, text(''), ...read.parts] }, first, second)
    expect(matchWhole(known, prompt(hello, read, both))).toEqual({ kind: 'continues', newFrom: 5 })
  })

  it('diverges at the start of an edited message', () => {
    const edited = says('tool', result('c1', 'A'), result('c2', 'edited'))
    expect(matchWhole(log(hello, read, both), prompt(hello, read, edited))).toEqual({
      kind: 'diverges',
      at: 2,
      newFrom: 3,
    })
  })

  it('diverges if it ends before the log', () => {
    expect(matchWhole(log(hello, hi), prompt(hello))).toEqual({
      kind: 'diverges',
      at: 1,
      newFrom: 1,
    })
  })

  it('diverges at the first message of another conversation', () => {
    expect(matchWhole(log(hello), prompt(says('user', 'Other')))).toMatchObject({ at: 0 })
  })

  it('matches a call whose arguments were reformatted, repaired or renamed', () => {
    const known = log(hello, says('assistant', call('c1', 'read', '{ "n": 1.0 }')))
    for (const sent of [
      call('c1', 'read', '{"n":1}'),
      call('c1', 'read', '{"n":2}'),
      call('c1', 'reed', '{"n":1}'),
    ])
      expect(matchWhole(known, prompt(hello, says('assistant', sent))).kind).toBe('continues')
    for (const sent of [call('c2', 'read', '{"n":1}'), call('c1', 'write', '{"m":2}')])
      expect(matchWhole(known, prompt(hello, says('assistant', sent))).kind).toBe('diverges')
  })

  it('matches a file that was downloaded since', () => {
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
    expect(matchWhole(log(says('user', there)), prompt(says('user', here))).kind).toBe('continues')
    expect(matchWhole(log(says('user', here)), prompt(says('user', other))).kind).toBe('diverges')
  })

  it('may contain a cut-off reply, part of it, or nothing of it', () => {
    const known = log(hello, { ...says('assistant', 'One two three'), cut: true })
    const next = says('user', 'Go on')
    for (const kept of [[says('assistant', 'One two three')], [says('assistant', 'One')]])
      expect(matchWhole(known, prompt(hello, ...kept, next))).toEqual({
        kind: 'continues',
        newFrom: 2,
      })
    expect(matchWhole(known, prompt(hello, next))).toEqual({ kind: 'continues', newFrom: 1 })
    expect(matchWhole(known, prompt(hello))).toEqual({ kind: 'diverges', at: 1, newFrom: 1 })
  })
})

describe('a prompt with the end of a history', () => {
  it('continues after the part that it shares with the end of the log', () => {
    expect(matchRecent(log(hello, hi, hello), prompt(hi, hello, hi))).toEqual({
      kind: 'continues',
      newFrom: 2,
    })
  })

  it('is new if the log ends differently, even if the log has the same text earlier', () => {
    expect(matchRecent(log(hello, hi), prompt(hello))).toEqual({ kind: 'continues', newFrom: 0 })
  })

  it('is known if the log ends with it, as after a failed call', () => {
    expect(matchRecent(log(hi, hello), prompt(hello))).toEqual({ kind: 'continues', newFrom: 1 })
  })

  it('diverges if a cut-off reply is requested again', () => {
    const cut = { ...says('assistant', 'One'), cut: true }
    expect(matchRecent(log(hi, hello, cut), prompt(hello))).toMatchObject({
      kind: 'diverges',
      at: 2,
    })
    expect(matchRecent(log(hi, hello, cut), prompt(hello, hi))).toEqual({
      kind: 'continues',
      newFrom: 1,
    })
  })
})

it('finds exactly the new messages, for every history and every position', () => {
  const message = fc
    .record({
      role: fc.constantFrom('user' as const, 'assistant' as const),
      parts: fc.array(fc.constantFrom('a', 'b', 'c', '').map(text), { minLength: 1, maxLength: 3 }),
    })
    .map((made): Atomic => made)
  fc.assert(
    fc.property(fc.array(message, { maxLength: 8 }), fc.nat(8), (messages, at) => {
      const known = log(...messages.slice(0, at))
      const expected = { kind: 'continues', newFrom: known.length }
      expect(matchWhole(known, prompt(...messages))).toEqual(expected)
    }),
  )
})
