import { describe, expect, it } from 'vitest'
import type { LedgerEntry } from '../../domain/ledger.ts'
import { entry } from './ledger.test-support.ts'
import { listRules } from './render-rules.ts'

const stated = (label: string, seq: number, changes: Partial<LedgerEntry> = {}) =>
  entry({
    kind: 'constraint',
    label,
    value: 'constraint',
    trust: 'user',
    sources: [seq],
    ...changes,
  })

const listed = (
  entries: readonly LedgerEntry[],
  options: Partial<Parameters<typeof listRules>[1]>,
) =>
  listRules(
    { to: 100, entries },
    { characters: 1_000, otherCharacters: 1_000, isShown: () => false, ...options },
  ).map(({ seq, text }) => `#${seq}: ${text}`)

describe('the list of rules', () => {
  it('is in the order of the log, most binding first where room is short', () => {
    const rules = [
      stated('The yard is wet.', 7, { value: 'persistent' }),
      stated('Never paint the gate.', 5),
      stated('Take the small ladder.', 3, { kind: 'decision', value: 'decision' }),
    ]
    expect(listed(rules, {})).toEqual([
      '#3: Take the small ladder.',
      '#5: Never paint the gate.',
      '#7: The yard is wet.',
    ])
    expect(listed(rules, { characters: 30 })).toEqual(['#5: Never paint the gate.'])
  })

  it('has a rule whole, or not at all', () => {
    const label = `Never ${'ever '.repeat(100)}do it.`
    expect(listed([stated(label, 1)], {})).toEqual([`#1: ${label}`])
    expect(listed([stated(label, 1)], { characters: 300 })).toEqual([])
  })

  it('has nothing that a tool or a model states, that is shown, or that was withdrawn', () => {
    const rules = [
      stated('Never one.', 1, { trust: 'tool' }),
      stated('Never two.', 2, { trust: 'assistant' }),
      stated('Never three.', 3),
      stated('Never four.', 4, { status: 'retracted' }),
    ]
    expect(listed(rules, { isShown: (seq) => seq === 3 })).toEqual([])
  })

  it('has other sentences of the user only in the room that is left for them', () => {
    const rules = [
      stated('Oil the hinge.', 1, { kind: 'task', value: 'task' }),
      stated('Never paint the gate.', 2),
    ]
    expect(listed(rules, {})).toHaveLength(2)
    expect(listed(rules, { otherCharacters: 40 })).toEqual(['#2: Never paint the gate.'])
  })
})
