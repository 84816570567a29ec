import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exactValuesIn } from '../../extract/literals/exact-values.ts'
import { batch, hash, judged, opening, session, tool, whyNot } from './gate.test-support.ts'
import { isWithinEdits } from './repair.ts'
import { indexSources, unsupportedValues } from './source-index.ts'

const index = indexSources(session)
const invented = (text: string) => unsupportedValues(text, index).map(({ text: value }) => value)

describe('values in the sources', () => {
  it.each([
    hash,
    `**${hash.slice(0, 7)}**`,
    hash.slice(0, 12).toUpperCase(),
    `batch \`${batch}\``,
    batch.slice(0, 8),
    '1204331',
    '1,204,331',
    '1.204.331',
    '1\u202f204\u202f331',
    '1 204 331',
    "1'204'331 messages",
    '81.538461',
    '81.538',
    '81.5385',
    '[quiet-hours](src/quiet/quiet-hours.ts)',
    '`src/quiet/quiet-hours.ts:12:3`',
    '/home/dev/reminders/src/quiet/quiet-hours.ts',
    './src/quiet/quiet-hours',
    'quiet/quiet-hours.ts',
    'C:\\logs\\send\\today.txt',
    'logs/send/today.txt',
    'REM-4821',
    'parser@4.17.21',
    'v4.17.21',
    'msg_01XyZab9Qr',
  ])('are known as %s', (written) => {
    expect(invented(`It is ${written}.`)).toEqual([])
  })

  it.each([
    'SHA-256 and UTF-8',
    'ES2022',
    'base64url',
    'read/write/execute',
    'and/or',
    'x86_64',
    '3/4 of it',
    'utf8mb4',
    'e2e and i18n',
    '24/7',
    'STEP-12',
    'quiet-hours.ts, L197-214 and L1090',
    'the zone (server/recipient/clock)',
    '`server/recipient/clock`',
  ])('are not looked for in %s', (words) => {
    expect(invented(`It is ${words}.`)).toEqual([])
  })

  it('are known if a source has them in words, or with a letter for the zeros', () => {
    const madeUp = (text: string, sourceText: string) =>
      unsupportedValues(text, indexSources([tool(sourceText)])).map(({ text: value }) => value)
    expect(madeUp('It costs 140,000.', 'a hundred and forty thousand')).toEqual([])
    expect(madeUp('It costs 140,000.', 'about 140k, or 140K')).toEqual([])
    expect(madeUp('It costs 140,000.', 'about 150k')).toEqual(['140000'])
    expect(madeUp('It costs 141,200.', 'a hundred and forty thousand')).toEqual(['141200'])
  })

  it('are known though two groups of them have no digit', () => {
    const known = indexSources([tool('run 8a1b0c20-cfda-febe-e0be-e4f72bf504de is done')])
    const madeUp = (text: string) => unsupportedValues(text, known)
    expect(madeUp('It was run 8a1b0c20-cfda-febe-e0be-e4f72bf504de.')).toEqual([])
    expect(madeUp('It was run 8a1b0c20-cfda-fabe-e0be-e4f72bf504de.')).toHaveLength(1)
    expect(madeUp('It was run 8a1b0c20-cfdb-febe-e0be-e4f72bf504de.')).toHaveLength(1)
  })
})

describe('values in no source', () => {
  it.each([
    ['9c41f7e', '9c41f7e'],
    [`${batch.slice(0, -1)}0`, `${batch.slice(0, -1)}0`],
    ['1,204,332', '1204332'],
    ['12043', '12043'],
    ['82.53846', '82.53846'],
    ['src/quiet/other-hours.ts', 'src/quiet/other-hours.ts'],
    ['/home/dev/quiet-hours.ts/src/quiet', '/home/dev/quiet-hours.ts/src/quiet'],
    ['https://docs.example/a1b2', '//docs.example/a1b2'],
    ['REM-4822', 'REM-4822'],
    ['4.17.22', '4.17.22'],
    ['msg_01XyZab9Qs', 'msg_01XyZab9Qs'],
    ['TS2345', 'TS2345'],
    ['someone@mail.example', 'someone@mail.example'],
  ])('are found: %s', (written, value) => {
    expect(invented(`It is ${written}.`)).toEqual([value])
  })
})

describe('a made-up value', () => {
  it('becomes the one value that it was meant to be', () => {
    const wrong = `${hash.slice(0, 10)}0${hash.slice(11)}`
    const outcome = judged(`${opening} Committed as ${wrong}.`)
    expect(outcome).toMatchObject({
      kind: 'passed',
      draft: { text: `${opening} Committed as ${hash}.` },
      repairs: [{ kind: 'value-replaced', from: wrong, to: hash }],
    })
  })

  it('becomes nothing where two are as near', () => {
    const sources = [...session, tool('7700011 7700012')]
    const outcome = judged(`${opening}\n\nCounted 7700013.`, { sources })
    expect(outcome).toMatchObject({
      kind: 'passed',
      repairs: [{ kind: 'passage-removed', values: ['7700013'] }],
    })
  })

  it('does not make one numbered file of another', () => {
    const sources = [...session, tool('src/quiet/step-1.ts')]
    const outcome = judged(`${opening}\n- Wrote src/quiet/step-2.ts.`, { sources })
    expect(outcome).toMatchObject({ kind: 'passed', repairs: [{ kind: 'passage-removed' }] })
  })

  it('goes with its sentence, and the rest stays as it is', () => {
    const more = 'The schedule table could be migrated to UTC, which the assistant only proposed.'
    const outcome = judged(`${opening} Seen in src/quiet/late.ts.\n\n${more}`)
    expect(outcome).toMatchObject({ kind: 'passed', draft: { text: `${opening}\n\n${more}` } })
  })

  it('goes alone, though a short draft loses a third with it', () => {
    const three = `${opening} The table could be migrated to UTC, which was only proposed. Seen as 0badc0ffee.`
    expect(judged(three)).toMatchObject({ repairs: [{ values: ['0badc0ffee'] }] })
  })

  it('is refused where more than a little would be lost', () => {
    expect(
      whyNot('The worker uses the zone of the recipient now, as src/quiet/late.ts says.'),
    ).toEqual(['invented-values'])
  })
})

describe('a draft that passes', () => {
  const pieces = fc.constantFrom(
    opening,
    `Committed as ${hash.slice(0, 9)}.`,
    'Seen in src/quiet/late.ts.',
    '- Batch 77 120 331 sent',
    '331 messages',
    '1 204',
    'Kept as 0badc0ffee.',
    'https://docs.example/a1b2',
  )
  const joints = fc.constantFrom(' ', '\n', '\n\n', '. ', '/', '')

  it('contains no invented value after any repair', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(pieces, joints), { maxLength: 8 }), (parts) => {
        const outcome = judged(`${opening} ${opening}\n${parts.flat().join('')}`)
        if (outcome.kind === 'passed') expect(invented(outcome.draft.text)).toEqual([])
      }),
      { numRuns: 200 },
    )
  })
})

describe('any one character of a value', () => {
  const hex = fc.constantFrom(...'0123456789abcdef')
  it('that is wrong does not come through', () => {
    fc.assert(
      fc.property(fc.nat(hash.length - 1), hex, (at, letter) => {
        fc.pre(hash[at] !== letter)
        const wrong = hash.slice(0, at) + letter + hash.slice(at + 1)
        const outcome = judged(`${opening} Committed as ${wrong}.`)
        expect(outcome.kind === 'passed' && outcome.draft.text.includes(wrong)).toBe(false)
      }),
      { numRuns: 60 },
    )
  })

  it('is within one of it, and of nothing that is two away', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 12 }), fc.nat(), (text, place) => {
        const at = place % text.length
        const other = `${text.slice(0, at)}\u0001${text.slice(at + 1)}`
        expect(isWithinEdits(text, other, 1)).toBe(true)
        expect(isWithinEdits(text, `${other}\u0002`, 1)).toBe(false)
        expect(isWithinEdits(text, `${other}\u0002`, 2)).toBe(true)
      }),
    )
  })

  it('a text that is a source itself has nothing made up in it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[A-Za-z0-9./_-]{1,24}$/), { maxLength: 20 }),
        (words) => {
          const text = words.join(' ')
          expect(unsupportedValues(text, indexSources([tool(text)]))).toEqual([])
          for (const { text: value, at } of exactValuesIn(text))
            expect(text.startsWith(value[0] ?? '', at)).toBe(true)
        },
      ),
      { numRuns: 300 },
    )
  })
})
