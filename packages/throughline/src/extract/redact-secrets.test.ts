import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactSecrets, safeExcerpt } from './redact-secrets.ts'
import { cleanLines } from './secrets/clean-text.test-support.ts'
import {
  placedFormats,
  type SampleFormat,
  type SecretSample,
  samples,
  standaloneFormats,
  surroundings,
} from './secrets/secret-samples.test-support.ts'
import { logFigure, trialSizes } from './trial-sizes.test-support.ts'

const { secretsPerFormat: perFormat } = trialSizes

/** Any code units, halves of characters included. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
  .map((units) => String.fromCharCode(...units))

describe('redactSecrets', () => {
  it('removes secrets recognised by their form, in any text', { timeout: 120_000 }, () => {
    const around = (value: string, at: number) =>
      (surroundings[at % surroundings.length] ?? String)(value)
    expect(missedOf(standaloneFormats, ({ value }, at) => around(value, at))).toEqual([])
  })

  it('removes secrets recognised by their place', { timeout: 120_000 }, () => {
    const within = ({ text }: SecretSample) => `first line\n${text}\nlast line`
    expect(missedOf(placedFormats, within)).toEqual([])
  })

  it('knows well over thirty-five formats', () => {
    const kinds = new Set([...standaloneFormats, ...placedFormats].map(({ kind }) => kind))
    expect(kinds.size).toBeGreaterThan(60)
  })

  it('names the kind of each removed secret', () => {
    for (const format of [...standaloneFormats, ...placedFormats]) {
      const texts = samples(format, 20).map(({ text }) => redactSecrets(` ${text} `))
      const named = texts.filter(({ text }) => text.includes(`[redacted: ${format.kind}]`))
      expect([format.name, named.length]).toEqual([format.name, 20])
    }
  })

  it.each([
    ['REDISCLI_AUTH=', 'qyewifprx13#'],
    ['Cookie: theme=dark; sessionid=', 'W6Ttb0l6OvPsljRFilTK4iJBwYXYVEW2'],
    ['Bearer ', 'W6Ttb0l6OvPsljRFilTK4iJBwYXYVEW2'],
  ])('finds %s after a line break that JSON has escaped', (before, value) => {
    const text = JSON.stringify({ text: `a\n${before}${value} and more\n` })
    expect(redactSecrets(text).text).not.toContain(value)
  })

  it('finds the password in a list of arguments, however often JSON has escaped it', () => {
    const value = 'hueafani312#'
    let text = `a\n["sshpass", "-p", "${value}", "ssh", "host"]`
    for (let times = 0; times < 4; times += 1) {
      expect(redactSecrets(text).text, text).not.toContain(value)
      text = JSON.stringify(text)
    }
  })

  it('counts each kind', () => {
    const [one, other] = samples(formatOf('GitHub token'), 2).map(({ value }) => value)
    const [key] = samples(formatOf('Groq key'), 1).map(({ value }) => value)
    const { text, redacted } = redactSecrets(`${one} ${key} ${other}`)
    expect(text).toBe('[redacted: GitHub token] [redacted: Groq key] [redacted: GitHub token]')
    expect(redacted).toEqual([
      { kind: 'GitHub token', count: 2 },
      { kind: 'Groq key', count: 1 },
    ])
  })

  it('leaves clean text as it is', { timeout: 120_000 }, () => {
    const lines = cleanLines('clean', trialSizes.cleanCharacters)
    const changed = lines.filter((line) => redactSecrets(line).redacted.length > 0)
    expect(changed.slice(0, 20)).toEqual([])
    const whole = redactSecrets(lines.join('\n'))
    const taken = whole.redacted.reduce((sum, { count }) => sum + count, 0)
    logFigure(`redactSecrets: ${taken} taken out of ${lines.length} clean lines`)
    expect(taken / lines.length).toBeLessThanOrEqual(0.001)
  })

  it('changes nothing the second time', () => {
    const formats = [...standaloneFormats, ...placedFormats]
    const pieces = fc.oneof(
      fc.constantFrom(...formats.flatMap((format) => samples(format, 3).map(({ text }) => text))),
      fc.constantFrom(...cleanLines('pieces', 20_000)),
      fc.constantFrom(...['password=', '"', "'", ' ', '\n', ':', '@', '://a:', '[redacted: ', ']']),
      fc.constantFrom(
        ...['', '-', '.', ';', 'token: ', 'Bearer ', 'Cookie: a=', '\\n', '$&', 'ghp_'],
      ),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const once = redactSecrets(parts.join('')).text
        expect(redactSecrets(once)).toEqual({ text: once, redacted: [] })
      }),
      { numRuns: trialSizes.randomRuns },
    )
  })

  it('accepts any text, and treats replacement patterns as text', () => {
    fc.assert(fc.property(anyText, (text) => redactSecrets(text).text !== null))
    const inert = "$& $1 $` $' __proto__ constructor \ud83d \u0000"
    const [secret] = samples(formatOf('Groq key'), 1).map(({ value }) => value)
    expect(redactSecrets(`${inert}${secret}${inert}`).text).toBe(
      `${inert}[redacted: Groq key]${inert}`,
    )
    expect(redactSecrets('__proto__=__proto__').redacted).toEqual([])
  })
})

/** Formats of which more than one percent was missed. */
function missedOf(
  formats: readonly SampleFormat[],
  written: (sample: SecretSample, at: number) => string,
): readonly string[] {
  let found = 0
  const missed = formats.flatMap((format) => {
    const gone = samples(format, perFormat).filter((sample, at) =>
      isGone(redactSecrets(written(sample, at)).text, sample.value),
    )
    found += gone.length
    const isEnough = gone.length >= Math.floor(perFormat * 0.99)
    return isEnough ? [] : [`${format.name}: ${gone.length} of ${perFormat}`]
  })
  logFigure(`redactSecrets: ${found} of ${formats.length * perFormat} taken out`)
  return missed
}

function isGone(text: string, value: string): boolean {
  return text.includes('[redacted: ') && !text.includes(value) && !text.includes(value.slice(-10))
}

function formatOf(kind: string): SampleFormat {
  const format = standaloneFormats.find((known) => known.kind === kind)
  if (format === undefined) throw new Error(`No format of kind ${kind}`)
  return format
}

const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH'

it('is one line without control characters', () => {
  expect(safeExcerpt(' one\r\n\ttwo\u001B[2Jthree\u202Efour \u2028five ')).toBe(
    'one two [2Jthree four five',
  )
})

it('is at most 200 characters, and cuts no character in two', () => {
  for (const text of ['x'.repeat(201), `${'x'.repeat(198)}😀 and more`, '😀'.repeat(300)]) {
    const excerpt = safeExcerpt(text)
    expect(excerpt.length).toBeLessThanOrEqual(200)
    expect(excerpt.isWellFormed()).toBe(true)
    expect(excerpt.endsWith('…')).toBe(true)
  }
  expect(safeExcerpt('x'.repeat(200))).toBe('x'.repeat(200))
})

it('shows no part of a secret, at any position', () => {
  for (let before = 0; before < 260; before += 7)
    expect(safeExcerpt(`${'a '.repeat(before)}${key}`)).not.toMatch(/sk-p|abcdefgh/)
  // Redaction shortens the text, which must not reveal cut text.
  expect(safeExcerpt(`${`${key} `.repeat(75)}${key}`)).not.toMatch(/abcdefgh/)
})

it('shows the beginning of a long text that has no blanks', () => {
  expect(safeExcerpt('語'.repeat(9_000))).toBe(`${'語'.repeat(199)}…`)
  expect(safeExcerpt('_'.repeat(9_000))).toBe(`${'_'.repeat(199)}…`)
})

it.each([
  ['Incorrect API key provided: house-12.', 'Incorrect API key provided: [redacted: API key]'],
  ['{"x-api-key": "house-12"}', '{"x-api-key": "[redacted: API key]"}'],
  ['Authorization: Bearer house-12', 'Authorization: Bearer [redacted: API key]'],
  ['$& and {messages} stay', '$& and {messages} stay'],
])('removes values that are named a key: %s', (text, expected) => {
  expect(safeExcerpt(text)).toBe(expected)
})

it('takes no longer for a long text than for its beginning', () => {
  const timeOf = (times: number) => {
    const text = 'api key '.repeat(times)
    const tries = Array.from({ length: 5 }, () => {
      const started = performance.now()
      safeExcerpt(text)
      return performance.now() - started
    })
    return Math.min(...tries)
  }
  expect(timeOf(5_000_000)).toBeLessThan(20 * timeOf(50_000) + 5)
})
