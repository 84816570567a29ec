import { describe, expect, it } from 'vitest'
import type { Context, ContextMessage } from '../../index.ts'
import { amountText } from '../screen/numbers.ts'
import { testWorld } from '../world.test-support.ts'
import { bandLengths, logBar, logCells } from './replay-picture.ts'
import { logBandsOf, windowBandsOf } from './shown-bands.ts'

const message = (seq: number | null): ContextMessage => ({
  ...{ role: 'user', author: null, parts: [], meta: null, seq, slot: 'recent' },
})

describe('the bands of a window', () => {
  it('add up to the request', () => {
    const sections = [
      { kind: 'system', messages: 0, tokens: 10 },
      { kind: 'ledger', messages: 1, tokens: 30 },
      { kind: 'summary', messages: 1, tokens: 20 },
      { kind: 'recalled', messages: 1, tokens: 5 },
      { kind: 'recent', messages: 4, tokens: 100 },
    ] as const satisfies Context['sections']
    const bands = windowBandsOf({ sections, tokens: 170 })
    expect(bands).toEqual({ protected: 10, history: 50, recalled: 5, recent: 105 })
  })

  it('are proportional to their shares, and fill the bar', () => {
    expect(bandLengths([1, 1, 2], 8)).toEqual([2, 2, 4])
    expect(bandLengths([1, 999], 10)).toEqual([1, 9])
    expect(bandLengths([0, 5], 10)).toEqual([0, 10])
    expect(bandLengths([0, 0], 10)).toEqual([0, 0])
    for (const cells of [3, 7, 60, 61])
      expect(bandLengths([3, 333, 17, 1], cells).reduce((sum, each) => sum + each)).toBe(cells)
  })
})

describe('the bands of a log', () => {
  const omitted = [
    { span: { from: 0, to: 3 }, why: 'left-out', tokens: 9 },
    { span: { from: 4, to: 6 }, why: 'left-out', tokens: 9 },
    { span: { from: 7, to: 8 }, why: 'stubbed', tokens: 9 },
    { span: null, why: 'over-share', tokens: 9 },
  ] as const satisfies Context['omitted']
  const messages = [3, null, 6, 7, 8].map(message)

  it('contain the line, kept messages before it, and shortened ones after it', () => {
    const log = logBandsOf({ omitted, messages }, 9)
    expect(log).toEqual({ head: 9, line: 6, kept: [3], stubbed: [{ from: 7, to: 8 }] })
    expect(logCells(log, 20)).toEqual([
      ...['summarized', 'summarized', 'summarized', 'kept', 'summarized', 'summarized'],
      ...['whole', 'stub', 'whole'],
    ])
    expect(logBar(log, 3, testWorld().world.stdout)).toBe('░▀█')
  })
})

describe('an amount', () => {
  it('is short', () => {
    expect([950, 9_999, 12_345, 123_456, 3_141_592, 250_000_000].map(amountText)).toEqual([
      ...['950', '9,999', '12.3 k', '123 k', '3.1 M', '250 M'],
    ])
  })
})
