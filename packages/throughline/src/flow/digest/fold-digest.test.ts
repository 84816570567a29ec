import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RuleDigest } from '../../domain/view.ts'
import { type Builder, build } from '../../testing/build.ts'
import { digestText, foldDigest } from './digest-text.ts'
import { counters, dropped, meter } from './rule-digest.test-support.ts'

const options = { maxSummaryTokens: 500, preserveErrorDetails: true, meter }
const read = (path: string) => build().calls('read_file', { path }).result('x\ny')

function folded(updates: readonly Builder[], given = options): RuleDigest {
  let digest: RuleDigest | null = null
  for (const update of updates) digest = foldDigest(digest, dropped(update), given)
  if (digest === null) throw new Error('nothing was folded')
  return digest
}

function linesOf({ updates }: RuleDigest): readonly string[] {
  return updates.flatMap(({ lines }) => lines.map(({ text }) => text))
}

function counted({ condensed }: RuleDigest): number {
  return condensed.reduce((sum, { count }) => sum + count, 0)
}

describe('the fold of a rule digest', () => {
  it('S2-044, S2-064: begins with the lines and continues with numbered updates', () => {
    const digest = folded([read('a.ts'), read('b.ts')])
    expect(digest).toMatchObject({
      version: 2,
      items: 2,
      messages: 4,
      tokensUsed: 0,
      condensed: [],
    })
    expect(digestText(digest, 500, meter)).toBe(
      [
        '--- Summarized Context (2 items) ---',
        '[✓ read_file: File: a.ts | Lines: 2 | Type: typescript]',
        '',
        '[Update 2]',
        '[✓ read_file: File: b.ts | Lines: 2 | Type: typescript]',
      ].join('\n'),
    )
  })

  it('S2-045, X2-1: counts what there is no more room for, instead of keeping the latest', () => {
    const updates = Array.from({ length: 40 }, (_, at) => read(`src/file-${at}.ts`))
    const failing = build()
      .calls('bash', { command: 'npm test' })
      .result('Error: no', { isError: true })
    const digest = folded([build().user('Please port the parser.'), failing, ...updates], {
      ...options,
      maxSummaryTokens: 120,
    })
    expect(digestText(digest, 120, meter)).toMatchInlineSnapshot(`
      "--- Summarized Context (42 items) ---
      [Condensed history]
      [user ×1: Please port the parser.]
      [read_file ×37: src/file-36.ts | src/file-35.ts | src/file-34.ts]
      [bash ×1, 1 failed: npm test]

      [Update 40]
      [✓ read_file: File: src/file-37.ts | Lines: 2 | Type: typescript]

      [Update 41]
      [✓ read_file: File: src/file-38.ts | Lines: 2 | Type: typescript]

      [Update 42]
      [✓ read_file: File: src/file-39.ts | Lines: 2 | Type: typescript]"
    `)
  })

  it('keeps what a user asked for first, however much follows', () => {
    const asks = Array.from({ length: 60 }, (_, at) =>
      build().user(`Please fix part number ${at}.`),
    )
    const text = digestText(folded(asks), 200, meter)
    expect(text).toContain('First: Please fix part number 0.')
    expect(text).toContain('[user: Request: Please fix part number 59.]')
  })

  it('S2-057, XC-8: is left out under fifty tokens, and says nothing under the mark', () => {
    const digest = folded([read('a.ts')])
    expect(digestText(digest, 49, meter)).toBe('[Summary omitted - insufficient budget]')
    expect(digestText(digest, 9, meter)).toBe('')
  })

  it('S2-046: counts the update of nothing as one, and what a model had for it', () => {
    const before = folded([read('a.ts')])
    const digest = foldDigest(before, dropped([]), { ...options, tokensUsed: 70 })
    expect(digest).toMatchObject({ version: 2, items: 1, messages: 2, tokensUsed: 70 })
    expect(linesOf(digest)).toEqual(linesOf(before))
  })

  it('X2-5: shows the first line of an error if the option asks for it', () => {
    const failing = build()
      .calls('bash', { command: 'x' })
      .result('Error: a\nat b', { isError: true })
    expect(linesOf(folded([failing]))[0]).toContain('Error: Error: a at b')
    const short = folded([failing], { ...options, preserveErrorDetails: false })
    expect(linesOf(short)[0]).toMatch(/Error: Error: a\]$/)
  })

  it('is plain JSON, and does not grow: neither with updates nor with tools', () => {
    const sizes = [50, 400].map((count) => {
      const uses = Array.from({ length: count }, (_, at) =>
        build()
          .calls(`tool_${at}`, { path: `${'deep/'.repeat(60)}${at}` })
          .result('ok'),
      )
      const digest = folded(uses)
      expect(JSON.parse(JSON.stringify(digest))).toEqual(digest)
      expect(counted(digest) + linesOf(digest).length).toBe(count)
      return JSON.stringify(digest).length
    })
    expect(sizes[1]).toBeLessThan((sizes[0] ?? 0) + 100)
  })

  it('takes a first fold of thousands of messages at once', () => {
    const messages = Array.from({ length: 1_000 }, (_, at) => [...read(`${at}.ts`)]).flat()
    const digest = foldDigest(null, dropped(messages), options)
    // A thousand pairs share one call id here: each result belongs to the call before it.
    expect(digest).toMatchObject({ version: 1, items: 1_000, messages: 2_000 })
    expect(meter.text(digestText(digest, 500, meter))).toBeLessThanOrEqual(500)
    expect(linesOf(digest).at(-1)).toContain('File: 999.ts')
  })
})

const anyText = fc.string({ unit: 'grapheme', maxLength: 60 })
const anyUpdate = fc
  .array(
    fc.oneof(
      anyText.map((text) => (to: Builder) => to.user(text)),
      anyText.map((text) => (to: Builder) => to.says(text)),
      fc
        .tuple(fc.constantFrom('read', 'bash', 'grep', 'x y', 'b]'), anyText, anyText, fc.boolean())
        .map(
          ([name, path, output, isError]) =>
            (to: Builder) =>
              to.calls(name, { path, command: path }).result(output, { isError }),
        ),
    ),
    { maxLength: 8 },
  )
  .map((steps) => steps.reduce((conversation, step) => step(conversation), build()))

describe.each(Object.entries(counters))('any folds, counted in %s', (_, text) => {
  it('X2-2, S2-069: stay within any limit, count everything once, and show the newest', () => {
    fc.assert(
      fc.property(
        fc.array(anyUpdate, { minLength: 1, maxLength: 6 }),
        fc.nat(1_500),
        fc.nat(1_500),
        (updates, maxSummaryTokens, mostTokens) => {
          const counting = { ...options, maxSummaryTokens, meter: { text } }
          const all = folded(updates, { ...counting, maxSummaryTokens: 1e12 })
          const digest = folded(updates, counting)
          expect(digest.version).toBe(updates.length)
          expect(digest.items).toBe(linesOf(all).length)
          expect(counted(digest) + linesOf(digest).length).toBe(digest.items)
          const shown = digestText(digest, mostTokens, { text })
          expect(shown === '' || text(shown) <= mostTokens).toBe(true)
          // The newest lines, without a gap.
          const kept = linesOf(digest)
          expect(linesOf(all).slice(linesOf(all).length - kept.length)).toEqual(kept)
          const shownText = digestText(digest, maxSummaryTokens, { text })
          if (maxSummaryTokens >= 50) for (const line of kept) expect(shownText).toContain(line)
        },
      ),
      { numRuns: 25 },
    )
  })
})
