import { describe, expect, it } from 'vitest'
import { redactSecrets } from './redact-secrets.ts'
import { prefixedFormats } from './secrets/prefixed-formats.ts'
import { placedFormats, samples, standingFormats } from './secrets/secret-samples.test-support.ts'

describe('the time of redactSecrets', () => {
  const size = 1_000_000
  const units = [
    ...'aA0 \n"\'`<[({-=/.:@,;_+%$&é中',
    ...[
      '[]',
      '[{(',
      '{"a":',
      '<a>',
      'eyJ',
      'eyJ-',
      'a.',
      '1:',
      '4111 ',
      '0000-',
      'AA11',
      'a://b:c@',
    ],
    ...['password=', 'password: ', 'password="', '--token ', '<token>', '"token",', 'token is '],
    ...['Bearer ', 'basic ', 'basic+', 'Cookie: a=b; ', 'cookie=', '[redacted: x] ', '-u a:'],
    ...['-----BEGIN PRIVATE KEY-----', 'Private-Lines: 1\n', '.abcdef.', '-us1', 'Q~'],
    prefixedFormats.flatMap(({ starts }) => starts).join(''),
    prefixedFormats.flatMap(({ starts }) => starts).join(' '),
  ]

  it('is short for a megabyte of one thing over and over', { timeout: 120_000 }, () => {
    expect(slowOf(units, { size, limitMs: 250 })).toEqual([])
  })

  it('is short for every mark over and over', { timeout: 120_000 }, () => {
    const marks = prefixedFormats.flatMap(({ starts }) => starts)
    expect(slowOf(marks, { size: size / 5, limitMs: 250 / 5 })).toEqual([])
  })

  it('grows with the text and not with its square', () => {
    const formats = [...standingFormats, ...placedFormats]
    const text = formats
      .flatMap((format) => samples(format, 20).map((sample) => sample.text))
      .join('\n')
    const once = timeOf(text, 0)
    expect(timeOf(text.repeat(8), 0)).toBeLessThan(once * 8 * 3 + 50)
  })
})

interface Trial {
  readonly size: number
  readonly limitMs: number
}

function slowOf(units: readonly string[], { size, limitMs }: Trial) {
  return units
    .map((unit) => ({ unit, ms: timeOf(unit.repeat(Math.ceil(size / unit.length)), limitMs) }))
    .filter(({ ms }) => ms >= limitMs)
}

/** In time of the processor, since others may be using it; a slow one gets more tries. */
function timeOf(text: string, limitMs: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < 5 && least >= limitMs; run += 1) {
    const before = process.threadCpuUsage()
    redactSecrets(text)
    const { user, system } = process.threadCpuUsage(before)
    least = Math.min(least, (user + system) / 1_000)
  }
  return least
}
