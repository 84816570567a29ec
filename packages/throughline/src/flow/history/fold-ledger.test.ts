import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyLedger, type LedgerEntry, type MessageFacts } from '../../domain/ledger.ts'
import { failureKey } from '../../extract/message-facts.ts'
import { foldLedger } from './fold-ledger.ts'
import { anyRows, fact, row } from './ledger.test-support.ts'

function folded(...rows: readonly MessageFacts[]): readonly LedgerEntry[] {
  return foldLedger(emptyLedger, rows, rows.length).entries
}

function only(...rows: readonly MessageFacts[]): LedgerEntry {
  const [found, ...others] = folded(...rows)
  expect(others).toEqual([])
  return found as LedgerEntry
}

function failureIn(...rows: readonly MessageFacts[]): LedgerEntry['status'] | undefined {
  return folded(...rows).find(({ kind }) => kind === 'failure')?.status
}

describe('folding facts', () => {
  it('has the newest value in force', () => {
    const entry = only(
      row(0, 'tool', fact('command', 'npm test', 'exit 1')),
      row(3, 'tool', fact('command', 'npm test', 'exit 0')),
    )
    expect(entry).toMatchObject({ value: 'exit 0', status: 'current', sources: [0, 3] })
  })

  const offer = row(
    0,
    'assistant',
    fact('question', '1. fifty at once\n2. one by one\nWhich?', 'offer', 'offer'),
  )
  const answers = (seq: number, text: string): MessageFacts => ({
    ...row(seq, 'user'),
    digest: { by: 'user', text },
  })
  const labels = (...rows: readonly MessageFacts[]) =>
    folded(...rows).flatMap(({ label, status, trust }) =>
      trust === 'user' && status === 'current' ? [label] : [],
    )

  it('keeps a short answer with the option or the question that it answers', () => {
    expect(labels(offer, answers(1, 'do 2'))).toEqual(['do 2 [answer to: 2. one by one]'])
    expect(labels(offer, answers(1, 'yes'))).toEqual(['yes [answer to: Which?]'])
    // Only the next message answers.
    expect(labels(offer, answers(2, 'yes'))).toEqual([])
  })

  it('withdraws the closest earlier rule of the user, and no other', () => {
    const rule = (seq: number, label: string, value = 'constraint', by: 'user' | 'tool' = 'user') =>
      row(seq, by, fact('constraint', label, value))
    const rules = [
      rule(0, 'Two spaces, no tabs.'),
      rule(1, 'Use tabs in the shell scripts.'),
      rule(2, 'Oil the hinge.'),
    ]
    const withdrawal = 'Scrap the tabs in the shell scripts, spaces there now.'
    expect(labels(...rules, rule(3, withdrawal, 'retraction'))).toEqual([
      'Two spaces, no tabs.',
      'Oil the hinge.',
      withdrawal,
    ])
    expect(labels(...rules, rule(3, withdrawal, 'retraction', 'tool'))).toHaveLength(3)
  })

  it('goes by the order of the messages', () => {
    const first = row(0, 'tool', fact('command', 'npm test', 'exit 0'))
    const second = row(1, 'tool', fact('command', 'npm test', 'exit 1'))
    expect(only(first, second).value).toBe('exit 1')
    expect(only(second, first).value).toBe('exit 0')
  })

  it('leaves the value as it is at a mere mention', () => {
    const entry = only(
      row(0, 'tool', fact('file', 'a.ts', 'edited')),
      row(1, 'user', fact('file', './a.ts', '', 'a.ts')),
    )
    expect(entry).toMatchObject({ label: 'a.ts', value: 'edited', trust: 'tool' })
  })

  it('counts who names a thing, and what is done to a file', () => {
    const entry = only(
      row(0, 'user', fact('file', 'a.ts')),
      row(1, 'tool', fact('file', 'a.ts', 'read')),
      row(2, 'tool', fact('file', 'a.ts', 'edited')),
      row(3, 'tool', fact('file', 'a.ts', 'edited')),
    )
    expect(entry.uses).toEqual({ user: 1, assistant: 0, tool: 3 })
    expect(entry.counts).toEqual({ read: 1, edited: 2 })
  })

  it('keeps the newest places, each once', () => {
    const rows = Array.from({ length: 12 }, (_, seq) =>
      row(seq, 'tool', fact('id', 'ABC-1'), fact('id', 'ABC-1')),
    )
    expect(only(...rows).sources).toEqual([4, 5, 6, 7, 8, 9, 10, 11])
  })

  it('has what was named last at its end', () => {
    const rows = [
      row(0, 'user', fact('id', 'ABC-1'), fact('id', 'ABC-2')),
      row(1, 'user', fact('id', 'ABC-1')),
    ]
    expect(folded(...rows).map(({ key }) => key)).toEqual(['ABC-2', 'ABC-1'])
  })

  it('separates kinds that have the same key', () => {
    expect(folded(row(0, 'user', fact('id', 'x'), fact('name', 'x')))).toHaveLength(2)
  })
})

describe('a failure in the ledger', () => {
  it('is settled by the same command with other filters, in another folder', () => {
    const commands = ['npm test', 'npm test 2>&1 | tail -20', 'cd /app && CI=1 npm test']
    for (const subject of commands)
      for (const later of commands) {
        const failure = fact('failure', 'it failed', subject, failureKey(subject))
        const passed = row(1, 'tool', fact('command', later, 'ok, 3 lines'))
        expect(failureIn(row(0, 'tool', failure), passed)).toBe('retracted')
      }
  })

  const failed = row(0, 'tool', fact('failure', 'no such file', 'npm test', 'npm test'))

  it('is settled when the same command goes well', () => {
    const later = row(1, 'tool', fact('command', 'npm test', 'exit 0, 12 passed, 0 failed'))
    expect(failureIn(failed, later)).toBe('retracted')
  })

  it.each(['exit 1', 'exit 01', 'failed', 'no result', 'exit 0, 3 passed, 2 failed', 'okay'])(
    'stays one when the command comes to "%s"',
    (value) => {
      expect(failureIn(failed, row(1, 'tool', fact('command', 'npm test', value)))).toBe('current')
    },
  )

  it('stays one when another command goes well', () => {
    expect(failureIn(failed, row(1, 'tool', fact('command', 'npm run', 'exit 0')))).toBe('current')
  })

  it.each(['ok', '3 matches in 2 files', '12 lines', 'nothing found'])(
    'is settled when the same tool comes to "%s"',
    (value) => {
      const later = row(1, 'tool', fact('use', 'fetch npm test', value))
      expect(failureIn(failed, later)).toBe('retracted')
    },
  )

  it('is one again when it comes again', () => {
    const later = row(1, 'tool', fact('command', 'npm test', 'ok'))
    expect(failureIn(failed, later, { ...failed, seq: 2 })).toBe('current')
  })

  it('of an edit is settled by an edit of that file, not by reading it', () => {
    const edit = row(
      0,
      'tool',
      fact('file', 'src/a.ts', 'edited, failed'),
      fact('failure', 'no match', 'src/a.ts', 'src/a.ts'),
    )
    const reads = row(1, 'tool', fact('file', 'src/a.ts', 'read'))
    const edits = row(2, 'tool', fact('file', 'src/a.ts', 'edited'))
    expect(failureIn(edit, reads)).toBe('current')
    expect(failureIn(edit, reads, edits)).toBe('retracted')
  })
})

describe('trust in the ledger', () => {
  it("lets no tool and no assistant replace the user's value", () => {
    for (const trust of ['tool', 'assistant'] as const) {
      const entry = only(
        row(0, 'user', fact('address', 'docs', 'https://user.example')),
        row(1, trust, fact('address', 'docs', 'https://other.example')),
      )
      expect(entry).toMatchObject({ value: 'https://user.example', trust: 'user' })
    }
  })

  it('lets the user replace any value', () => {
    const entry = only(
      row(0, 'tool', fact('address', 'docs', 'https://tool.example')),
      row(1, 'user', fact('address', 'docs', 'https://user.example')),
    )
    expect(entry).toMatchObject({ value: 'https://user.example', trust: 'user' })
  })

  it('never gives a value the trust of somebody who only named the thing', () => {
    const entry = only(
      row(0, 'user', fact('file', 'a.ts')),
      row(1, 'tool', fact('file', 'a.ts', 'edited')),
    )
    expect(entry).toMatchObject({ value: 'edited', trust: 'tool' })
  })

  it('has a value from a row of its trust, for any rows', () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        for (const { kind, key, value, trust } of folded(...rows)) {
          const stated = rows.filter((one) =>
            one.facts.some(
              (each) => each.kind === kind && each.key === key && each.value === value,
            ),
          )
          expect(stated.map((one) => one.trust)).toContain(trust)
        }
      }),
    )
  })
})

describe('folding on', () => {
  it('from any place gives what folding everything gives', () => {
    fc.assert(
      fc.property(anyRows, fc.array(fc.nat(30), { maxLength: 4 }), (rows, places) => {
        const cuts = [...places.map((at) => Math.min(at, rows.length)), rows.length].sort(
          (left, right) => left - right,
        )
        let ledger = emptyLedger
        for (const to of cuts) {
          // As it comes back from a store.
          const known: typeof ledger = JSON.parse(JSON.stringify(ledger))
          ledger = foldLedger(known, rows.slice(known.to, to), to)
        }
        expect(JSON.stringify(ledger)).toBe(
          JSON.stringify(foldLedger(emptyLedger, rows, rows.length)),
        )
      }),
    )
  })

  it('leaves the ledger before it as it was', () => {
    const before = foldLedger(emptyLedger, [row(0, 'tool', fact('file', 'a', 'read'))], 1)
    const text = JSON.stringify(before)
    foldLedger(before, [row(1, 'tool', fact('file', 'a', 'edited'))], 2)
    expect(JSON.stringify(before)).toBe(text)
  })
})

describe('room in the ledger', () => {
  const many = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) =>
      row(
        from + index,
        'tool',
        ...Array.from({ length: 100 }, (__, at) => fact('id', `i${from + index}-${at}`)),
      ),
    )

  it('is made by what is least salient, the same each time', () => {
    const rows = [row(0, 'user', fact('file', 'kept.ts', 'attached')), ...many(1, 75)]
    const once = folded(...rows)
    expect(once.length).toBeGreaterThan(2_300)
    expect(once.length).toBeLessThanOrEqual(3_100)
    expect(once.map(({ key }) => key)).toContain('kept.ts')
    expect(once.map(({ key }) => key)).toContain('i74-99')
    expect(once.map(({ key }) => key)).not.toContain('i1-0')
    expect(JSON.stringify(folded(...rows))).toBe(JSON.stringify(once))
  })

  it('is made alike wherever the fold was interrupted', () => {
    const rows = many(0, 130)
    const whole = JSON.stringify(foldLedger(emptyLedger, rows, 130))
    for (const at of [1, 59, 60, 61, 100]) {
      const known = JSON.parse(JSON.stringify(foldLedger(emptyLedger, rows.slice(0, at), at)))
      expect(JSON.stringify(foldLedger(known, rows.slice(at), 130))).toBe(whole)
    }
  })
})

describe('names that every object has', () => {
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    '%s is one like any',
    (name) => {
      const rows = [0, 1].map((seq) => row(seq, 'tool', fact('file', name, name)))
      const entry = only(...rows)
      expect(Object.entries(entry.counts)).toEqual([[name, 2]])
      expect(entry).toMatchObject({ key: name, label: name, value: name })
      expect(({} as Record<string, unknown>)['read']).toBeUndefined()
      const known = JSON.parse(JSON.stringify({ to: 2, entries: [entry] }))
      const [more] = foldLedger(known, [row(2, 'tool', fact('file', name, name))], 3).entries
      expect(Object.entries(more?.counts ?? {})).toEqual([[name, 3]])
    },
  )
})

describe('a step of a plan', () => {
  it('keeps its text when a later call names it by its id', () => {
    const added = fact('plan', 'Add a test', 'open', 'step 1')
    const done = fact('plan', 'step 1', 'done', 'step 1')
    const entry = only(row(0, 'tool', added), row(2, 'tool', done))
    expect(entry).toMatchObject({ label: 'Add a test', value: 'done', lastSeq: 2 })
    expect(only(row(0, 'tool', done))).toMatchObject({ label: 'step 1', value: 'done' })
  })
})
