import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampleSummary } from '../../derived/samples.test-support.ts'
import { emptyLedger, type Ledger, type MessageFacts } from '../../domain/ledger.ts'
import type { SummaryRecord } from '../../domain/summary.ts'
import type { SummaryStyle } from '../../ports/summary-style.ts'
import type { HistoryFacts } from './extract-facts.ts'
import { anyLedger, anyTrust, digestRow, entry } from './ledger.test-support.ts'
import { renderHistoryBlocks } from './render-blocks.ts'

function digested(rows: readonly MessageFacts[], ledger: Ledger): HistoryFacts {
  return {
    ledger,
    rows,
    redacted: 0,
    rowsBefore: async function* (before, trust) {
      yield* rows
        .filter((row) => row.seq < before && (trust === undefined || row.trust === trust))
        .toReversed()
    },
  }
}

/** Of every grain, and some that no tokenizer has. */
const counters = {
  characters: (text: string) => text.length,
  fours: (text: string) => Math.ceil(text.length / 4),
  bytes: (text: string) => new TextEncoder().encode(text).length,
  'nine for each character': (text: string) => text.length * 9,
  words: (text: string) => text.split(/\s+/).length,
  squares: (text: string) => text.length ** 2,
  'digits and the rest': (text: string) => text.length / 5 + text.replaceAll(/\D/g, '').length * 7,
  'always too many': () => 1_000_000,
}
const shown = { line: 1_000_000, keeps: [], stubs: [] }
const rows = Array.from({ length: 80 }, (_, seq) =>
  digestRow(seq, seq % 2 === 0 ? 'user' : 'tool', `message ${seq} says this and that`),
)
const ledger: Ledger = {
  to: 80,
  entries: Array.from({ length: 80 }, (_, seq) =>
    entry({ label: `src/${seq}.ts`, sources: [seq] }),
  ),
}

const style: SummaryStyle = {
  name: 'plain',
  version: 1,
  promptHash: 'p',
  tree: null,
  plan: () => ({ kind: 'nothing-to-summarize' }),
  render: ({ text }, { mostTokens, meter }) => meter.fit(text, mostTokens),
}
const writtenTo = (to: number, trust: SummaryRecord['trust'] = 'assistant') => ({
  record: sampleSummary({
    covers: { from: 0, to },
    text: 'A model wrote this. '.repeat(20),
    trust,
  }),
  style,
})

describe('a history block with a summary by a model', () => {
  const rendered = (line: number, to: number, userTextTokens: number, repeatsUserText = true) =>
    renderHistoryBlocks(
      digested(rows, emptyLedger),
      { line, keeps: [], stubs: [] },
      {
        limits: {
          userTextTokens,
          recentUserTextTokens: 0,
          repeatsUserText,
          summaryTokens: 400,
          ledgerTokens: 0,
          filesTokens: 0,
          userOpeningsTokens: 0,
          modelSummaryTokens: 400,
        },
        meter: { text: counters.fours },
        written: writtenTo(to),
      },
    )

  it('INV-1: continues with rules from its end to the line, without a gap', async () => {
    const history = await rendered(60, 50, 0)
    const text = history?.summary ?? ''
    expect(text).toMatch(/^A model wrote this\./)
    for (let seq = 51; seq < 60; seq += 2) expect(text).toContain(`message ${seq} says`)
    expect(text).not.toContain('message 49 says')
    expect(history?.written).toMatchObject({ id: 's1', to: 50, withoutTools: false })
  })

  it('has nothing of rules where it goes to the line, but for the words of users', async () => {
    expect((await rendered(50, 50, 0))?.summary).not.toContain('message')
    expect((await rendered(50, 50, 0))?.written?.withoutTools).toBe(true)
    const history = await rendered(50, 50, 2_000)
    expect(history?.summary).not.toContain('message')
    expect(history?.requests).toContain('#48: message 48 says')
    expect(history?.requests).toContain('#0: message 0 says')
    expect(history?.requests).not.toContain('message 47 says')
  })

  it('INV-6: never has more tokens than it may, whatever counts them', async () => {
    for (const text of Object.values(counters))
      for (const summaryTokens of [0, 30, 60, 300])
        for (const userTextTokens of [0, 80]) {
          const limits = {
            userTextTokens,
            recentUserTextTokens: 0,
            repeatsUserText: true,
            summaryTokens,
            ledgerTokens: 0,
            filesTokens: 0,
            userOpeningsTokens: 0,
            modelSummaryTokens: summaryTokens,
          }
          const options = { limits, meter: { text }, written: writtenTo(40) }
          const history = await renderHistoryBlocks(digested(rows, emptyLedger), shown, options)
          if ((history?.summary ?? '') === '') continue
          expect(text(history?.summary ?? '')).toBeLessThanOrEqual(summaryTokens + userTextTokens)
        }
  })
})

describe('the history block', () => {
  const anyRows = fc
    .array(fc.tuple(anyTrust, fc.string({ unit: 'grapheme', maxLength: 200, size: 'max' })), {
      maxLength: 40,
    })
    .map((all) => all.map(([by, text], seq) => digestRow(seq, by, text)))
  const anyTokens = fc.oneof(
    fc.integer({ min: -5, max: 60 }),
    fc.double({ min: 0, max: 900, noNaN: true }),
  )

  it.each(Object.entries(counters))('never has more tokens than it may: %s', async (_, text) => {
    await fc.assert(
      fc.asyncProperty(
        anyRows,
        anyLedger,
        fc.record({
          userTextTokens: anyTokens,
          recentUserTextTokens: fc.nat(400),
          repeatsUserText: fc.boolean(),
          summaryTokens: anyTokens,
          ledgerTokens: anyTokens,
          filesTokens: anyTokens,
          userOpeningsTokens: anyTokens,
          modelSummaryTokens: anyTokens,
        }),
        async (all, known, limits) => {
          const history = await renderHistoryBlocks(digested(all, known), shown, {
            limits,
            meter: { text },
          })
          if (history === null) return
          const userTextTokens = Math.max(0, limits.userTextTokens, limits.userOpeningsTokens)
          const summaryTokens = Math.max(0, limits.summaryTokens)
          if (history.summary !== '')
            expect(text(history.summary)).toBeLessThanOrEqual(summaryTokens)
          // User text may be in either block, and has its share once.
          const mostTokens = summaryTokens + userTextTokens + Math.max(0, limits.ledgerTokens)
          const rendered = [history.summary, history.ledger].map((each) =>
            each === '' ? 0 : text(each),
          )
          expect(rendered.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(mostTokens)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('has nothing in a section under 50 tokens', async () => {
    const meter = { text: counters.fours }
    const few = {
      userTextTokens: 49,
      recentUserTextTokens: 0,
      repeatsUserText: true,
      summaryTokens: 49,
      ledgerTokens: 49,
      filesTokens: 0,
      userOpeningsTokens: 0,
      modelSummaryTokens: 49,
    }
    expect(
      await renderHistoryBlocks(digested(rows, ledger), shown, { limits: few, meter }),
    ).toBeNull()
    const sections = {
      userTextTokens: 'requests',
      summaryTokens: 'summary',
      ledgerTokens: 'ledger',
    }
    for (const [limit, name] of Object.entries(sections)) {
      const limits = { ...few, [limit]: 50 }
      const history = await renderHistoryBlocks(digested(rows, ledger), shown, { limits, meter })
      const { requests = '', summary = '', ledger: listed = '' } = history ?? {}
      const texts = { requests, summary, ledger: listed }
      const filled = Object.entries(texts).flatMap(([section, text]) =>
        text === '' ? [] : section,
      )
      expect(filled).toEqual([name])
    }
  })

  it.each(['characters', 'fours', 'bytes', 'nine for each character', 'words'] as const)(
    'is not nothing where there is room: %s',
    async (name) => {
      const meter = { text: counters[name] }
      const limits = {
        userTextTokens: 600,
        recentUserTextTokens: 0,
        repeatsUserText: true,
        summaryTokens: 6_000,
        ledgerTokens: 1_200,
        filesTokens: 0,
        userOpeningsTokens: 0,
        modelSummaryTokens: 6_000,
      }
      const history = await renderHistoryBlocks(digested(rows, ledger), shown, { limits, meter })
      expect(history?.summary).toContain('#79')
      expect(history?.ledger).toContain('src/')
    },
  )

  it('gives the room of a digest with few lines to the ledger', async () => {
    const limits = {
      userTextTokens: 0,
      recentUserTextTokens: 0,
      repeatsUserText: true,
      summaryTokens: 100,
      ledgerTokens: 200,
      filesTokens: 0,
      userOpeningsTokens: 0,
      modelSummaryTokens: 100,
    }
    const meter = { text: counters.characters }
    const history = await renderHistoryBlocks(digested(rows, ledger), shown, { limits, meter })
    expect(history?.summary).toBe('')
    expect(history?.ledger.length).toBeGreaterThan(limits.ledgerTokens)
    const few = await renderHistoryBlocks(digested(rows, emptyLedger), shown, { limits, meter })
    expect(few?.summary).toContain('#79')
  })

  it('is null if there is nothing to describe', async () => {
    const limits = {
      userTextTokens: 500,
      recentUserTextTokens: 0,
      repeatsUserText: true,
      summaryTokens: 500,
      ledgerTokens: 500,
      filesTokens: 0,
      userOpeningsTokens: 0,
      modelSummaryTokens: 500,
    }
    const meter = { text: counters.fours }
    expect(
      await renderHistoryBlocks(digested([], emptyLedger), shown, { limits, meter }),
    ).toBeNull()
  })

  it('describes messages before the line that are not kept', async () => {
    const limits = {
      userTextTokens: 5_000,
      recentUserTextTokens: 0,
      repeatsUserText: true,
      summaryTokens: 5_000,
      ledgerTokens: 0,
      filesTokens: 0,
      userOpeningsTokens: 0,
      modelSummaryTokens: 5_000,
    }
    const history = await renderHistoryBlocks(
      digested(rows, ledger),
      { line: 10, keeps: [7, 8], stubs: [] },
      { limits, meter: { text: counters.fours } },
    )
    expect(history?.ledger).toBe('')
    expect(history?.summary).toContain('#9 ')
    for (const seq of [7, 8]) expect(history?.summary).not.toContain(`#${seq} `)
    expect(history?.summary).not.toContain('#10 ')
  })
})
