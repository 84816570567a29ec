import { describe, expect, it } from 'vitest'
import type { MessageInput } from '../../domain/message.ts'
import { readPolicy } from '../../policies/read-policy.ts'
import { sha256 } from '../../system.ts'
import { type Builder, build } from '../../testing/build.ts'
import { sealMessages } from '../append/append.ts'
import { rankMessages, reportsFailure } from './classify.ts'

const rules = { ...readPolicy('balanced').trim, recentSteps: 2, recentTurns: 1 }

const classified = (messages: Iterable<MessageInput>, summarizedTo = 0) =>
  rankMessages(sealMessages([...messages], sha256), rules, summarizedTo).classified
const classesOf = (messages: Iterable<MessageInput>, summarizedTo = 0) =>
  classified(messages, summarizedTo).map((found) => found.class)

const read = (conversation: Builder, path: string) =>
  conversation.calls('read_file', { path }).result(`text of ${path}`)

describe('classes', () => {
  it('P2-004: are the first that a message is, in their order', () => {
    const conversation = read(
      read(
        build()
          .system('You are Ada.')
          .user('# AGENTS.md instructions\nUse tabs.')
          .user('Old question')
          .says('Old answer')
          .user('Look at them'),
        'old.ts',
      ),
      'changed.ts',
    )
      .calls('edit_file', { path: 'changed.ts' })
      .result('done')
      .calls('bash', { command: 'ls' })
      .result('a b')
    expect(classesOf(read(conversation, 'new.ts').says('Seen.').user('Now do it.'))).toEqual([
      'system',
      'instructions',
      'old-user-text',
      'old-reply',
      ...['recent-turn', 'stale-output', 'stale-output'],
      ...['modified-file', 'modified-file', 'modified-file', 'modified-file'],
      ...['recent-turn', 'recent-turn', 'recent-file', 'recent-file'],
      ...['recent-turn', 'task'],
    ])
  })

  it('P2-004: of other output are recent for so many steps, and then stale', () => {
    let conversation = build().user('Go.')
    for (let step = 0; step < 5; step += 1) conversation = conversation.calls('bash').result('x')
    expect(classesOf(conversation)).toEqual([
      'task',
      ...['stale-output', 'stale-output', 'stale-output', 'stale-output'],
      ...['recent-turn', 'recent-turn', 'recent-turn', 'recent-turn', 'recent-turn', 'recent-turn'],
    ])
  })

  it('P2-004: the task is the last user message before the tool calls for it', () => {
    const conversation = build().user('One').says('Yes').user('Two').calls('bash').result('x')
    expect(classesOf(conversation)[2]).toBe('task')
    expect(classesOf(conversation.user('Three'))[2]).toBe('recent-turn')
  })

  it('knows instructions by a note of the application too, and not by their name in a sentence', () => {
    const marked = { role: 'user', content: 'Use tabs.', meta: { instructions: true } } as const
    expect(classesOf([marked, ...build().user('Go.')])[0]).toBe('instructions')
    expect(classesOf(build().user('Write an AGENTS.md.').says('ok').user('Go.'))[0]).not.toBe(
      'instructions',
    )
  })

  it('X2-10: summarized messages leave first; protected ones are not among them', () => {
    const conversation = build().system('s').user('a').says('b').user('c').says('d').user('e')
    expect(classesOf(conversation, 4)).toEqual([
      ...['system', 'summarized', 'summarized', 'summarized', 'recent-turn', 'task'],
    ])
  })

  it('P2-002, P2-003: come with the priority of the policy, and what they were found by', () => {
    const found = classified(read(build().user('Go.'), 'a.ts').calls('bash').result('fatal: no'))
    expect(found[2]).toEqual({
      class: 'recent-file',
      priority: 50,
      step: 1,
      stepsAgo: 1,
      turnsAgo: 0,
      toolUse: true,
      failed: false,
      paths: ['a.ts'],
    })
    expect(found[4]).toMatchObject({ class: 'recent-turn', priority: 60, failed: true })
    expect(found[0]).toMatchObject({ class: 'task', priority: 80, toolUse: false })
  })

  it('rank recent user messages at least as high as old ones', () => {
    const [userText, reply] = classified(build().user('a').says('b').user('c'))
    expect([userText?.class, userText?.priority]).toEqual(['recent-turn', 75])
    expect([reply?.class, reply?.priority]).toEqual(['recent-turn', 60])
  })
})

describe('ages', () => {
  it('P1-006: are counted in steps with calls; parallel calls are one step', () => {
    const conversation = build()
      .user('a')
      .callsAtOnce('x', 'y')
      .result('1')
      .result('2')
      .says('b')
      .user('c')
      .calls('z')
      .result('3')
    const found = classified(conversation)
    expect(found.map(({ step }) => step)).toEqual([0, 1, 1, 1, 1, 1, 2, 2])
    expect(found.map(({ stepsAgo }) => stepsAgo)).toEqual([2, 1, 1, 1, 1, 1, 0, 0])
    expect(found.map(({ turnsAgo }) => turnsAgo)).toEqual([1, 1, 1, 1, 1, 0, 0, 0])
  })
})

describe('a result', () => {
  const isFailure = (text: string, isError = false) =>
    reportsFailure({ isError, output: { kind: 'text', text } })

  it.each([
    'Error: no such file',
    'an EXCEPTION was raised',
    '3 tests failed',
    'fatal: not a git repository',
    'cannot open x',
    'We are unable to connect',
    'Uncaught TypeError: x is undefined',
    'java.lang.NullPointerException',
    '10 errors, 0 warnings',
    '0 passed, 3 failed',
    '{"error": "not found"}',
  ])('P1-009: recognizes a failure: %s', (text) => {
    expect(isFailure(text)).toBe(true)
  })

  it.each([
    '0 errors, 0 failed',
    'Found no error.',
    'Finished without errors',
    'no type errors',
    'errors: 0',
    '{"error": null, "errors": []}',
    'error-free',
    'errorHandler.ts',
    'All good.',
  ])('B2-4: tells of none: %s', (text) => {
    expect(isFailure(text)).toBe(false)
  })

  it('P1-009: has the last word itself', () => {
    expect(isFailure('0 errors', true)).toBe(true)
    expect(
      classified(build().user('a').calls('x').result('fine', { isError: true }))[2]?.failed,
    ).toBe(true)
  })

  it('is read only at its beginning and end, where errors are reported', () => {
    const long = 'x '.repeat(1_000_000)
    expect(isFailure(`${long}error${long}`)).toBe(false)
    expect(isFailure(`${long}error`)).toBe(true)
  })

  it('that is the text of a file does not fail by what the file speaks of', () => {
    const conversation = build()
      .user('a')
      .calls('read', { path: 'a.ts' })
      .result('throw new Error()')
    expect(classified(conversation)[2]?.failed).toBe(false)
  })
})
