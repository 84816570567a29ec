import { describe, expect, it } from 'vitest'
import type { Draft, Facets } from '../../domain/summary.ts'
import { tool } from './gate.test-support.ts'
import { isWithinEdits, maxRepairs, repairDraft } from './repair.ts'
import { indexSources } from './source-index.ts'

const hash = '8c41f7e09b2d'
const index = indexSources([
  tool(`Built ${hash} and msg_01XyZab9Qr, 44210987 in src/send/today.ts`),
])

function repaired(given: Partial<Draft>) {
  return repairDraft({ text: '', keyPoints: [], facets: null, ...given }, index)
}

const none: Facets = {
  participants: [],
  decisions: [],
  actionItems: [],
  unresolved: [],
  domainEntities: [],
  tone: null,
  userFacts: [],
  references: [],
}

describe('the repair of a draft', () => {
  it('returns a draft without invented values as it is', () => {
    const draft = { text: `Built ${hash}.  \n\n\n\nDone.`, keyPoints: ['Done.'], facets: none }
    const { draft: same, ...figures } = repairDraft(draft, index)
    expect(same).toBe(draft)
    expect(figures).toEqual({
      repairs: [],
      invented: [],
      valueCount: 0,
      lostShare: 0,
      remainingPieces: 2,
    })
  })

  it('measures the lost share in characters of text, key points and facets', () => {
    const lost = 'Kept as 0badc0ffee.'
    const rest = 'x'.repeat(lost.length)
    expect(repaired({ text: lost }).lostShare).toBe(1)
    expect(repaired({ text: rest, keyPoints: [lost] }).lostShare).toBe(1 / 2)
    expect(repaired({ text: lost, keyPoints: [rest, rest, rest] }).lostShare).toBe(1 / 4)
    const facets = { ...none, tone: rest, decisions: [rest], references: [lost] }
    expect(repaired({ text: rest, facets }).lostShare).toBe(1 / 4)
    expect(repaired({}).lostShare).toBe(0)
  })

  it('counts all exact values, and the pieces with words that remain', () => {
    const text = `Built ${hash}. Kept as 0badc0ffee. Done.\n---\n- Counted 44210987.`
    expect(repaired({ text })).toMatchObject({
      draft: { text: `Built ${hash}. Done.\n---\n- Counted 44210987.` },
      invented: ['0badc0ffee'],
      valueCount: 3,
      remainingPieces: 3,
    })
  })

  it('keeps a line break for a removed sentence, and none for a list item', () => {
    expect(repaired({ text: 'One.\nKept as 0badc0ffee.\nTwo.' }).draft.text).toBe('One.\n\nTwo.')
    for (const mark of ['- ', '  * ', '12. ', '3) '])
      expect(repaired({ text: `One.\n${mark}0badc0ffee.\nTwo.` }).draft.text).toBe('One.\nTwo.')
    const removed = 'One.\n\nKept as 0badc0ffee.\n\nTwo. Kept as 0badc0ffee.  \nThree.'
    expect(repaired({ text: removed }).draft.text).toBe('One.\n\nTwo.\nThree.')
  })

  it('removes items of facets, and a task with its owner and date', () => {
    const bad = 'Kept as 0badc0ffee.'
    const facets: Facets = {
      ...{ participants: [bad, 'Ann'], decisions: [bad, 'Keep it'], unresolved: [bad, 'Why?'] },
      ...{ domainEntities: [bad, hash], userFacts: [bad], references: [bad], tone: bad },
      actionItems: [
        { owner: 'Ann', task: bad, due: null },
        { owner: bad, task: 'Send it', due: bad },
        { owner: 'Ann', task: 'Read it', due: 'today' },
      ],
    }
    expect(repaired({ facets }).draft.facets).toEqual({
      ...{ participants: ['Ann'], decisions: ['Keep it'], unresolved: ['Why?'] },
      ...{ domainEntities: [hash], userFacts: [], references: [], tone: null },
      actionItems: [
        { owner: null, task: 'Send it', due: null },
        { owner: 'Ann', task: 'Read it', due: 'today' },
      ],
    })
  })

  it('replaces every value of a passage, or removes the passage', () => {
    const both = `Built 8c41f7e09b2e with msg_01XyZab9Qs.`
    expect(repaired({ text: both }).draft.text).toBe(`Built ${hash} with msg_01XyZab9Qr.`)
    const one = `One. Built 8c41f7e09b2e as 0badc0ffee.`
    expect(repaired({ text: one })).toMatchObject({
      draft: { text: 'One.' },
      repairs: [{ kind: 'passage-removed', values: ['8c41f7e09b2e', '0badc0ffee'] }],
    })
  })

  it.each([
    // Up to six characters are similar by chance, up to eleven allow one edit, others two.
    ['441098', '441099', false],
    ['4421098', '4421099', true],
    ['4421098', '4421088', true],
    ['4421098', '4421011', false],
    ['44210987654', '44210987611', false],
    ['442109876543', '442109876511', true],
    ['442109876543', '442109876111', false],
    ['44210987654321', '442109876543', true],
    ['442109876543210', '442109876543', false],
    ['442109876543', '44210987654321', true],
  ])('of sources with %s, takes %s for it: %s', (known, written, isNear) => {
    const { draft } = repairDraft(
      { text: `One. Counted ${written}.`, keyPoints: [], facets: null },
      indexSources([tool(`Counted ${known}.`)]),
    )
    expect(draft.text).toBe(isNear ? `One. Counted ${known}.` : 'One.')
  })

  it('searches a near value for so many invented values, and repeats none of them', () => {
    const known = Array.from({ length: maxRepairs + 1 }, (_, at) => `${at}4210987654${at}`)
    const wrong = known.map((value) => value.replace('42109', '42119'))
    const repeated = [...wrong, ...wrong].map((value) => `Counted ${value}.`).join(' ')
    const { repairs } = repairDraft(
      { text: repeated, keyPoints: [], facets: null },
      indexSources([tool(known.join(' '))]),
    )
    const kinds = repairs.map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'value-replaced')).toHaveLength(2 * maxRepairs)
    expect(kinds.filter((kind) => kind === 'passage-removed')).toHaveLength(2)
  })
})

describe('the number of edits between two values', () => {
  it.each([
    ['', '', 0],
    ['abcd', 'abcd', 0],
    // Another character at the start, in the middle and at the end.
    ['abcd', 'xbcd', 1],
    ['abcd', 'axcd', 1],
    ['abcd', 'abcx', 1],
    // A character more or less.
    ['', 'a', 1],
    ['abcd', 'bcd', 1],
    ['abcd', 'acd', 1],
    ['abcd', 'abc', 1],
    ['abcd', 'axcy', 2],
    ['abcdef', 'acdf', 2],
    ['abcdef', 'abcd', 2],
    ['abcdef', 'bcdefg', 2],
    ['abc', 'xc', 2],
    ['abcdef', 'adxf', 3],
    ['abcdef', 'xbcyez', 3],
  ])('is, from %j to %j and back, %i', (left, right, edits) => {
    for (const maxEdits of [0, 1, 2, 3]) {
      expect(isWithinEdits(left, right, maxEdits)).toBe(edits <= maxEdits)
      expect(isWithinEdits(right, left, maxEdits)).toBe(edits <= maxEdits)
    }
  })
})
