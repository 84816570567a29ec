import type { TranscriptItem } from 'throughline/transcripts'
import { describe, expect, it } from 'vitest'
import type { Tokenizer } from '../../packages/throughline/src/ports/tokenizer.ts'
import { reportedRows } from './reported.ts'

const characters: Tokenizer = { id: 'characters/1', exact: false, count: (text) => text.length }

/** A provider that reports 1.5 times the characters and a hidden prompt of 5,000. */
function* conversation(steps: number, compactAt: number | null = null): Generator<TranscriptItem> {
  const conversationId = 'one'
  yield { kind: 'conversation', id: conversationId, title: null, parent: null, meta: null }
  let characters = 0
  const say = (role: 'user' | 'assistant', length: number, reported: number | null) => {
    characters += length
    const usage = {
      inputTokens: reported ?? 0,
      outputTokens: null,
      cacheReadTokens: null,
      cacheWriteTokens: null,
    }
    return {
      kind: 'message',
      conversationId,
      message: { role, content: 'x'.repeat(length) },
      usage: reported === null ? null : usage,
      model: 'gemini-3-pro-preview',
      line: null,
    } as const
  }
  for (let step = 0; step < steps; step += 1) {
    if (step === compactAt) {
      yield {
        kind: 'compaction',
        conversationId,
        summary: 'x'.repeat(100),
        tokensBefore: null,
        trigger: null,
        line: null,
      }
      characters = 100
    }
    yield say('user', 400 + 40 * (step % 5), null)
    yield say('assistant', 100, 5_000 + Math.round(1.5 * characters))
  }
}

async function valuesOf(items: Iterable<TranscriptItem>): Promise<Record<string, number>> {
  const rows = await reportedRows([{ source: 'made', items }], characters)
  return Object.fromEntries(rows.map((row) => [row.unit, row.value]))
}

describe('reportedRows', () => {
  it('undercounts before the calibration, and is nearly exact after it', async () => {
    const values = await valuesOf(conversation(40))
    expect(values['% error p95, uncalibrated']).toBeLessThan(-30)
    expect(values['% absolute error p95, calibrated']).toBeLessThan(2)
    expect(values['% absolute error p95, frozen']).toBeLessThan(10)
    expect(values['% of steps not under, calibrated']).toBe(100)
  })

  it('starts again after a compaction', async () => {
    const values = await valuesOf(conversation(40, 25))
    expect(values['% absolute error p95, calibrated']).toBeLessThan(2)
  })

  it('judges no step before the eleventh', async () => {
    const rows = await reportedRows([{ source: 'made', items: conversation(12) }], characters)
    const n = new Map(rows.map((row) => [row.unit, row.n]))
    expect(n.get('% error p50, uncalibrated')).toBe(12)
    expect(n.get('% error p50, calibrated')).toBe(2)
  })

  it('has no rows for a source without reports', async () => {
    expect(await reportedRows([{ source: 'made', items: [] }], characters)).toEqual([])
  })
})
