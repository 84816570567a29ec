import { describe, expect, it } from 'vitest'
import { defineAdapter } from '../../adapters/define-adapter.ts'
import { type Context, type ContextMessage, createThroughline, type Part } from '../../index.ts'
import {
  checkFormat,
  checkPairs,
  checkPrefix,
  checkTokens,
  formats,
  type Report,
  sentOf,
} from './checks.ts'

function found(check: (report: Report) => void): readonly string[] {
  const kinds: string[] = []
  check((kind) => kinds.push(kind))
  return kinds
}

function message(role: ContextMessage['role'], ...parts: readonly Part[]): ContextMessage {
  return { role, author: null, parts, meta: null, seq: 0, slot: 'recent' }
}

const call = (callId: string): Part => ({
  type: 'tool-call',
  callId,
  name: 'look',
  input: '{}',
  metadata: null,
})
const result = (callId: string): Part => ({
  type: 'tool-result',
  callId,
  name: 'look',
  output: { kind: 'text', text: 'seen' },
  isError: false,
  metadata: null,
})
const text = (words: string): Part => ({ type: 'text', text: words, metadata: null })

async function contextOf(...texts: readonly string[]): Promise<Context> {
  const chat = createThroughline({ tokenizer: 'estimate' }).conversation('one')
  await chat.append(texts.map((content) => ({ role: 'user' as const, content })))
  return chat.context({ model: 'gpt-4o', system: 'Be brief.' })
}

describe('checkPairs', () => {
  it('takes calls that are followed by their results, those of one reply together', () => {
    const valid = [
      message('user', text('go')),
      message('assistant', call('a')),
      message('assistant', call('b')),
      message('tool', result('b')),
      message('tool', result('a')),
      message('user', text('thanks')),
    ]
    expect(found((report) => checkPairs(valid, report))).toEqual([])
  })

  it('finds a result without a call, a call without a result, and messages between them', () => {
    const invalid = [
      [message('tool', result('a'))],
      [message('assistant', call('a'))],
      [message('assistant', call('a')), message('user', text('?')), message('tool', result('a'))],
      [message('assistant', call('a')), message('tool', result('a')), message('tool', result('a'))],
    ]
    for (const messages of invalid)
      expect(found((report) => checkPairs(messages, report))).toEqual(['orphaned'])
  })
})

describe('checkPrefix', () => {
  it('finds a beginning that has changed where no cause is named', async () => {
    const before = sentOf(await contextOf('one', 'two'))
    const longer = { ...(await contextOf('one', 'two', 'three')), prefixOf: before.fingerprint }
    const other = { ...(await contextOf('one', 'too', 'three')), prefixOf: before.fingerprint }
    const check = (context: Context) =>
      found((report) => checkPrefix(context, before, sentOf(context), report))
    expect(check(longer)).toEqual([])
    expect(check(other)).toEqual(['prefix break without a cause'])
    expect(check({ ...other, brokenBy: 'trigger' })).toEqual([])
    expect(check({ ...longer, prefixOf: null })).toEqual(['prefix break without a cause'])
  })

  it('does not expect a placeholder at the end to be in the next request', async () => {
    const context = await contextOf('one', 'two')
    const ended: Context = { ...context, repairs: [{ kind: 'ending-added', seq: null }] }
    expect(sentOf(ended).lasting).toBe(1)
    expect(sentOf(context).lasting).toBe(2)
  })
})

describe('checkTokens and checkFormat', () => {
  it('find a request that is larger than it may be, by its own count or by ours', async () => {
    const context = await contextOf('hello')
    expect(found((report) => checkTokens({ ...context, available: 1 }, report))).toEqual([
      'over budget',
    ])
    for (const format of formats) {
      const check = (tokens: number) =>
        found((report) => checkFormat(context, format, () => tokens, report))
      expect(check(context.available)).toEqual([])
      expect(check(context.available + 1)).toEqual(['over budget'])
    }
  })

  it('find what a provider would refuse', async () => {
    const context = await contextOf('hello')
    const strict = defineAdapter({
      format: 'strict',
      messagesField: 'messages',
      read: () => ({ system: [], tools: [], messages: [] }),
      write: () => ({}),
      problems: () => [{ rule: 'never', at: 'messages', message: 'is refused' }],
    })
    expect(found((report) => checkFormat(context, strict, () => 0, report))).toEqual([
      'refused by strict',
    ])
  })
})
