import { describe, expect, it } from 'vitest'
import { isAction } from './action-words.ts'
import { draftText, passageHashes, passageWords, piecesOf, segmentsOfText } from './draft-text.ts'

describe('the text of a draft', () => {
  const empty = { participants: [], decisions: [], actionItems: [], unresolved: [] }
  const others = { domainEntities: [], tone: null, userFacts: [], references: [] }

  it('contains key points and every facet, because all of them are shown', () => {
    const facets = {
      ...{ participants: ['Ada'], decisions: ['Ship.'], unresolved: ['When?'] },
      ...{ domainEntities: ['order 7'], tone: 'calm', userFacts: ['Left-handed.'] },
      references: ['a.ts'],
      actionItems: [
        { owner: 'Ada', task: 'Test it', due: 'Friday' },
        { owner: null, task: 'Pack it', due: null },
      ],
    }
    expect(draftText({ text: 'Done.', keyPoints: ['One.'], facets }).split('\n')).toEqual([
      ...[
        'Done.',
        '- One.',
        '- Ada',
        '- Ship.',
        '- When?',
        '- order 7',
        '- Left-handed.',
        '- a.ts',
      ],
      ...['- Ada', '- Test it', '- Friday', '- Pack it', 'calm'],
    ])
  })

  it('has no line for what is empty', () => {
    const facets = { ...empty, ...others }
    expect(draftText({ text: 'Done.', keyPoints: [], facets })).toBe('Done.')
    expect(draftText({ text: 'Done.', keyPoints: ['One.'], facets: null })).toBe('Done.\n- One.')
  })
})

describe('pieces of a text', () => {
  it('are sentences; items, code and headings stay whole', () => {
    const pieces = [
      ...['One. ', 'Two.\n', '- Three. Four.\n', '## Five. Six\n', '```\n', 'a. B. C.\n', '```\n'],
      ...['Seven! ', 'Eight.'],
    ]
    expect(piecesOf(pieces.join(''))).toEqual(pieces)
    const segments = ['One.', 'Two.', 'Three. Four.', '## Five. Six', '```', 'a. B. C.', '```']
    expect(segmentsOfText(`${pieces.join('')}\n\n`)).toEqual([...segments, 'Seven!', 'Eight.'])
  })
})

describe('hashes of passages', () => {
  const words = Array.from({ length: 8_007 }, (_, at) => `word${at}`)

  it('are those of about a quarter of the passages', () => {
    const hashes = [...passageHashes(words)]
    expect(hashes.length / 8_000).toBeCloseTo(0.25, 1.7)
    expect(new Set(hashes).size).toBe(hashes.length)
  })

  it('are the same wherever a passage is', () => {
    const [all, later] = [new Set(passageHashes(words)), [...passageHashes(words.slice(4_000))]]
    expect(later.every((hash) => all.has(hash))).toBe(true)
    expect([...passageHashes(words.slice(0, 7))]).toEqual([])
  })

  it('choose the same passages in every release, so that a draft is always judged alike', () => {
    const text =
      'worker asks the clock of the server and not that of the people who get its reminders, so they come at the wrong hour of the day and nobody reads'
    const hashes = [2868910560, 2810210056, 2164183844, 1735178568, 707922124, 3832239520]
    expect([...passageHashes(passageWords(text))]).toEqual([...hashes, 3773085736])
  })
})

describe('an action', () => {
  it('is something that was done, not explained', () => {
    expect(isAction('the recipes were saved')).toBe(true)
    expect(isAction('explained how the recipes were saved')).toBe(false)
    expect(isAction('the recipes are long')).toBe(false)
  })
})
