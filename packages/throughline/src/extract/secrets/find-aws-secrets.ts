/**
 * Secret keys of AWS beside the access key that they belong to. Alone they are forty
 * characters of base64 and nothing else, so they are looked for only there.
 */
import type { Finder, Finding } from './finding.ts'
import { looksRandom } from './looks-random.ts'

const accessKey = /(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))A(?:KI|SI)A[A-Z0-9]{16}(?![A-Za-z0-9])/g
const secretKey = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/g
const reach = 240

export const findAwsSecrets: Finder = ({ text }) => {
  if (!text.includes('AKIA') && !text.includes('ASIA')) return []
  const findings: Finding[] = []
  let done = 0
  for (const { index } of text.matchAll(accessKey)) {
    // What the access key before has looked at is not looked at again.
    const start = Math.max(done, index - reach)
    done = index + reach
    const sliceFrom = Math.max(0, start - 1)
    for (const match of text.slice(sliceFrom, done + 41).matchAll(secretKey)) {
      const from = sliceFrom + match.index
      if (from < done && isSecret(match[0]))
        findings.push({ from, to: from + match[0].length, kind: 'AWS secret key', by: 'place' })
    }
  }
  return findings
}

/** Forty digits of hexadecimal are the name of a commit. */
function isSecret(value: string): boolean {
  return /[A-Z]/.test(value) && /[a-z]/.test(value) && looksRandom(value) && !/example/i.test(value)
}
