import { describe, expect, it } from 'vitest'
import { formatSummary } from '../extract/describe-tool-use.ts'
import { meter } from '../flow/select/candidates.test-support.ts'
import { build } from '../testing/build.ts'
import { safeSummarize, summarizeDroppedMessages, summarizeToolResult } from './summarize.ts'

const conversation = build()
  .user('Please read it.')
  .calls('read_file', { path: '/app.ts' })
  .result('export const a = 1\n')
const [, call, result] = conversation.messages
if (call === undefined || result === undefined) throw new Error('a call and its result')

describe('the rule digest without a store', () => {
  it('S2-019, S2-060: summarizes a tool result, by its call or by its name', () => {
    const summary = summarizeToolResult(result, { before: [call] })
    expect(summary && formatSummary(summary)).toBe(
      '[✓ read_file: File: /app.ts | Lines: 1 | Type: typescript | Exports: a]',
    )
    const named = { role: 'tool', author: 'read_file', content: 'export const a = 1' } as const
    expect(summarizeToolResult(named)).toMatchObject({
      toolName: 'read_file',
      status: 'success',
      metadata: { hasExports: true },
    })
    expect(summarizeToolResult(result)).toMatchObject({ toolName: 'unknown' })
  })

  it('B2-7: is null without a tool result, and finds one result of several', () => {
    expect(summarizeToolResult({ role: 'user', content: 'Error: no' })).toBeNull()
    const part = (callId: string) =>
      ({ type: 'tool-result', callId, name: callId, output: 'ok' }) as const
    const both = { role: 'tool', content: [part('a'), part('b')] } as const
    expect(summarizeToolResult(both)?.toolName).toBe('a')
    expect(summarizeToolResult(both, { callId: 'b' })?.toolName).toBe('b')
    expect(summarizeToolResult(both, { callId: 'c' })).toBeNull()
  })

  it('S2-032: summarizes dropped messages, with calls from earlier messages', () => {
    expect(summarizeDroppedMessages([...conversation])).toBe(
      '--- Summarized Context (2 items) ---\n[user: Request: Please read it.]\n' +
        '[✓ read_file: File: /app.ts | Lines: 1 | Type: typescript | Exports: a]',
    )
    expect(summarizeDroppedMessages([result], { before: [call] })).toContain('File: /app.ts')
  })

  it('S2-014, S2-056, S2-057: stays within its limits, counted for a model', async () => {
    const many = Array.from({ length: 200 }, () => [...conversation]).flat()
    const text = await safeSummarize(many, 100_000, { meter })
    expect(meter.text(text)).toBeLessThanOrEqual(500)
    expect(meter.text(text)).toBeGreaterThan(400)
    const named = await safeSummarize(many, 1_000, { model: 'gpt-4o', tokenizer: 'estimate' })
    expect(named).toMatch(/\[Summary truncated\]$/)
    expect(await safeSummarize(many, 100_000, { meter, maxSummaryTokens: 20 })).toBe(
      '[Summary omitted - insufficient budget]',
    )
  })

  it('S2-015: has errors in full, unless the options say otherwise', () => {
    const failed = {
      role: 'tool',
      author: 'bash',
      content: 'Error: a\nat b\nexit code: 1',
    } as const
    expect(summarizeToolResult(failed)?.keyFacts.at(-1)).toContain('at b')
    const short = summarizeToolResult(failed, { preserveErrorDetails: false })
    expect(short?.keyFacts.at(-1)).toBe('Error: Error: a')
  })

  it('rejects invalid input with a code', async () => {
    expect(() => summarizeDroppedMessages([{ role: 'x' } as never])).toThrow(
      expect.objectContaining({ code: 'MESSAGE_INVALID' }),
    )
    for (const wrong of [{ preserveErrorDetails: 1 }, { tokens: 5 }])
      expect(() => summarizeDroppedMessages([], wrong as never)).toThrow(
        expect.objectContaining({ code: 'CONFIG_INVALID' }),
      )
    for (const wrong of [{}, { meter, policy: 'chat' }, { meter, maxSummaryTokens: -1 }])
      await expect(safeSummarize([], 100, wrong as never)).rejects.toMatchObject({
        code: 'CONFIG_INVALID',
      })
    await expect(safeSummarize([], 0.5, { meter })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    })
  })
})
