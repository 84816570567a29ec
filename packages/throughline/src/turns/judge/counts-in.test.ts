import { describe, expect, it } from 'vitest'
import { countsIn } from '../turn-sources.ts'
import { digestOf } from '../turns.test-support.ts'

describe('counts that a sentence may state', () => {
  it('A-016: are those of items, headings, bold texts, steps and records', () => {
    const text = '# A\n## B\n- a\n- b\n- c\n  * d\n1. x\n2) y\n**p** **q** **r** **s** **t**'
    const steps = [
      digestOf({ recordCount: 40 }),
      digestOf({ status: 'failed' }),
      digestOf({ status: 'failed' }),
      digestOf({ status: 'skipped' }),
      ...Array.from({ length: 5 }, () => digestOf()),
    ]
    expect(countsIn(text, steps)).toEqual([4, 2, 2, 5, 9, 6, 2, 40])
    expect(countsIn('', [])).toEqual([0, 0, 0, 0, 0, 0, 0])
  })
})
