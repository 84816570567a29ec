import { describe, expect, it } from 'vitest'
import type { ScoredMessage } from '../../packages/throughline/src/cli/simulation/survival-along.ts'
import { baselines } from './baselines.ts'
import { precisionOf, study, survivalOf } from './study.ts'

const user = (text: string): ScoredMessage => ({ isAssistant: false, text })
const assistant = (text: string): ScoredMessage => ({ isAssistant: true, text })

describe('what is needed after a cut', () => {
  const before = [user('aaa_one aaa_two aaa_three aaa_four'), assistant('aaa_five')]

  it('is what the assistant uses from before the cut', () => {
    const { needed } = study(before, [assistant('aaa_one, aaa_five, zzz_new')], '')
    expect([...needed]).toEqual(['aaa_one', 'aaa_five'])
  })

  it('is not what a user or a tool has shown again first', () => {
    const after = [user('aaa_one'), assistant('aaa_one aaa_two'), user('aaa_two aaa_three')]
    expect([...study(before, after, '').needed]).toEqual(['aaa_two'])
  })

  it('is not what only users and tools mention', () => {
    expect(study(before, [user('aaa_one')], '').needed.size).toBe(0)
  })

  it('is compared relative to the working folder', () => {
    const { needed } = study([user('/w/src/a.ts')], [assistant('src/a.ts')], '/w')
    expect([...needed]).toEqual(['src/a.ts'])
  })
})

describe('the ranked list', () => {
  it('ranks names that the assistant used above names it only saw', () => {
    const { ranked } = study([user('aaa_seen'), assistant('aaa_used')], [], '')
    expect(ranked).toEqual(['aaa_used', 'aaa_seen'])
  })

  it('ranks frequent names above rare ones, at the same position', () => {
    const { ranked } = study([user('aaa_often'), user('aaa_once aaa_often')], [], '')
    expect(ranked).toEqual(['aaa_often', 'aaa_once'])
  })

  it('ranks recent names above old ones', () => {
    const between = Array.from({ length: 20 }, () => user(''))
    const { ranked } = study([user('aaa_old'), ...between, user('aaa_new')], [], '')
    expect(ranked).toEqual(['aaa_new', 'aaa_old'])
  })
})

describe('figures of a replacement', () => {
  const found = study(
    [user('src/a.ts aaa_one aaa_two 1234')],
    [assistant('src/a.ts aaa_one aaa_two 1234')],
    '',
  )

  it('are the share of needed names that it contains', () => {
    expect(survivalOf(found, 'lib/a.ts and aaa_one')).toBe(0.5)
    expect(survivalOf(found, '')).toBe(0)
  })

  it('are the share of its names that are needed', () => {
    expect(precisionOf(found, 'aaa_one zzz_new', '')).toBe(0.5)
    expect(precisionOf(found, 'nothing here', '')).toBe(0)
  })
})

describe('the baselines', () => {
  const found = {
    needed: new Set<string>(),
    ranked: ['a'.repeat(6), 'b'.repeat(30), 'c'.repeat(3)],
  }

  it('keep the end of the text', () => {
    expect(baselines.tail('0123456789', found, 4)).toBe('6789')
    expect(baselines.tail('0123', found, 9)).toBe('0123')
  })

  it('list the names in order, without those that do not fit', () => {
    expect(baselines.list('', found, 11)).toBe('aaaaaa ccc')
    expect(baselines.list('', found, 10)).toBe('aaaaaa')
  })

  it('use three quarters for the tail and one for the list', () => {
    expect(baselines['tail+list']('x'.repeat(100), found, 29)).toBe(`${'x'.repeat(22)}aaaaaa`)
  })
})
