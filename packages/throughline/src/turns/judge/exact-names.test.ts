import { describe, expect, it } from 'vitest'
import { checkNames } from './exact-names.ts'
import { noSources, prepareSources } from './judge-text.ts'

const source =
  'Ada Lovelace moved 1,204 boxes to Shelf 7 in 2.5 hours, from 3 May on; the Crème Brûlée was designed by J. Müller-Lüdenscheid for ÖBB.'
const read = prepareSources({ ...noSources, assistant: source, counts: [11] })

/** The accepted sentence, or its unknown names. */
const checkSentence = (sentence: string) => {
  const outcome = checkNames(sentence, read)
  return outcome.kind === 'ok' ? outcome.text : outcome.names
}

describe('names in a sentence', () => {
  it.each([
    'Ada Lovelace moved boxes.',
    'User Ada Lovelace moved boxes for the Assistant.',
    'Moved boxes; Saved by Ada Lovelace',
    'The shelf of AI, with an ID and a URL, as I see it, A to A.',
    'All is by Müller-Lüdenscheid.',
    'A Design for boxes.',
    'Boxes of Shelf',
    'Der Umzug der Kisten wurde erledigt.',
    'Kisten mit Schildern für Ada Lovelace',
  ])('B0-2: are known: %s', (sentence) => {
    expect(checkSentence(sentence)).toBe(sentence)
  })

  it.each([
    ['Moved by ada LOVELACE.', 'Moved by ada LOVELACE.'],
    ['Moved by ADA LOVELACE.', 'Moved by Ada Lovelace.'],
    ['Moved by Ada  Lovelace and "creme brulee."', 'Moved by Ada  Lovelace and "Crème Brûlée."'],
    ['Made “Creme brulee” for Obb Or', ['Obb Or']],
    ['ada said "ADA LOVELACE" is "Ada Lovelace"', 'ada said "Ada Lovelace" is "Ada Lovelace"'],
    ['Moved by Muller Ludenscheid.', 'Moved by Müller-Lüdenscheid.'],
  ])('B0-2: %j gets the spelling of the source', (sentence, spelled) => {
    expect(checkSentence(sentence)).toEqual(spelled)
  })

  it.each([
    ['Moved by Grace Hopper.', ['Grace Hopper']],
    ['Moved by Ada Hopper.', ['Ada Hopper']],
    ['Moved by Hopper.', ['Hopper']],
    ['Moved by Hop and by X.', ['Hop', 'X']],
    ['Moved it: Grace did.', ['Grace']],
    ['Moved by J. Hopper', ['Hopper']],
    ['The Loving shelf', ['Loving']],
    ['The Boxi shelf', ['Boxi']],
    ['The Desi shelf', ['Desi']],
    ['Der Umzug ist toll, Hopper.', ['Umzug', 'Hopper']],
    ['Moved by "the queen" and `box_2`', ['the queen', 'box_2', '2']],
    ['Moved [names] and 《书》 and «une boîte»', ['names', '书', 'une boîte']],
  ])('S0-031 B0-2: are unknown in %j', (sentence, unknown) => {
    expect(checkSentence(sentence)).toEqual(expect.arrayContaining([...unknown]))
    expect(checkSentence(sentence)).toHaveLength(unknown.length)
  })
})

describe('numbers in a sentence', () => {
  it.each([
    'It took 2.5 or 2,5 hours for 1204 or 1,204 or 1.204 boxes.',
    'From 3-7 on, seven and three of them, and 11 or eleven.',
    'For one of them on ７ May.',
  ])('B0-2: are known: %s', (sentence) => {
    expect(checkSentence(sentence)).toBe(sentence)
  })

  it.each([
    ['It took 4 hours.', ['4']],
    ['It took 25 hours for 120 boxes.', ['25', '120']],
    ['It took 3-8 hours.', ['3-8']],
    ['It took 8-3 hours.', ['8-3']],
    ['On 3-7-3 it was done.', ['3-7-3']],
    ['Two and nine and zwölf boxes.', ['two', 'nine', 'zwölf']],
    ['Boxes: 三个 and 四条, but 三明治.', ['四']],
  ])('B0-2: are unknown in %j', (sentence, unknown) => {
    expect(checkSentence(sentence)).toEqual(unknown)
  })
})
