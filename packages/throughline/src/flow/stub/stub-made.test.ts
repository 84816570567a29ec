import { describe, expect, it } from 'vitest'
import type { StubbedMessage } from '../../domain/view.ts'
import type { Meter } from '../measure/measure.ts'
import { giantsIn, unitMade } from './giants.ts'

const stub = (seq: number, wholeTokens: number, made = '24') =>
  ({ seq, wholeTokens, made }) as StubbedMessage
const meterOf = (contextWindowTokens: number) => ({ card: { contextWindowTokens } }) as Meter
const giants = (window: number, ...stubs: readonly StubbedMessage[]) =>
  giantsIn({ stubs }, meterOf(window))

describe('messages that are worth a digest', () => {
  it('S4-027: are larger than 4,000 tokens, and than a fifth of the window', () => {
    expect(giants(8_000, stub(1, 4_000), stub(2, 4_001))).toEqual([2])
    expect(giants(100_000, stub(1, 20_000), stub(2, 20_001))).toEqual([2])
  })

  it('have none in their stub yet, and a stub of their own', () => {
    expect(giants(8_000, stub(1, 9_000, '24 digest abc'), stub(2, 9_000, unitMade))).toEqual([])
  })
})
