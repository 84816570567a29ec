/** The rule design: when rules summarize, when a model does, and how each tool is read. */
import {
  createThroughline,
  type MessageInput,
  type PolicyName,
  type Preset,
  policies,
} from 'throughline'
import { build, scriptedModel } from 'throughline/testing'
import { budgetOf, safeSummarize, summarizeToolResult, trim } from 'throughline/toolkit'
import { describe, expect, it } from 'vitest'
import { readPolicy } from '../../src/policies/read-policy.ts'
import { truthfulSummary } from '../../src/testing/truthful-summary.test-support.ts'
import { exchange, model, setUp, slotText, talk, toolTurn } from '../summaries/set-up.ts'

const windowTokens = 2_000
const models = [{ id: model, contextWindowTokens: 3_000, tokenizer: 'o200k_base' }] as const

describe('whether anything is summarized', () => {
  it('S2-012 XC-1: nothing is where it is off, but every request fits', async () => {
    const counts = await Promise.all(
      (['on', 'off'] as const).map(async (mode) => {
        const up = await setUp({ policy: 'balanced', windowTokens, summarizer: null })
        await up.chat.append([...exchange(0)])
        await up.chat.update({ compaction: mode })
        const contexts = await talk(up.chat, { from: 1, to: 20 })
        for (const { tokens, available } of contexts) expect(tokens).toBeLessThanOrEqual(available)
        return contexts.filter(({ decision }) => decision.kind === 'compact').length
      }),
    )
    expect(counts[0]).toBeGreaterThan(0)
    expect(counts[1]).toBe(0)
  })

  it('S2-012 XC-1: no model is asked unless the caller passes one', async () => {
    const up = await setUp({ policy: 'rule-digest', windowTokens, summarizer: null })
    await talk(up.chat, { from: 0, to: 20 })
    expect(await up.chat.summaries()).toEqual([])
    expect((await up.chat.summary({ model }))?.tokensUsed).toBe(0)
  })

  it('S2-017: the defaults can be read, and changed one by one', async () => {
    const design = policies['rule-digest']
    expect(design.advanced.slots.find(({ kind }) => kind === 'summary')).toMatchObject({
      most: 500,
    })
    expect(design.advanced.narrative).toEqual({ style: 'tool-lines', errorDetails: true })
    expect(design.summarizers).toEqual([{ style: 'digest', prompt: null }])
    const long = Array.from({ length: 400 }, (_, at) => exchange(at)).flat()
    const sized = async (most?: number) => {
      const text = await safeSummarize(long, 100_000, { model: 'gpt-4o', maxSummaryTokens: most })
      return (await createThroughline().meter('gpt-4o')).text(text)
    }
    expect(await sized()).toBeLessThanOrEqual(500)
    expect(await sized()).toBeGreaterThan(400)
    expect(await sized(900)).toBeGreaterThan(500)
  })
})

describe('a model that summarizes', () => {
  it.each(['rule-digest', 'ratio-chain', 'rolling-rows', 'running-rag'] satisfies PolicyName[])(
    'S2-009: is reached in the same way by %s',
    async (policy) => {
      const writer = scriptedModel(({ messages, schema }) =>
        truthfulSummary({
          messages: messages.map(({ role, content }) => ({ role, text: content })),
          schema,
        }),
      )
      const up = await setUp({ policy, windowTokens: 3_000, summarizer: () => writer })
      await talk(up.chat, { from: 0, to: 32 })
      await up.tl.settled()
      expect(writer.asked.length).toBeGreaterThan(0)
      for (const request of writer.asked)
        expect(Object.keys(request).toSorted()).toEqual(
          ['maxOutputTokens', 'messages', 'schema', 'system', 'temperature'].toSorted(),
        )
      const [newest] = await up.chat.summaries({ limit: 1 })
      expect(newest?.madeBy.model).toBe('scripted/model')
      const context = await up.chat.context({ model })
      expect(slotText(context, 'summary')).not.toBe('')
    },
  )
})

describe('the settings of the design', () => {
  it('P2-002: priorities are its numbers', () => {
    expect(readPolicy('rule-digest').trim.priorities).toEqual({
      ...{ system: 100, instructions: 90, task: 80, 'modified-file': 70, 'recent-turn': 60 },
      ...{
        'recent-file': 50,
        'old-user-text': 40,
        'old-reply': 40,
        'stale-output': 30,
        summarized: 20,
      },
    })
  })

  const design = policies['rule-digest']
  const shown = async (changes: Partial<Preset>) => {
    const policy = { ...design, name: 'changed', ...changes }
    const tl = createThroughline({ policy, models })
    const chat = tl.conversation('c')
    for (let index = 0; index < 8; index += 1) await chat.append([...toolTurn(index)])
    return chat.context({ model })
  }

  it('P0-010: the room for the reply, and the window that is known of the model', async () => {
    expect(design.reserve.tokens).toBe(4_096)
    const few = await shown({ reserve: { tokens: 100, ratioMax: 0.25 } })
    const many = await shown({ reserve: { tokens: 700, ratioMax: 0.25 } })
    expect(few.available - many.available).toBe(600)
    const known = createThroughline({ policy: 'rule-digest' }).conversation('c')
    expect((await known.context({ model: 'gpt-4o' })).budget.windowTokens).toBe(128_000)
  })

  it('P0-010: the order, by priority unless it is by age', async () => {
    expect(design.advanced.trim.order).toBe('priority')
    let messages = build()
      .user('Mend it.')
      .calls('edit_file', { path: 'old.ts' })
      .result('changed '.repeat(300))
      .calls('read_file', { path: 'other.ts' })
      .result('read only '.repeat(300))
    for (let step = 0; step < 8; step += 1) messages = messages.calls('wait').result('ok')
    const inputs = [...messages.says('Done.').user('Thanks.')]
    const meter = await createThroughline({ models }).meter(model)
    const { currentTokens } = await budgetOf(inputs, { meter })
    const stubbed = async (order: 'priority' | 'age') => {
      const policy = { ...design, name: order, keepRecent: { messages: 2 } }
      const trimmed = await trim(inputs, {
        targetTokens: currentTokens - 100,
        meter,
        policy: { ...policy, advanced: { trim: { order } } },
      })
      return trimmed.stubbed
    }
    // What was changed is worth more than what was only read, though it is older.
    expect(await stubbed('priority')).toEqual([4])
    expect(await stubbed('age')).toEqual([2])
  })

  it('P0-010: the turns that stay, five of them, and how tokens are counted', async () => {
    expect(design.keepRecent).toEqual({ turns: 5 })
    expect(design.triggers).toEqual([{ kind: 'onTrim' }])
    const counted = async (tokenizer: 'auto' | 'exact' | 'estimate') => {
      const meter = await createThroughline({ models, tokenizer }).meter(model)
      return meter.tokenizer.exact
    }
    expect(await Promise.all([counted('auto'), counted('exact'), counted('estimate')])).toEqual([
      true,
      true,
      false,
    ])
  })
})

/** A call and its result. */
function used(name: string, input: object, output: string): readonly [MessageInput, MessageInput] {
  return [
    { role: 'assistant', content: [{ type: 'tool-call', callId: 'c', name, input }] },
    { role: 'tool', content: [{ type: 'tool-result', callId: 'c', output }] },
  ]
}

describe('the kind of a tool', () => {
  const hits = '/a.ts:1: port\n/b.ts:2: port'
  it.each([
    ['read_file', { path: '/a.ts' }, 'export const a = 1', ['File: /a.ts', 'Lines: 1']],
    ['execute_bash', { command: 'ls' }, 'a\nb\nexit code: 0', ['Command: ls', 'Exit: 0']],
    ['search_files', { pattern: 'port' }, hits, ['Pattern: "port"', 'Matches: 2']],
    ['grep', { pattern: 'port' }, hits, ['Pattern: "port"', 'Matches: 2']],
    ['create_file', { path: '/n.ts', content: 'a\nb' }, 'created', ['File: /n.ts', 'Lines: 2']],
    [
      'edit_file',
      { path: '/a.ts', old: 'x', new: 'y' },
      'edited',
      ['File: /a.ts', 'Changed: +1 -1 lines'],
    ],
    ['deploy', { target: 'staging' }, 'done', ['Result: done']],
  ])('S2-020: selects the facts of %s', (name, input, output, facts) => {
    const [call, result] = used(name, input, output)
    const summary = summarizeToolResult(result, { before: [call] })
    expect(summary).toMatchObject({ toolName: name, status: 'success' })
    expect(summary?.keyFacts).toEqual(expect.arrayContaining(facts))
  })

  it.each([
    ['path', 'read_file', { file_path: '/deep/b.py' }, 'x', { path: '/deep/b.py' }],
    ['command', 'run_shell', { cmd: 'make all' }, 'ok', { command: 'make all' }],
    ['exit code', 'execute_bash', { command: 'x' }, 'Exit code: 3', { exitCode: 3 }],
    ['pattern', 'grep', { query: 'gate' }, hits, { pattern: 'gate', fileCount: 2 }],
  ])('S2-073: gives its %s', (_, name, input, output, metadata) => {
    const [call, result] = used(name, input, output)
    expect(summarizeToolResult(result, { before: [call] })?.metadata).toMatchObject(metadata)
  })
})
