import { describe, expect, it } from 'vitest'
import type { Part } from '../domain/message.ts'
import { summarizeMessage } from './summarize-message.ts'
import { calledWith } from './tool-use.test-support.ts'

const text = (words: string): Part => ({ type: 'text', text: words, metadata: null })
const user = (words: string) => summarizeMessage({ role: 'user', parts: [text(words)] })
const assistant = (words: string, ...more: readonly Part[]) =>
  summarizeMessage({ role: 'assistant', parts: [text(words), ...more] })

describe('summarizeMessage', () => {
  it('B2-7: has requests, rules and questions of a user', () => {
    const summary = user('Please fix the login page. Never touch the database. Is it slow?')
    expect(summary).toMatchObject({
      by: 'user',
      keyFacts: [
        'Request: Please fix the login page.',
        'Rule: Never touch the database.',
        'Asked: Is it slow?',
      ],
      subject: 'Please fix the login page. Never touch the database. Is it slow?',
    })
  })

  it('B2-7: has decisions and conclusions of an assistant', () => {
    const summary = assistant('I decided to use SQLite for the store.\n\nAll tests pass now.')
    expect(summary?.keyFacts).toEqual([
      'Decided: I decided to use SQLite for the store.',
      'Stated: All tests pass now.',
    ])
  })

  it('A-013: starts with exact names from the text that was cut', () => {
    const long = `${'It goes on and on about this and that. '.repeat(40)}See src/auth/login.ts and readWord().`
    const summary = assistant(`Done with it.\n\n${long}\n\nThat is all there was to do here.`)
    expect(summary?.keyFacts[0]).toBe('Names: src/auth/login.ts, readWord')
    expect(user('Look at src/a.ts please')?.keyFacts).toEqual(['Request: Look at src/a.ts please'])
  })

  it('A-016: counts a long list and shows none of it', () => {
    const items = Array.from({ length: 12 }, (_, at) => `- the ${at}th thing in it`).join('\n')
    const { keyFacts = [] } = assistant(`Here is what I found:\n${items}\nTell me more.`) ?? {}
    expect(keyFacts.at(-1)).toBe('List: 12 items')
    expect(keyFacts.join()).not.toContain('the 3th thing')
    expect(keyFacts.join()).toContain('Tell me more.')
  })

  it('leaves out text that only announces a call, but keeps decisions', () => {
    const call = calledWith('read', { path: 'a.ts' })
    expect(assistant('Let me look at the file.', call)).toBeNull()
    expect(
      summarizeMessage({ role: 'assistant', parts: [text('Let me look at the file.')] }, true),
    ).toBeNull()
    expect(assistant('We decided to use tabs in this file.', call)?.keyFacts[0]).toMatch(/^Decided/)
  })

  it('names attachments, and is null without content', () => {
    const part: Part = {
      type: 'attachment-ref',
      attachmentId: 'a1',
      title: 'plan.pdf',
      metadata: null,
    }
    expect(summarizeMessage({ role: 'user', parts: [part] })?.keyFacts).toEqual([
      'Attached: plan.pdf',
    ])
    expect(user('')).toBeNull()
    expect(summarizeMessage({ role: 'system', parts: [text('You are Ada.')] })).toBeNull()
  })
})
