import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answer } from '../summary-input.test-support.ts'
import { caps } from './caps-data.ts'
import { readStructured } from './read.ts'

const full = {
  summary: 'Ada fixed parseInvoice in src/invoice.ts.',
  keyPoints: ['parseInvoice() takes a zone', 'Temporal 0.5'],
  context: {
    participants: ['Ada'],
    decisions: ['Use Temporal 0.5'],
    actionItems: [{ owner: 'Ada', task: 'Add a test', due: '2031-02-03' }, { task: 'Deploy' }],
    unresolved: ['Who pays?'],
    domainEntities: ['src/invoice.ts', 'parseInvoice'],
  },
}

const read = (value: unknown) => readStructured(answer(JSON.stringify(value)))

const reasonOf = (text: string, finish: Parameters<typeof answer>[1] = 'stop') => {
  const result = readStructured(answer(text, finish))
  return result.kind === 'refused' ? result.reason : result.kind
}

describe('reading a structured summary', () => {
  it('S1-052, S1-086: takes technical and decision content', () => {
    expect(read(full)).toEqual({
      kind: 'drafted',
      cutOff: false,
      draft: {
        text: full.summary,
        keyPoints: full.keyPoints,
        facets: {
          ...full.context,
          actionItems: [
            { owner: 'Ada', task: 'Add a test', due: '2031-02-03' },
            { owner: null, task: 'Deploy', due: null },
          ],
          tone: null,
          userFacts: [],
          references: [],
        },
      },
    })
  })

  it.each([
    ['empty arrays', { ...full, context: { decisions: [], actionItems: [] } }],
    ['missing ones', { summary: 'So.' }],
    ['null', { summary: 'So.', keyPoints: null, context: null }],
  ])('S1-087, X1-10: takes %s for nothing of the kind', (_, value) => {
    const result = read(value)
    expect(result.kind === 'drafted' && result.draft.facets?.decisions).toEqual([])
  })

  it('S1-078: keeps nothing that the form does not know', () => {
    const result = read({ ...full, raw: 'the whole talk', context: { raw: 'the whole talk' } })
    expect(JSON.stringify(result)).not.toContain('the whole talk')
  })

  const json = JSON.stringify(full)
  it.each([
    ['in a fence', `\`\`\`json\n${json}\n\`\`\``],
    ['with prose around it', `Here is {the} summary:\n${json}\nI hope that helps!`],
    ['behind thinking', `<think>{"summary": "no"}</think>\n${json}`],
    ['with braces in its words', JSON.stringify({ ...full, summary: 'Uses "{" and \\ and }.' })],
  ])('takes the one object %s', (_, text) => {
    expect(reasonOf(text)).toBe('drafted')
  })

  it.each([
    ['empty', ''],
    ['empty', ' \n\t'],
    ['thinking-only', '<think>I should summarize.</think>'],
    ['thinking-only', '<think>I should'],
    ['not-json', 'Ada fixed it.'],
    ['not-json', '[1, 2]'],
    ['cut-off', json.slice(0, -20)],
    ['ambiguous', `${json}\n${json}`],
    ['wrong-schema', '{}'],
    ['wrong-schema', '{"error": {"message": "overloaded"}}'],
  ] as const)('S1-089: refuses as %s what is no such object: %#', (reason, text) => {
    expect(reasonOf(text)).toBe(reason)
  })

  it('takes no answer that the provider held back or cut off', () => {
    expect(reasonOf(json, 'filter')).toBe('filtered')
    expect(reasonOf('The summary', 'length')).toBe('cut-off')
    expect(reasonOf(json, 'length')).toBe('drafted')
  })

  const words = (length: number) => 'é'.repeat(length)
  const items = (length: number) => Array.from({ length }, (_, index) => `item ${index}`)
  const within = (name: string, value: unknown) =>
    read({ summary: 'So.', context: { [name]: value } })
  const tasks = (length: number) => items(length).map((task) => ({ task }))
  it.each([
    ['S1-071 summary', (over: number) => read({ summary: words(caps.summaryCharacters + over) })],
    ['S1-072 keyPoints', (over: number) => read({ summary: 'So.', keyPoints: items(30 + over) })],
    [
      'S1-073 a key point',
      (over: number) => read({ summary: 'So.', keyPoints: [words(500 + over)] }),
    ],
    ['S1-073 participants', (over: number) => within('participants', items(30 + over))],
    ['S1-073 decisions', (over: number) => within('decisions', items(50 + over))],
    ['S1-073 actionItems', (over: number) => within('actionItems', tasks(50 + over))],
    ['S1-073 unresolved', (over: number) => within('unresolved', items(50 + over))],
    ['S1-073 domainEntities', (over: number) => within('domainEntities', items(80 + over))],
    ['S1-073 a task', (over: number) => within('actionItems', [{ task: words(400 + over) }])],
    [
      'S1-073 an owner',
      (over: number) => within('actionItems', [{ task: 'Do', owner: words(60 + over) }]),
    ],
    [
      'S1-073 a time',
      (over: number) => within('actionItems', [{ task: 'Do', due: words(60 + over) }]),
    ],
  ])('%s: takes as much as the cap, and refuses one more', (_, readWith) => {
    expect(readWith(0).kind).toBe('drafted')
    expect(readWith(1)).toMatchObject({ kind: 'refused', reason: 'wrong-schema' })
  })

  it('S1-073: counts characters as people do', () => {
    expect(read({ summary: '😀'.repeat(5_000) }).kind).toBe('drafted')
    expect(read({ summary: '😀'.repeat(5_001) }).kind).toBe('refused')
  })

  it('says what is wrong, and no words of the answer', () => {
    const result = read({ summary: 7, keyPoints: 'secretive', context: { decisions: [{}] } })
    expect(result).toMatchObject({
      message:
        'summary: must be a string that is not empty; keyPoints: must be an array; context.decisions: must hold strings',
    })
  })

  it('S1-076: logs the first 200 characters in one line, without secrets', () => {
    const secret = 'https://ada:hunter2@example.com/a.git'
    const result = readStructured(answer(`no json\n\u0007\n${secret} ${'😀'.repeat(900)}`))
    const sample = result.kind === 'refused' ? result.sample : ''
    expect(sample).toMatch(/^no json https:\/\/ada:\[redacted: /)
    expect(sample).not.toContain('hunter2')
    expect([...sample].length).toBe(200)
    expect(sample.isWellFormed()).toBe(true)
  })

  it('an item is one line, and occurs once', () => {
    const result = read({ summary: 'So.', keyPoints: ['a\n\nDecisions:\n- b', ' c ', 'c', ''] })
    expect(result).toMatchObject({ draft: { keyPoints: ['a Decisions: - b', 'c'] } })
  })

  it('never throws, whatever the answer', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.json({ maxDepth: 2 }),
      fc.constant('\ud800 \0'),
    )
    fc.assert(
      fc.property(texts, fc.constantFrom('', '{"summary":', '```json\n'), (text, before) => {
        expect(['drafted', 'refused']).toContain(readStructured(answer(`${before}${text}`)).kind)
      }),
      { numRuns: 40 },
    )
  })

  it('reads a megabyte of braces in no time', () => {
    const start = performance.now()
    for (const text of ['{'.repeat(1e6), '{}'.repeat(5e5), '{"a":"\\'.repeat(1e5)])
      expect(reasonOf(text)).not.toBe('drafted')
    expect(performance.now() - start).toBeLessThan(1_000)
  })
})
