import { describe, expect, it } from 'vitest'
import { processorMs } from './processor-time.test-support.ts'
import { redactSecrets } from './redact-secrets.ts'
import { prefixRules } from './secrets/secret-prefixes-data.ts'
import { placedFormats, samples, standaloneFormats } from './secrets/secret-samples.test-support.ts'
import { logFigure, trialSizes } from './trial-sizes.test-support.ts'

describe('the time of redactSecrets', () => {
  const size = trialSizes.hostileCharacters
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
    ...[
      'mysql -p',
      'mysql -p"',
      'sshpass -p ',
      'curl -u a:',
      'docker login ',
      'echo "',
      "echo ' ",
      'echo a | ',
    ],
    ...[
      'machine a login b ',
      'machine ',
      ':5432:a:b:',
      ':a@tcp(',
      'requirepass ',
      'https://a@',
      'LS0tLS1CRUdJTi',
    ],
    ...['--a=password=', 'ENV TOKEN ', ' -pass', '**token**: ', '-----BEGIN \\\n', 'mysql \\\n'],
    prefixRules.flatMap(({ prefixes }) => prefixes.split(' ')).join(''),
    prefixRules.flatMap(({ prefixes }) => prefixes.split(' ')).join(' '),
  ]

  it('is short for one thing over and over', { timeout: 120_000 }, () => {
    expect(slowOf(units, size)).toEqual([])
  })

  it('is short for every mark over and over', { timeout: 120_000 }, () => {
    const marks = prefixRules.flatMap(({ prefixes }) => prefixes.split(' '))
    expect(slowOf(marks, size / 5)).toEqual([])
  })

  it('grows with the text and not with its square', () => {
    const formats = [...standaloneFormats, ...placedFormats]
    const text = formats
      .flatMap((format) => samples(format, 3).map((sample) => sample.text))
      .join('\n')
    const once = processorMs(() => redactSecrets(text), 0)
    const eightTimes = processorMs(() => redactSecrets(text.repeat(8)), 0)
    expect(eightTimes).toBeLessThan(once * 8 * 3 + 50)
  })
})

/** A quarter of a second for a million characters, and as much of it for fewer. */
const limitMs = (characters: number) => Math.max(20, characters / 4_000)

function slowOf(units: readonly string[], size: number) {
  const trials = units.map((unit) => {
    const text = unit.repeat(Math.ceil(size / unit.length))
    return { unit, ms: processorMs(() => redactSecrets(text), limitMs(size)) }
  })
  const most = Math.round(Math.max(...trials.map(({ ms }) => ms)))
  logFigure(`redactSecrets: at most ${most} ms for ${size} characters of one thing`)
  return trials.filter(({ ms }) => ms >= limitMs(size))
}
