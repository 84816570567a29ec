import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorMs } from '../processor-time.test-support.ts'
import { logFigure, trialSizes } from '../trial-sizes.test-support.ts'
import { literalsInProse } from './prose-literals.ts'

/** Any code units, halves of characters included. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
  .map((units) => String.fromCharCode(...units))

describe('literalsInProse', () => {
  it.each([
    ['see src/a.ts:12:3 now', 'path src/a.ts 12'],
    ['in package.json:4.', 'file package.json 4'],
    [
      'open ./b/c.tsx, C:\\Users\\ada\\x.txt or /etc/hosts.',
      'path ./b/c.tsx',
      'path C:\\Users\\ada\\x.txt',
      'path /etc/hosts',
    ],
    ['read README.md and .gitignore', 'file README.md', 'file .gitignore'],
    [
      'use fooBar, FooBar, foo_bar and MAX_SIZE',
      'symbol fooBar',
      'symbol FooBar',
      'symbol foo_bar',
      'symbol MAX_SIZE',
    ],
    ['call a.b.c() or Class::method', 'symbol a.b.c()', 'symbol Class::method'],
    ['a well-known gpt-4o-mini and `well-known`', 'symbol gpt-4o-mini', 'quoted well-known'],
    ['at commit a1b2c3d4', 'hash a1b2c3d4'],
    ['user 550e8400-e29b-41d4-a716-446655440000', 'uuid 550e8400-e29b-41d4-a716-446655440000'],
    [
      'fix ABC-123, #412, PR 17 and order_82hj2',
      'id ABC-123',
      'id #412',
      'id PR 17',
      'id order_82hj2',
    ],
    ['see owner/repo#12', 'id owner/repo#12'],
    ['on port 8080 with 12 rows', 'number 8080'],
    ['from v1.2.3 to 2.0.0-rc.1', 'version v1.2.3', 'version 2.0.0-rc.1'],
    ['on 2026-03-12T10:00:00Z or 2026-03-12', 'date 2026-03-12T10:00:00Z', 'date 2026-03-12'],
    [
      'by 12 March 2026, 3/14/2026 or March 14, 2026',
      'date 12 March 2026',
      'date 3/14/2026',
      'date March 14, 2026',
    ],
    ['at 14:30 or 2:30 pm', 'time 14:30', 'time 2:30 pm'],
    ['for $1,299.00 or €20', 'amount $1,299.00', 'amount €20'],
    ['with 1.5 GB, 12 % and 15%', 'amount 1.5 GB', 'amount 12 %', 'amount 15%'],
    ['at https://example.com/a/b?c=d#e.', 'url https://example.com/a/b?c=d#e'],
    ['on db.example.com:5432 and 10.0.0.1', 'host db.example.com:5432', 'host 10.0.0.1'],
    ['to ada@example.org', 'email ada@example.org'],
    ['call it "Project Falcon" today', 'quoted Project Falcon'],
    ['we met Ada Lovelace in New York. The end', 'name Ada Lovelace', 'name New York'],
  ])('finds what is named in: %s', (text, ...expected) => {
    expect(literals(text)).toEqual(expected)
  })

  it('finds nothing in a plain sentence', () => {
    expect(
      literals('The plan changed and/or it did not, e.g. because of 1/2 of it. We wait.'),
    ).toEqual([])
  })

  it('prefers a specific form to the quotes around it', () => {
    expect(literals('write "src/a.ts" there')).toEqual(['path src/a.ts'])
    expect(literals('{"name":"worker","path":"/a/b.json"}')).toEqual([
      'quoted worker',
      'path /a/b.json',
    ])
  })

  it('reads names in any letters', () => {
    expect(literals('setze größe_max für Zoë Müller')).toEqual([
      'symbol größe_max',
      'name Zoë Müller',
    ])
    expect(literals('请看src/设计.md文件，版本v2.1.0')).toEqual([
      'path src/设计.md',
      'version v2.1.0',
    ])
    expect(literals('会議は2026年3月12日です')).toEqual(['date 2026年3月12日'])
  })

  it('has positions in order and without overlaps', () => {
    const pieces = fc.oneof(
      anyText,
      fc.constantFrom(...' \n.,:;/\\-_"\'`()[]{}@#$%€中é🎉'),
      fc.constantFrom(
        'src/a.ts:12',
        'fooBar',
        'Ada Lovelace',
        '12 March 2026',
        '$1,299.00',
        'v1.2.3',
      ),
      fc.constantFrom(
        'https://a.example/b',
        '"quoted name"',
        'ABC-123',
        '#412',
        '14:30',
        'a.b()',
        '设计',
      ),
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
        const text = parts.join('')
        const found = literalsInProse(text)
        let end = 0
        for (const { text: named, at } of found) {
          expect(text.slice(at, at + named.length)).toBe(named)
          expect(at).toBeGreaterThanOrEqual(end)
          end = at + named.length
        }
        expect(literalsInProse(text)).toEqual(found)
      }),
      { numRuns: trialSizes.randomRuns },
    )
  })

  it('takes time in proportion to the text, whatever it is', { timeout: 120_000 }, () => {
    const units = [
      ...'aA0.-/\\:_"\'`@#$%=& \n(é中“«',
      ...[
        'a ',
        'A ',
        'Ab ',
        'a.',
        'a/',
        'a-',
        'a_',
        'a:',
        '::',
        'a@',
        '1,',
        '1.',
        '1:',
        '1 ',
        '1-',
      ],
      ...['a()', 'a.b', '"a', '"a b" ', '/a.b-c_d:e', '0123456789abcdef', 'http://', 'v1.', '1 M'],
      ...['Mar ', 'A1', 'A1 ', 'a1_', '[[', '{"a":', '中a', '#1', '$1', 'sha1:', '\ud83d'],
    ]
    const grown = units.map((unit) => ({ unit, ratio: growthOf(unit) }))
    const most = Math.max(...grown.map(({ ratio }) => ratio))
    logFigure(`literalsInProse: a character takes at most ${most.toFixed(1)} × as long`)
    expect(grown.filter(({ ratio }) => ratio > 3)).toEqual([])
  })
})

/** How much longer each character takes in a text than in an eighth of it. */
function growthOf(unit: string): number {
  const long = trialSizes.hostileCharacters
  const [short, whole] = [long / 8, long].map((size) => {
    const text = unit.repeat(Math.ceil(size / unit.length))
    // A few milliseconds are the noise of any machine.
    return (processorMs(() => literalsInProse(text), 0, 2) + 4) / size
  })
  return (whole ?? 0) / (short ?? 1)
}

function literals(text: string): readonly string[] {
  return literalsInProse(text).map(({ kind, text: named, line }) =>
    line === null ? `${kind} ${named}` : `${kind} ${named} ${line}`,
  )
}
