import { describe, expect, it } from 'vitest'
import type { RuleDigest } from '../domain/rule-digest.ts'
import { build } from '../testing/build.ts'
import { foldDigest } from './fold-digest.ts'
import { dropped, meter } from './rule-digest.test-support.ts'
import { summaryMessage, summaryOf } from './summary-record.ts'

const options = { maxSummaryTokens: 500, preserveErrorDetails: true, meter }
const reading = { createdAt: 1_000, updatedAt: 2_000, mostTokens: 500, meter }
const read = (path: string) => build().calls('read_file', { path }).result('x')

describe('the record of a summary', () => {
  it('S2-047, S2-048, S2-049: is null where there is none', () => {
    expect(summaryOf(null, reading)).toBeNull()
    expect(summaryMessage(null)).toBeNull()
  })

  it('S2-041, S2-046, S2-064, B2-1: tells version, times, messages and text', () => {
    const first = foldDigest(null, dropped(read('a.ts')), options)
    expect(summaryOf(first, { ...reading, updatedAt: 1_000 })).toEqual({
      createdAt: 1_000,
      updatedAt: 1_000,
      content:
        '--- Summarized Context (1 items) ---\n[✓ read_file: File: a.ts | Lines: 1 | Type: typescript]',
      tokensUsed: 0,
      messagesIncluded: 2,
      version: 1,
    })
    const second = foldDigest(first, dropped(read('b.ts')), options)
    const summary = summaryOf(second, reading)
    expect(summary).toMatchObject({
      version: 2,
      createdAt: 1_000,
      updatedAt: 2_000,
      messagesIncluded: 4,
    })
    expect(summary?.content).toContain('[Update 2]')
  })

  it('S2-048: is a message of the system under its heading', () => {
    const summary = summaryOf(foldDigest(null, dropped(read('a.ts')), options), reading)
    expect(summaryMessage(summary)).toEqual({
      role: 'system',
      content: `[Previous Conversation Summary]\n${summary?.content}`,
    })
  })

  it('X2-2: has its heading inside the limit, and no message where there is no room', () => {
    let digest: RuleDigest | null = null
    for (let at = 0; at < 60; at += 1)
      digest = foldDigest(digest, dropped(read(`${at}.ts`)), options)
    for (const mostTokens of [500, 200, 90, 58, 40, 20, 5, 0]) {
      const message = summaryMessage(summaryOf(digest, { ...reading, mostTokens }))
      expect(message === null || meter.text(message.content) <= mostTokens).toBe(true)
      if (mostTokens >= 20) expect(message).not.toBeNull()
    }
    expect(summaryMessage(summaryOf(digest, { ...reading, mostTokens: 5 }))).toBeNull()
  })
})
