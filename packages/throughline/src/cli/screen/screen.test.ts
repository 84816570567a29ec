import { describe, expect, it } from 'vitest'
import type { Budget, Decision } from '../../index.ts'
import { parseMessages } from '../../toolkit/index.ts'
import { testWorld } from '../world.test-support.ts'
import type { Output } from '../world.ts'
import { causeText, plannedText } from './context-lines.ts'
import { labelled, meter } from './labelled.ts'
import { recalledMessages, searchedWords } from './message-lines.ts'
import { ago, bytes, counted, duration, grouped, momentOf, percent } from './numbers.ts'
import { progressBar } from './progress.ts'
import { drawTable } from './table.ts'

function screen(changed: Partial<Output> = {}): Output {
  return {
    ...{
      redraws: changed.isTerminal ?? false,
      isTerminal: false,
      width: 40,
      height: 24,
      colours: false,
      unicode: true,
      ...changed,
    },
    write: async () => {},
  }
}

describe('the screen kit', () => {
  it('draws a table within the width of a terminal, numbers to the right', () => {
    const columns = [
      { title: 'name' },
      { title: 'messages', align: 'right' },
      { title: 'title', shrinks: true },
    ] as const
    const rows = [
      ['one', '3', 'a title that is much too long for it'],
      ['three', '1,200', '柵'],
    ]
    expect(drawTable(columns, rows, screen({ isTerminal: true }))).toEqual([
      'name   messages  title',
      'one           3  a title that is much t…',
      'three     1,200  柵',
    ])
    expect(drawTable(columns, rows, screen({ isTerminal: true, unicode: false }))[1]).toMatch(
      /\.\.\.$/,
    )
  })

  it('shows the matching neighbour of a recalled message, and how to see the others', () => {
    const messages = parseMessages([
      { role: 'assistant', content: 'The lantern is green.' },
      { role: 'tool', content: [{ type: 'tool-result', callId: 'c', output: 'Done.' }] },
    ])
    const linesOf = (from: number) =>
      recalledMessages(
        ...[messages, { from, to: from + 1 }, searchedWords('lantern'), screen()],
        (range) => `expand ${range}`,
      )
    expect(linesOf(1).slice(1)).toEqual([
      '  The lantern is green.',
      '1 more message near it: expand 0-1',
    ])
    expect(linesOf(0).slice(1)).toEqual(['  The lantern is green.'])
  })

  it.each([
    ['tokenRatio', 4_400, '4,400 tokens; compaction starts above 4,380'],
    [
      'emergency',
      4_400,
      '4,400 tokens could exceed the limit of 5,840 at a provider that also counts JSON syntax',
    ],
    ['emergency', 6_000, '6,000 tokens do not fit 5,840'],
  ] as const)('says why a request would be compacted: %s at %i tokens', (reason, tokens, why) => {
    const decision = { kind: 'compact', reason, shadow: false } as const
    const budget = { availableTokens: 5_840, triggerTokens: 4_380 } as Budget
    expect(plannedText(decision, true, tokens, budget, 'on')).toBe(`would be compacted: ${why}`)
  })

  it.each([
    ['below', 4_000, 'on', '4,000 tokens are below the 4,380 where compaction starts'],
    ['first', null, 'on', 'it is below the 4,380 tokens where compaction starts'],
    ['first', 4_000, 'undone', 'auto-compaction is off since an undo'],
    ['below', 4_000, 'off', 'auto-compaction is off'],
    ['cooldown', 4_400, 'on', 'too soon after the last one'],
  ] as const)('says why a request is not compacted: %s at %s tokens, %s', (...cells) => {
    const [reason, tokens, compaction, why] = cells
    const decision = { kind: 'continue', reason, shadow: false } as const
    const budget = { availableTokens: 5_840, triggerTokens: 4_380 } as Budget
    const text = plannedText(decision, false, tokens, budget, compaction)
    expect(text).toBe(`would not be compacted: ${why}`)
  })

  it.each([
    ['trigger', 4_400, 'above the trigger'],
    ['overflow', 6_000, 'above the limit of 5,840'],
    [
      'overflow',
      4_400,
      'could exceed the limit of 5,840 at a provider that also counts JSON syntax',
    ],
  ])('says why a request was compacted: %s at %i tokens', (cause, tokensBefore, why) => {
    const decision = { figures: { availableTokens: 5_840 } } as Decision
    expect(causeText(cause, { tokensBefore, decision })).toBe(why)
  })

  it('uses colours only if enabled', () => {
    expect(meter(0.5, 4, screen())).toBe('██░░')
    expect(meter(0.001, 4, screen({ unicode: false }))).toBe('#...')
    expect(meter(2, 4, screen())).toBe('████')
    expect(meter(0.5, 4, screen({ colours: true }))).toContain('\u001b[32m')
  })

  it('aligns texts after their labels', () => {
    expect(
      labelled(
        [
          ['a', 'one two three four five six seven'],
          ['long', 'x'],
        ],
        screen(),
      ),
    ).toEqual(['  a     one two three four five six', '        seven', '  long  x'])
  })

  it('puts texts under their labels in a narrow terminal', () => {
    expect(labelled([['last request', 'two messages left out']], screen({ width: 20 }))).toEqual([
      '  last request',
      '    two messages',
      '    left out',
    ])
  })

  it('formats numbers for people', () => {
    expect([
      grouped(1234567),
      grouped(12),
      counted(1, 'message'),
      counted(2000, 'message'),
    ]).toEqual(['1,234,567', '12', '1 message', '2,000 messages'])
    expect([
      percent(0),
      percent(0.012),
      percent(0.5),
      bytes(999),
      bytes(1_500),
      bytes(2e9),
    ]).toEqual(['0 %', '1.2 %', '50 %', '999 B', '1.5 KB', '2.0 GB'])
    expect([duration(12), duration(2_400), duration(75_000), duration(7_260_000)]).toEqual([
      '12 ms',
      '2.4 s',
      '1 min 15 s',
      '2 h 1 min',
    ])
  })

  it('formats times for people', () => {
    const now = Date.UTC(2026, 0, 31, 12)
    expect(
      [0, 90_000, 7_200_000, 86_400_000, 5 * 86_400_000].map((ms) => ago(now - ms, now)),
    ).toEqual(['just now', '1 min ago', '2 h ago', 'yesterday', '5 days ago'])
    expect(ago(Date.UTC(2025, 0, 1), now)).toBe('2025-01-01')
    expect(ago(now + 10 * 86_400_000, now)).toBe('2026-02-10')
    expect(momentOf(1e300)).toBe('?')
  })

  it('shows a bar with rate and remaining time on a terminal, nothing elsewhere', () => {
    const drawn = (isTerminal: boolean) => {
      let [time, written] = [0, '']
      const stderr = {
        ...screen({ isTerminal, width: 80 }),
        write: async (text: string) => {
          written += text
        },
      }
      const world = { ...testWorld().world, stderr, now: () => time }
      const bar = progressBar({ label: 'reading', total: 1_000_000, unit: bytes }, world)
      for (let done = 0; done <= 500_000; done += 1_000) {
        bar.at(done)
        time += 4
      }
      bar.end()
      return written
    }
    expect(drawn(false)).toBe('')
    expect(drawn(true)).toContain(
      'reading ████████████░░░░░░░░░░░░ 500 KB of 1.0 MB · 250 KB/s · 2.0 s left',
    )
    expect(drawn(true).endsWith('\r\u001b[2K')).toBe(true)
  })
})
