import { describe, expect, it } from 'vitest'
import { readPolicy } from '../../policies/read-policy.ts'
import { policyFor } from './plan-budget.ts'

const policy = readPolicy({
  name: 'mine',
  target: { ratio: 0.35 },
  models: [
    { match: 'openai/gpt-4o', target: { ratio: 0.1 } },
    { match: 'openai/*', target: { ratio: 0.2 }, keepRecent: { turns: 3 } },
    { match: '*claude*haiku*', target: { ratio: 0.3 } },
  ],
})

describe('a policy for a model', () => {
  it.each<[string, readonly string[], number]>([
    ['the name itself', ['openai/gpt-4o'], 0.1],
    ['U-003 the first that matches', ['openai/gpt-4o-mini'], 0.2],
    ['the name that the model is known by', ['my-deployment', 'openai/gpt-5'], 0.2],
    ['stars in the middle', ['anthropic/claude-4-haiku-latest'], 0.3],
    ['pieces in another order', ['haiku-claude'], 0.35],
    ['none', ['mistral-large'], 0.35],
    ['a name that only begins alike', ['openai'], 0.35],
  ])('is found by %s', (_, names, ratio) => {
    expect(policyFor(policy, names).target).toEqual({ ratio })
  })

  it('changes only what the override says', () => {
    const changed = policyFor(policy, ['openai/o9'])
    expect(changed).toEqual({ ...policy, target: { ratio: 0.2 }, keepRecent: { turns: 3 } })
  })

  it('fires at `withoutModel` if no model writes summaries, also in lists and overrides', () => {
    const ratio = { kind: 'tokenRatio', reset: 0.1, of: 'free' } as const
    const [both, one] = [
      { ...ratio, at: 0.6, withoutModel: 0.9 },
      { ...ratio, at: 0.7 },
    ]
    const turns = { kind: 'turns', since: 3 } as const
    const written = readPolicy({
      name: 'x',
      triggers: [{ kind: 'any', of: [both, turns] }, one],
      models: [{ match: 'a', triggers: [both] }],
    })
    expect(policyFor(written, ['b'])).toBe(written)
    expect(policyFor(written, ['b'], false).triggers).toEqual([
      { kind: 'any', of: [{ ...both, at: 0.9 }, turns] },
      one,
    ])
    expect(policyFor(written, ['a'], true).triggers).toEqual([both])
    expect(policyFor(written, ['a'], false).triggers).toEqual([{ ...both, at: 0.9 }])
  })

  it('does not let the ends of a pattern overlap', () => {
    const short = readPolicy({ name: 'x', models: [{ match: 'ab*ba', target: { ratio: 0.1 } }] })
    expect(policyFor(short, ['aba'])).toEqual(short)
    expect(policyFor(short, ['abba']).target).toEqual({ ratio: 0.1 })
  })
})
