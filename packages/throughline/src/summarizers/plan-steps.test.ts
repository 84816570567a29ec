import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MessageInput } from '../domain/message.ts'
import type { Draft } from '../domain/summary.ts'
import { estimator } from '../tokenizers/estimate.ts'
import { digest } from './digest/digest.ts'
import { running } from './running/running.ts'
import { structured } from './structured/structured.ts'
import { answer, meterOf, stepsOf, summaryInput, tokensOf } from './summary-input.test-support.ts'

const styles = {
  structured: structured({ transcriptTokens: null }),
  rows: running({ prompt: 'rows', chunkTokens: null }),
  resources: running({ prompt: 'resources', chunkTokens: null }),
  digest: digest({ prompt: null }),
} as const

const counters = {
  fours: (text: string) => Math.ceil(text.length / 4),
  bytes: (text: string) => new TextEncoder().encode(text).length,
  estimate: (text: string) => estimator.count(text),
} as const

const content = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc.lorem({ mode: 'sentences', maxCount: 60 }),
  fc.constantFrom('user: a\n'.repeat(800), '\n \n'.repeat(500), '数据'.repeat(700), ' '.repeat(50)),
)
const messages = fc.array(
  fc.record<MessageInput>({ role: fc.constantFrom('user', 'assistant'), content }),
  { minLength: 1, maxLength: 8 },
)

describe('requests to a summarizer', () => {
  const cases = Object.entries(styles).flatMap(([name, style]) =>
    Object.entries(counters).map(([by, count]) => [name, by, style, count] as const),
  )

  it.each(cases)(
    'S2-006, S2-007, U-012, invariant 11: of %s fit, counted in %s',
    (_, __, style, count) => {
      const meter = meterOf(count)
      fc.assert(
        fc.property(messages, fc.integer({ min: 600, max: 30_000 }), (given, inputTokens) => {
          const input = summaryInput(given, { inputTokens, meter, summaryTokens: 200 })
          const plan = style.plan(input)
          if (plan.kind !== 'planned') return
          let previous: Draft | null = null
          for (const step of plan.steps) {
            expect(tokensOf(step.request(previous), meter)).toBeLessThanOrEqual(inputTokens)
            previous = { text: 'The talk went on. '.repeat(999), keyPoints: [], facets: null }
          }
        }),
        { numRuns: 8 },
      )
    },
  )

  it.each(Object.entries(styles))('of %s cover all messages, in order', (_, style) => {
    const given = Array.from({ length: 40 }, (_each, index) => ({
      role: 'user' as const,
      content: `Message ${index}. ${'word '.repeat(index * 20)}`,
    }))
    const steps = stepsOf(
      style.plan(summaryInput(given, { inputTokens: 3_500, summaryTokens: 150 })),
    )
    expect(steps.length).toBeGreaterThan(1)
    expect(steps[0]?.covers.from).toBe(0)
    expect(steps.at(-1)?.covers.to).toBe(40)
    for (const [index, { covers }] of steps.entries()) {
      const next = steps[index + 1]?.covers.from ?? covers.to
      expect([covers.to, covers.to - 1]).toContain(next)
    }
  })

  it.each(Object.entries(styles))('of %s go on from each other, in order', (name, style) => {
    const given = Array.from({ length: 40 }, (_, index) => ({
      role: 'user' as const,
      content: `Message ${index}. ${'word '.repeat(180)}`,
    }))
    const steps = stepsOf(
      style.plan(summaryInput(given, { inputTokens: 3_500, summaryTokens: 150 })),
    )
    let previous: Draft | null = null
    for (const [index, step] of steps.entries()) {
      const [message] = step.request(previous).messages
      if (index > 0) expect(message?.content).toContain(`Told up to part ${index - 1}.`)
      const text = `Told up to part ${index}.`
      const reply = name === 'structured' ? JSON.stringify({ summary: text }) : text
      const read = step.read(answer(reply), previous)
      expect(read).toMatchObject({ kind: 'drafted', draft: { text } })
      previous = read.kind === 'drafted' ? read.draft : null
    }
    expect(steps.length).toBeGreaterThan(1)
  })

  it('X4-8, S1-097: one message larger than a request is summarized in parts, without loss', () => {
    const words = Array.from({ length: 9_000 }, (_, index) => `w${index}`).join(' ')
    const input = summaryInput([{ role: 'user', content: words }], { inputTokens: 4_000 })
    const steps = stepsOf(styles.rows.plan(input))
    const contents = steps.map((step) => step.request(null).messages[0]?.content ?? '')
    expect(contents[0]).toContain(`User (part 1 of ${steps.length}): w0 w1 `)
    for (const { covers } of steps) expect(covers).toEqual({ from: 0, to: 1 })
    const found = contents.flatMap((content) => content.match(/\bw\d+\b/g) ?? [])
    expect(found).toEqual(words.split(' '))
  })

  it('X4-4, X4-9: says so where there is no room for a conversation', () => {
    const input = summaryInput([{ role: 'user', content: 'Hello' }], { inputTokens: 300 })
    for (const style of Object.values(styles)) {
      const plan = style.plan(input)
      expect(plan).toMatchObject({ kind: 'no-room', inputTokens: 300 })
      expect(plan.kind === 'no-room' && plan.neededTokens).toBeGreaterThan(300)
    }
  })

  it('X1-7: the summary before is cut only where a model could not take it in at all', () => {
    const previous = { text: `Begin. ${'So it went. '.repeat(4_000)}`, keyPoints: [], facets: null }
    const given = [{ role: 'user' as const, content: 'And then?' }]
    for (const style of Object.values(styles)) {
      const input = summaryInput(given, { previous, inputTokens: 5_000 })
      const [first] = stepsOf(style.plan(input))
      const request = first?.request(previous)
      expect(request?.messages[0]?.content).toContain('Begin. So it went.')
      expect(request?.messages[0]?.content).toContain('And then?')
      expect(request && tokensOf(request, input.meter)).toBeLessThanOrEqual(5_000)
    }
  })

  it('X1-7: the summary before is never cut to make room', () => {
    const previous = {
      text: `Begin. ${'So it went. '.repeat(700)}The end.`,
      keyPoints: [],
      facets: null,
    }
    const given = Array.from({ length: 30 }, () => ({
      role: 'user' as const,
      content: 'word '.repeat(200),
    }))
    for (const style of Object.values(styles)) {
      const input = summaryInput(given, { previous, inputTokens: 5_000 })
      const [first] = stepsOf(style.plan(input))
      expect(first?.request(previous).messages[0]?.content).toContain(previous.text)
    }
  })
})
