/** Any string is a term, and any part of a name finds it. */
import { same } from '../contract.ts'
import { indexUpTo, placesOf, samplePiece } from '../indexed-pieces.ts'
import { append, type StoreCase, tenantOf } from './case.ts'

/** Each a term of its own, however much some of them look alike. */
const terms: readonly string[] = [
  '',
  ' ',
  'a',
  'A',
  'a b',
  'a*',
  '"',
  '""',
  'a"b',
  'AND',
  'NOT a',
  'NEAR(a b)',
  'terms:a',
  '-a',
  '^a',
  '38.101',
  "'; DROP TABLE conversations; --",
  '\0',
  'a\0b',
  '\ud83d',
  '\ude00',
  '\ufffd',
  '\u{1f600}',
  'e\u0301',
  '\u00e9',
  'e',
  '\u0301',
  'ß',
  'ss',
  'ſ',
  'ı',
  'İ',
  'हिन्दी',
  'हि',
  'ไทย',
  '東京都',
  '東京',
  '東',
  '한국어',
  'ⅷ',
  '٤٢',
  '42',
  '\u{1e900}',
  '\u{1e922}',
  '\ue000a',
  '__proto__',
  'constructor',
  'x'.repeat(100_000),
  `${'x'.repeat(100_000)}y`,
]

const names: readonly string[] = [
  'src/auth/Login.ts',
  'ÄÖÜ-Größe',
  'ΟΔΟΣ',
  '東京都に行きました',
  'a\0b\ud83dc',
  '\u{1f600}\u{1f601}\u{1f602}',
  '100%_sure"quoted"',
  'two\nlines',
  `${'long'.repeat(30_000)}end`,
  'aab aba baa',
]

export const termCases: readonly StoreCase[] = [
  {
    name: 'takes any string for a term, and finds it where it stands and nowhere else',
    run: async ({ tl, store }) => {
      const tenant = tenantOf(store)
      await append(tl, 'c', terms.length + 1)
      const pieces = terms.map((term, seq) => samplePiece(seq, '', { terms: [term], length: 1 }))
      await indexUpTo(tenant, terms.length + 1, [
        ...pieces,
        samplePiece(terms.length, '', { terms: [...terms, ...terms], length: 1 }),
      ])
      const expected = terms.map((_, seq) => `${seq} ${terms.length}`)
      same(await placesOf(tenant, { terms }), expected, 'each term')
      const unknown = ['b', 'a  b', '東京都に', '\ud83d\ud83d', 'xy', '*', 'toString']
      same(
        await placesOf(tenant, { terms: unknown }),
        unknown.map(() => ''),
        'unknown terms',
      )
    },
  },
  {
    name: 'finds a name by any part of three characters or more, whatever the case',
    run: async ({ tl, store }) => {
      const tenant = tenantOf(store)
      await append(tl, 'c', names.length + 1)
      const pieces = names.map((name, seq) => samplePiece(seq, '', { names: [name], length: 1 }))
      const several = samplePiece(names.length, '', { names: ['first', 'second'], length: 1 })
      await indexUpTo(tenant, names.length + 1, [...pieces, several])
      const expected: Readonly<Record<string, string>> = {
        'src/auth/Login.ts': '0',
        'AUTH/LOG': '0',
        '.ts': '0',
        'src/auth/login.tsx': '',
        'log/auth': '',
        äöü: '1',
        ÖÜ: '',
        GRÖSSE: '',
        öße: '1',
        οδοσ: '2',
        Σοδ: '',
        京都に: '3',
        東京: '',
        '\ufffdb\ufffd': '4',
        '\u{1f600}\u{1f601}\u{1f602}': '5',
        '\u{1f600}\u{1f601}': '',
        '0%_': '6',
        '%%%': '',
        ___: '',
        '"quo': '6',
        two: '7',
        lines: '7',
        'o\nl': '',
        ['long'.repeat(30_000)]: '8',
        ['long'.repeat(30_001)]: '',
        gend: '8',
        'ab ': '9',
        aba: '9',
        abaa: '',
        rst: '10',
        tse: '',
        second: '10',
        '': '',
        '\0': '',
        '***': '',
      }
      const partsOfNames = Object.keys(expected)
      const found = (await placesOf(tenant, { partsOfNames })) ?? []
      const shown = (each: readonly string[]) =>
        partsOfNames.map((part, index) => `${part.slice(0, 20)} → ${each[index]}`)
      same(shown(found), shown(Object.values(expected)), 'places of parts')
    },
  },
  {
    name: 'tells terms from names, and answers terms first',
    run: async ({ tl, store }) => {
      const tenant = tenantOf(store)
      await append(tl, 'c', 2)
      await indexUpTo(tenant, 2, [
        samplePiece(0, 'abc'),
        samplePiece(1, '', { names: ['abc'], length: 1 }),
      ])
      const query = { terms: ['abc', 'x'], partsOfNames: ['abc', 'abcd'] }
      same(await placesOf(tenant, query), ['0', '', '1', ''], 'the places of each')
    },
  },
]
