/** Any string is a term, and any part of a name finds it. */
import { same } from '../contract.ts'
import { indexUpTo, placesOf, samplePiece } from '../indexed-pieces.ts'
import { append, type StoreCases } from './case.ts'
import { names, placesOfParts, terms } from './terms-data.ts'

export const termCases: StoreCases = {
  'takes any string for a term, and finds it where it stands and nowhere else': async ({
    tl,
    tenant,
  }) => {
    await append(tl, 'c', terms.length + 1)
    const pieces = terms.map((term, seq) => samplePiece(seq, '', { terms: [term], length: 1 }))
    await indexUpTo(tenant, terms.length + 1, [
      ...pieces,
      samplePiece(terms.length, '', { terms: [...terms, ...terms], length: 1 }),
    ])
    const expected = terms.map((_, seq) => `${seq} ${terms.length}`)
    same(await placesOf(tenant, { terms }), expected, 'each term')
    const unknown = ['b', 'a  b', '東京都に', '\ud83d\ud83d', 'xy', '*', 'toString']
    const places = (await placesOf(tenant, { terms: unknown })) ?? []
    same(places, new Array(unknown.length).fill(''), 'unknown terms')
  },
  'finds a name by any part of three characters or more, whatever the case': async ({
    tl,
    tenant,
  }) => {
    await append(tl, 'c', names.length + 1)
    const pieces = names.map((name, seq) => samplePiece(seq, '', { names: [name], length: 1 }))
    const several = samplePiece(names.length, '', { names: ['first', 'second'], length: 1 })
    await indexUpTo(tenant, names.length + 1, [...pieces, several])
    const partsOfNames = Object.keys(placesOfParts)
    const found = (await placesOf(tenant, { partsOfNames })) ?? []
    const shown = (each: readonly string[]) =>
      partsOfNames.map((part, index) => `${part.slice(0, 20)} → ${each[index]}`)
    same(shown(found), shown(Object.values(placesOfParts)), 'places of parts')
  },
  'tells terms from names, and answers terms first': async ({ tl, tenant }) => {
    await append(tl, 'c', 2)
    await indexUpTo(tenant, 2, [
      samplePiece(0, 'abc'),
      samplePiece(1, '', { names: ['abc'], length: 1 }),
    ])
    const query = { terms: ['abc', 'x'], partsOfNames: ['abc', 'abcd'] }
    same(await placesOf(tenant, query), ['0', '', '1', ''], 'the places of each')
  },
}
