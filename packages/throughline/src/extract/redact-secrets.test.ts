import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactSecrets } from './redact-secrets.ts'
import { cleanLines } from './secrets/clean-text.test-support.ts'
import {
  placedFormats,
  type SampleFormat,
  samples,
  standingFormats,
  surroundings,
} from './secrets/secret-samples.test-support.ts'

const perFormat = 1_000

describe('redactSecrets', () => {
  it.each(standingFormats)('takes out $name wherever it stands', (format) => {
    const found = samples(format, perFormat).filter(({ value }, at) => {
      const around = surroundings[at % surroundings.length] ?? String
      return isGone(redactSecrets(around(value)).text, value)
    })
    expect(found.length).toBeGreaterThanOrEqual(perFormat * 0.99)
  })

  it.each(placedFormats)('takes out $name', (format) => {
    const found = samples(format, perFormat).filter(({ text, value }) =>
      isGone(redactSecrets(`first line\n${text}\nlast line`).text, value),
    )
    expect(found.length).toBeGreaterThanOrEqual(perFormat * 0.99)
  })

  it('knows well over thirty-five formats', () => {
    const kinds = new Set([...standingFormats, ...placedFormats].map(({ kind }) => kind))
    expect(kinds.size).toBeGreaterThan(60)
  })

  it('names the kind of what it took out', () => {
    for (const format of [...standingFormats, ...placedFormats]) {
      const texts = samples(format, 20).map(({ text }) => redactSecrets(` ${text} `))
      const named = texts.filter(({ text }) => text.includes(`[redacted: ${format.kind}]`))
      expect([format.name, named.length]).toEqual([format.name, 20])
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

  it('leaves clean text as it is', () => {
    const lines = cleanLines('clean', 6_000_000)
    const changed = lines.filter((line) => redactSecrets(line).redacted.length > 0)
    expect(changed.slice(0, 20)).toEqual([])
    const whole = redactSecrets(lines.join('\n'))
    const taken = whole.redacted.reduce((sum, { count }) => sum + count, 0)
    expect(taken / lines.length).toBeLessThanOrEqual(0.001)
  })

  it('changes nothing the second time', () => {
    const formats = [...standingFormats, ...placedFormats]
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
      { numRuns: 3_000 },
    )
  })

  it('takes any text, and the words of the language as words', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => redactSecrets(text).text !== null),
    )
    const inert = "$& $1 $` $' __proto__ constructor \ud83d \u0000"
    const [secret] = samples(formatOf('Groq key'), 1).map(({ value }) => value)
    expect(redactSecrets(`${inert}${secret}${inert}`).text).toBe(
      `${inert}[redacted: Groq key]${inert}`,
    )
    expect(redactSecrets('__proto__=__proto__').redacted).toEqual([])
  })
})

function isGone(text: string, value: string): boolean {
  return text.includes('[redacted: ') && !text.includes(value) && !text.includes(value.slice(-10))
}

function formatOf(kind: string): SampleFormat {
  const format = standingFormats.find((known) => known.kind === kind)
  if (format === undefined) throw new Error(`No format of kind ${kind}`)
  return format
}
