import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  blocksOf,
  type Given,
  meter,
  renderMemory,
  tokensOf,
  words,
} from './memory-blocks.test-support.ts'
import { historyOf, proposed, savedEntity, stepRecord } from './turn-records.test-support.ts'

describe('a turn memory with little room', () => {
  const much: Given = {
    changes: () => ({ user: words(400) }),
    knows: {
      theme: { text: 'Soups for a week', by: 'm', turn: 5 },
      history: historyOf(2),
      pending: proposed(),
      entities: [savedEntity('a')],
    },
    steps: [stepRecord(5, 1, { result: words(900) }), stepRecord(5, 0)],
  }

  it('A-015: has at most 8,000 tokens condensed and 25,000 in full', () => {
    const history = historyOf(1_000).map((line) => ({ ...line, text: words(100) }))
    const huge: Given = { ...much, turns: 1_003, knows: { ...much.knows, history } }
    const condensed = renderMemory('condensed', huge)
    expect(tokensOf(condensed)).toBeLessThanOrEqual(8_000)
    expect(tokensOf(condensed)).toBeGreaterThan(7_500)
    expect(condensed.omitted[0]).toMatchObject({ span: null, why: 'over-share' })
    const full = renderMemory('full', huge)
    expect(tokensOf(full)).toBeLessThanOrEqual(25_000)
    expect(tokensOf(full)).toBeGreaterThan(24_000)
  })

  it('A-015: drops steps, history, older turns and entities in this order; theme, pending and newest turn last', () => {
    const kept = (tokens: number) => {
      const memory = renderMemory('full', { ...much, tokens })
      const turns = blocksOf(memory, 'turns').map((block) => /^turn \d/.exec(block)?.[0])
      return [...new Set([...memory.messages.map(({ slot }) => slot), ...turns])].join(' ')
    }
    const seen = Array.from({ length: 126 }, (_, index) => kept(2_000 - index * 16))
    expect([...new Set(seen)]).toEqual([
      'theme pending turns entities history steps turn 3 turn 4 turn 5',
      'theme pending turns entities history turn 3 turn 4 turn 5',
      'theme pending turns entities turn 3 turn 4 turn 5',
      'theme pending turns entities turn 4 turn 5',
      'theme pending turns entities turn 5',
      'theme pending turns turn 5',
      'theme pending',
      'theme',
      '',
    ])
  })

  it.each(['condensed', 'full'] as const)(
    'A-015: %s, has entities in at most 30 % of its room, the most recent of all types, and counts the others',
    (reader) => {
      const entities = Array.from({ length: 2_000 }, (_, index) =>
        savedEntity(`id-${index}`, { type: `type-${index}`, turnLastRef: index }),
      )
      const rooms = reader === 'condensed' ? [400, 2_000, 8_000] : [400, 2_000, 25_000]
      for (const tokens of rooms) {
        const memory = renderMemory(reader, { knows: { entities }, tokens })
        const slot = memory.messages.find((message) => message.slot === 'entities')
        expect(slot && meter.message(slot)).toBeLessThanOrEqual(tokens * 0.3)
        expect(slot && meter.message(slot)).toBeGreaterThan(tokens * 0.2)
        const lines = blocksOf(memory, 'entities')[0]?.split('\n') ?? []
        const shown = lines.length - 1
        expect(lines[0]).toContain('| type-1999 id-1999')
        expect(lines[shown - 1]).toContain(`type-${2_000 - shown} `)
        expect(lines.at(-1)).toBe(`… ${2_000 - shown} more: ${shown} of 2000 are shown`)
        expect(blocksOf(memory, 'turns').join()).toContain('Answer 5.')
        expect(memory.omitted[0]).toMatchObject({ span: null, why: 'over-share' })
      }
    },
  )

  it('A-015: names five pending entities of a decision, and counts the others', () => {
    const entities = Array.from({ length: 50 }, (_, index) =>
      savedEntity(`gen_${index}`, { state: 'pending', source: 'generate' }),
    )
    const pending = proposed({ entityIds: entities.map(({ id }) => id) })
    const memory = renderMemory('full', { knows: { entities, pending }, tokens: 500 })
    const [block = ''] = blocksOf(memory, 'pending')
    expect(block.match(/waits with it: recipe/g)).toHaveLength(5)
    expect(block.endsWith('\nwaits with it: … 45 more')).toBe(true)
    expect(blocksOf(memory, 'turns').join()).toContain('Answer 5.')
  })

  it('cuts a long text to leave room for others, and reports omissions', () => {
    const memory = renderMemory('full', { ...much, tokens: 1_400 })
    const [text = ''] = blocksOf(memory, 'turns').slice(-2)
    expect(text).toContain(words(400))
    const [cut = ''] = blocksOf(memory, 'turns')
    expect(cut).toMatch(/turn 3.*characters left out/s)
    expect(memory.omitted.length).toBeGreaterThan(0)
    for (const { span, why } of memory.omitted) expect([span, why]).toEqual([null, 'over-share'])
  })

  it('gives a long text at most half of its room', () => {
    const changes = (turn: number) => (turn === 5 ? { user: words(90_000) } : {})
    const memory = renderMemory('full', {
      changes,
      knows: { history: historyOf(2) },
      tokens: 4_000,
    })
    const turns = memory.messages.find(({ slot }) => slot === 'turns')
    expect(turns && meter.message(turns)).toBeLessThan(2_600)
    expect(blocksOf(memory, 'turns')).toHaveLength(6)
    expect(blocksOf(memory, 'history')).toHaveLength(1)
  })

  it('keeps the newest history lines and the most recent entities', () => {
    const history = historyOf(60)
    const entities = Array.from({ length: 60 }, (_, index) =>
      savedEntity(`e${index}`, { type: `t${index}`, turnLastRef: index }),
    )
    const memory = renderMemory('full', {
      ...{ turns: 63, tokens: 500, slots: ['history', 'entities'] },
      knows: { history, entities: entities.slice(0, 40) },
    })
    const [lines = ''] = blocksOf(memory, 'history')
    expect(lines).toContain('turn 60: ')
    expect(lines).not.toContain('turn 1: ')
    const shown = lines.split('\n').length - 1
    expect(lines).toContain(`| … ${60 - shown} earlier: ${shown} of 60 are shown\nturn `)
    const [block = ''] = blocksOf(
      renderMemory('full', { tokens: 200, knows: { entities } }),
      'entities',
    )
    expect(block).toContain('e59')
    expect(block).not.toContain('e0 ')
  })

  it('shortens history lines before it leaves one out', () => {
    const history = historyOf(4).map((line) => ({ ...line, text: `Rule ${words(300)}` }))
    const linesIn = (tokens: number) => {
      const input = { turns: 7, tokens, slots: ['history'], knows: { history } } as const
      return blocksOf(renderMemory('full', input), 'history')[0]?.split('\n') ?? []
    }
    expect(linesIn(4_000).map((line) => line.endsWith('…'))).toEqual([false, false, false, false])
    const short = linesIn(260)
    expect(short).toHaveLength(4)
    for (const [index, line] of short.entries()) {
      expect(line).toContain(`turn ${index + 1}: Rule `)
      expect(line.endsWith('…')).toBe(true)
    }
  })

  it('drops more if the serialized request is too large', () => {
    const memory = renderMemory('full', { ...much, fits: ({ wire }) => wire <= 700 })
    expect(memory.size.wire).toBeLessThanOrEqual(700)
    expect(memory.messages.length).toBeGreaterThan(0)
    expect(renderMemory('full', { ...much, fits: () => false })).toMatchObject({
      messages: [],
      omitted: [{ why: 'over-share' }],
    })
  })

  it('fits its room for any content', () => {
    const text = fc.string({ maxLength: 4_000, unit: 'grapheme' })
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 12, maxLength: 12 }),
        fc.integer({ min: 0, max: 3_000 }),
        fc.constantFrom('condensed' as const, 'full' as const),
        ([theme, goal, proposal, line, name, user, answer, ...rest], tokens, reader) => {
          const memory = renderMemory(reader, {
            tokens,
            changes: () => ({ user: user ?? '', assistant: answer ?? '' }),
            knows: {
              theme: { text: theme ?? '', by: 'm', turn: 5 },
              history: [{ from: 1, to: 3, text: line ?? '', by: 'm' }],
              pending: proposed({ goal: goal ?? '', proposal: proposal ?? '', questions: rest }),
              entities: [savedEntity('a', { label: name ?? '' })],
            },
            steps: [stepRecord(5, 0, { result: rest })],
          })
          expect(tokensOf(memory)).toBeLessThanOrEqual(tokens)
          expect(memory.size.tokens).toBe(tokensOf(memory))
        },
      ),
      { numRuns: 60 },
    )
  })

  it('is fast for a result of many megabytes', () => {
    const result = 'abc '.repeat(2_000_000)
    const started = performance.now()
    const memory = renderMemory('full', { steps: [stepRecord(5, 0, { result })] })
    expect(performance.now() - started).toBeLessThan(1_000)
    expect(tokensOf(memory)).toBeLessThanOrEqual(25_000)
    expect(memory.omitted).toEqual([{ span: null, why: 'over-share', tokens: null }])
  })
})
