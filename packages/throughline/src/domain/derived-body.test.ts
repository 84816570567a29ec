import { describe, expect, it } from 'vitest'
import { bodyOf, encodeBody } from './derived-body.ts'
import type { DerivedBodies } from './derived-row.ts'

const mention = { kind: 'id', key: 'value7', label: 'value7', value: '', uses: 1 } as const
const task = { kind: 'task', key: 'fix it', label: 'Fix it', value: 'task', uses: 2 } as const
const file = { kind: 'file', key: '/app/a.ts', label: 'a.ts', value: '', uses: 1 } as const
const facts: DerivedBodies['facts'] = {
  trust: 'user',
  facts: [mention, task, file, { ...mention, key: 'İ', label: '\ud800' }, mention],
  digest: { by: 'user', text: 'Fix it', about: 'the plan' },
}
const ledger: DerivedBodies['ledger'] = {
  to: 9,
  entries: [task, file].map(({ uses, ...fact }) => ({
    ...fact,
    status: 'retracted',
    trust: 'tool',
    sources: [uses, 8],
    lastSeq: 8,
    namedBy: 'assistant',
    uses: { user: 1, assistant: 0, tool: 7 },
    counts: fact.kind === 'file' ? { read: 2 } : {},
  })),
}

describe('the body of a derived row', () => {
  it('is read as it was written, in every kind with a short form', () => {
    expect(bodyOf('facts', { body: encodeBody('facts', facts) })).toEqual(facts)
    const plain = { ...facts, digest: null }
    expect(bodyOf('facts', { body: encodeBody('facts', plain) })).toEqual(plain)
    expect(bodyOf('ledger', { body: encodeBody('ledger', ledger) })).toEqual(ledger)
  })

  it('repeats no name of a field, no kind and no text of a mere mention', () => {
    const mentions = Array.from({ length: 100 }, () => mention)
    const body = encodeBody('facts', { trust: 'tool', facts: mentions, digest: null })
    expect(body.length).toBeLessThan(100 * '"value7",'.length + 30)
  })

  it('is refused where it was changed to values that no fact has', () => {
    for (const body of ['["user",[["id",[null,1]]],null]', '["user",[],{"by":"user","text":3}]'])
      expect(() => bodyOf('facts', { body })).toThrow('facts of a message was changed from outside')
    const changed = encodeBody('ledger', ledger).replace('[1,2,1]', '[1,9,1]')
    expect(() => bodyOf('ledger', { body: changed })).toThrow('a ledger was changed')
  })
})
