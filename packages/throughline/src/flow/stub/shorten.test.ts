import { describe, expect, it } from 'vitest'
import { noSize } from '../../domain/context.ts'
import type { MessageInput } from '../../domain/message.ts'
import { readPolicy } from '../../policies/read-policy.ts'
import { type Builder, build } from '../../testing/build.ts'
import { candidatesOf, meter, rankedBy } from '../select/candidates.test-support.ts'
import { Selection } from '../select/selection.ts'

const lines = 'const value = 1\n'.repeat(60)

function selectionOf(messages: Iterable<MessageInput>, known: Selection | null = null) {
  const given = { ...candidatesOf(messages), earlierStubs: known?.selected.stubs ?? [] }
  return new Selection(given, noSize, meter, {
    tracked: rankedBy(given, readPolicy('balanced').trim).tracked,
  })
}

function stubAt(messages: Iterable<MessageInput>, at: number, keepTokens: number) {
  const selection = selectionOf(messages)
  selection.shorten(at, keepTokens, 1)
  const [stub] = selection.selected.stubs
  const [part] = stub?.parts ?? []
  const text = part?.type === 'tool-result' && part.output.kind === 'text' ? part.output.text : ''
  return { text, stub, part, note: /\[….*…\]/.exec(text)?.[0] }
}

const read = (path: string, conversation: Builder = build().user('Go.')) =>
  conversation.calls('read', { path }).result(lines)
const edited = (path: string, conversation: Builder) =>
  conversation.calls('edit', { path }).result('done')

describe('the stub of a file', () => {
  it('P2-009, P2-010: names path, lines, how to get it, and shows how it begins', () => {
    const { text, note } = stubAt(read('src/a.ts'), 2, 60)
    expect(note).toMatch(/^\[… \d+ characters of src\/a\.ts \(60 lines\) left out; see #2 …\]$/)
    expect(text).toMatch(/^const value = 1\n/)
  })

  it.each([
    ['used later', read('a.ts', read('a.ts')), '; last read in #4; see #2 …]'],
    ['changed since', edited('a.ts', read('a.ts')), '; last edited in #4, so read it again; see'],
    [
      'changed since and read again',
      read('a.ts', edited('a.ts', read('a.ts'))),
      '; changed in #4, last read in #6; see #2 …]',
    ],
    [
      'gone',
      read('a.ts').calls('delete', { path: 'a.ts' }).result('ok'),
      '; last deleted in #4; see #2 …]',
    ],
  ])('P2-010, B2-9: reports by place, not by age, that it was %s', (_, conversation, expected) => {
    expect(stubAt(conversation, 2, 60).note).toContain(expected)
  })

  it('B2-9: is not changed by a change before it', () => {
    const conversation = read('a.ts', edited('a.ts', build().user('Go.')))
    expect(stubAt(conversation, 4, 60).note).not.toContain('changed')
  })

  it('B2-9: costs what is counted for it, and what it says takes the place of text', () => {
    const { stub } = stubAt(read('src/a.ts'), 2, 60)
    const other = stubAt(build().user('Go.').calls('bash').result(lines), 2, 60).stub
    expect(stub && meter.closeSize({ role: 'tool', author: null, parts: stub.parts })).toEqual(
      stub?.size,
    )
    expect(Math.abs((stub?.size.tokens ?? 0) - (other?.size.tokens ?? 0))).toBeLessThan(16)
  })

  it('P1-010, P2-009: stays the result of its call', () => {
    const { part } = stubAt(read('a.ts'), 2, 60)
    expect(part).toMatchObject({ type: 'tool-result', callId: 'call-0', isError: false })
  })

  it('P1-007: says how much is left out, and nothing more where there is no room', () => {
    expect(stubAt(read('a.ts'), 2, 0).note).toBe('[… 960 characters left out; see #2 …]')
    const plain = stubAt(build().user('Go.').calls('bash').result(lines), 2, 60).note
    expect(plain).toMatch(/^\[… \d+ characters left out; see #2 …\]$/)
  })

  it('is made again if the file was used since', () => {
    const first = selectionOf(read('a.ts'))
    first.shorten(2, 60)
    const same = selectionOf(read('a.ts').says('ok'), first)
    same.shorten(2, 60)
    expect(same.selected.stubs[0]).toBe(first.selected.stubs[0])
    const changed = selectionOf(edited('a.ts', read('a.ts')), first)
    changed.shorten(2, 60)
    expect(JSON.stringify(changed.selected.stubs[0]?.parts)).toContain('last edited in #4')
  })

  it('shows the end of a long path, and no bracket of it', () => {
    const { note } = stubAt(read(`${'deep/'.repeat(40)}[x].ts`), 2, 200)
    expect(note).toMatch(/ of …[^[\]]{58,60} \(60 lines\) left out/)
    expect(note).toContain('_x_.ts')
  })
})
