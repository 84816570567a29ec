import { describe, expect, it } from 'vitest'
import { completeCard } from '../../domain/model-card.ts'
import type { View } from '../../domain/view.ts'
import { createMeter } from '../measure/measure.ts'
import { basisOf, changedBasis } from './basis.ts'

const tokenizer = { id: 'words/1', exact: true, count: (text: string) => text.length }
const card = completeCard({ id: 'house-model', contextWindowTokens: 100_000 })
const meter = createMeter({ card, tokenizer })

const view = (basis: string): View => ({
  epoch: 2,
  cause: 'trigger',
  line: 40,
  keeps: [],
  stubs: [],
  basis,
  beganTokens: 1_000,
  history: null,
  next: null,
  degraded: null,
})

describe('the basis of a view', () => {
  const basis = basisOf(meter, [3, 17], 'policy-hash', '1')
  const made = view(basis)

  it('is unchanged while nothing has changed', () => {
    expect(changedBasis(made, basis)).toBeNull()
    expect(changedBasis(view(basisOf(meter, [], 'p')), basisOf(meter, [], 'p'))).toBeNull()
  })

  it('names what has changed', () => {
    const larger = createMeter({ card: { ...card, contextWindowTokens: 200_000 }, tokenizer })
    const finer = createMeter({ card, tokenizer: { ...tokenizer, id: 'letters/1' } })
    const less = createMeter({ card: { ...card, maxInputTokens: 1_000 }, tokenizer })
    expect(changedBasis(made, basisOf(meter, [3], 'policy-hash', '1'))).toBe('pins-changed')
    expect(changedBasis(made, basisOf(meter, [3, 17], 'other', '1'))).toBe('policy-changed')
    expect(changedBasis(made, basisOf(meter, [3, 17], 'policy-hash', '2'))).toBe('history-changed')
    for (const other of [larger, finer, less])
      expect(changedBasis(made, basisOf(other, [3, 17], 'policy-hash', '1'))).toBe('window-changed')
  })

  it('reports a different history first, because then the view is useless', () => {
    expect(changedBasis(made, basisOf(meter, [], 'other', '2'))).toBe('history-changed')
  })

  it('is unchanged by pins of messages that are shown whole', () => {
    const stub = { seq: 50, role: 'tool', author: null, parts: [], hash: '', made: '' } as const
    const size = { tokens: 1, wire: 1 }
    const showing: View = {
      ...made,
      keeps: [12],
      stubs: [{ ...stub, size, wholeTokens: 90 }],
      next: { seq: 60, hash: '', stub: null },
    }
    const pinned = (...pins: readonly number[]) =>
      changedBasis(showing, basisOf(meter, pins, 'policy-hash', '1'))
    expect(pinned(3, 17, 40, 41)).toBeNull()
    expect(pinned(3, 12, 17)).toBeNull()
    for (const seq of [4, 39, 50, 60]) expect(pinned(3, 17, seq), `#${seq}`).toBe('pins-changed')
    expect(pinned(17)).toBe('pins-changed')
    // Pinned while it was shown, and let go again before the epoch ended.
    const since: View = { ...showing, basis: basisOf(meter, [3, 45], 'p') }
    expect(changedBasis(since, basisOf(meter, [3], 'p'))).toBeNull()
  })

  it('is unchanged with a tokenizer of any name', () => {
    const named = createMeter({ card, tokenizer: { ...tokenizer, id: 'house|v2' } })
    const same = basisOf(named, [], 'p', '')
    expect(changedBasis(view(same), same)).toBeNull()
  })
})
