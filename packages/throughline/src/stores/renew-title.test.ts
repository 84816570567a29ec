import { expect, it } from 'vitest'
import type { Role } from '../domain/message.ts'
import type { MessageBody } from '../domain/sealed-message.ts'
import { renewTitle } from './renew-title.ts'

/** Texts of the user, or of the assistant after `>`; empty for a removed message. */
const logOf =
  (...texts: readonly string[]) =>
  (seq: number): MessageBody | null => {
    const text = texts[seq]
    if (text === undefined) return null
    const role: Role = text.startsWith('>') ? 'assistant' : 'user'
    const parts = text === '' ? [] : [{ type: 'text', text, metadata: null } as const]
    return { role, author: null, parts, status: 'complete', meta: null, origin: null }
  }

const old = (titleFrom: number | null) => ({ title: 'Old', titleFrom })

it('keeps a title that was set, or whose message has not changed', () => {
  const log = logOf('One', 'Two', 'Three')
  expect(renewTitle(old(null), [0, 1, 2], log)).toEqual(old(null))
  expect(renewTitle(old(1), [0, 2], log)).toEqual(old(1))
})

it('makes the title again from the same message, whoever wrote it', () => {
  expect(renewTitle(old(1), [1], logOf('One', 'Two', 'Three'))).toEqual({
    title: 'Two',
    titleFrom: 1,
  })
  expect(renewTitle(old(1), [1], logOf('One', '> Two'))).toEqual({ title: '> Two', titleFrom: 1 })
})

it('takes another message of the user if the same one is empty or gone', () => {
  expect(renewTitle(old(1), [1], logOf('One', '', 'Three'))).toEqual({ title: 'One', titleFrom: 0 })
  expect(renewTitle(old(0), [0], logOf('', '> Two', 'Three'))).toEqual({
    title: 'Three',
    titleFrom: 2,
  })
  expect(renewTitle(old(7), [7], logOf('One'))).toEqual({ title: 'One', titleFrom: 0 })
})

it('has no title if no message has one', () => {
  const none = { title: null, titleFrom: null }
  expect(renewTitle(old(0), [0], logOf())).toEqual(none)
  expect(renewTitle(old(0), [0], logOf('', '> Two'))).toEqual(none)
  // A text without a character that can be shown.
  expect(renewTitle(old(0), [0], logOf('', '\u0001'))).toEqual(none)
})

it('reads the first 200 messages', () => {
  const log = (at: number) =>
    logOf(...Array.from({ length: 300 }, (_, seq) => (seq === at ? 'Here' : '')))
  expect(renewTitle(old(0), [0], log(199)).titleFrom).toBe(199)
  expect(renewTitle(old(0), [0], log(200)).titleFrom).toBeNull()
})
