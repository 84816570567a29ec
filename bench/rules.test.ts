import { describe, expect, it } from 'vitest'
import { madeConversation } from './rules/conversations.ts'
import { developmentAgent, heldOutAgent } from './rules/wordings-data.ts'
import { isShown, rulesRows, sources } from './rules.ts'

describe('bench rules', () => {
  it('makes the same conversation from the same seed, with 40 rules in force', () => {
    const { statements, turns } = madeConversation(developmentAgent, 'agent', '1')
    expect(madeConversation(developmentAgent, 'agent', '1').turns).toEqual(turns)
    expect(statements.filter(({ kind }) => kind === 'rule')).toHaveLength(40)
    const text = JSON.stringify(turns)
    for (const statement of statements)
      expect(text).toContain(JSON.stringify(statement.text).slice(1, -1))
  })

  it('has no wording in both halves', () => {
    const known = new Set<string>(developmentAgent.rules)
    expect(heldOutAgent.rules.filter((rule) => known.has(rule))).toEqual([])
  })

  it('counts a rule in one line, and a replaced one only without its replacement', () => {
    const rule = { kind: 'rule', text: 'Never paint the garden gate.', other: '' } as const
    expect(isShown(rule, ['#1: never paint the garden gate.'])).toBe(true)
    expect(isShown(rule, ['#1: the garden gate: never paint it'])).toBe(true)
    expect(isShown(rule, ['#1: never paint', 'the garden gate.'])).toBe(false)
    const replaced = { ...rule, kind: 'replaced', other: 'Paint it now.' } as const
    expect(isShown(replaced, ['#1: never paint the garden gate.'])).toBe(true)
    expect(isShown(replaced, ['#1: never paint the garden gate.', '#2: paint it now.'])).toBe(false)
    const choice = { kind: 'choice', text: 'yes', other: 'Paint it?' } as const
    expect(isShown(choice, ['#1: yes'])).toBe(false)
    expect(isShown(choice, ['#1: yes [answer to: paint it?]'])).toBe(true)
  })

  it('measures what a context has after compactions', async () => {
    const plan = { sizes: [8_192], seeds: ['1'], sources: sources.slice(1, 2), compactions: 1 }
    const rows = await rulesRows(plan)
    expect(rows).toHaveLength(5)
    const rules = rows.filter(({ unit }) => unit === '% of rules in the context')
    for (const { value, n } of rules) {
      expect(n).toBe(40)
      expect(value).toBeGreaterThan(80)
    }
  }, 60_000)
})
