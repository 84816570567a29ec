/** The beginning of an answer that was refused, fit for a log: one line, no secrets, 200 characters. */
import { redactSecrets } from '../extract/redact-secrets.ts'
import { firstCodePoints } from './code-points.ts'
import { lineOfText } from './line-of-text.ts'

const sampleCharacters = 200
// A secret that begins within the sample has to be seen whole to be known for one.
const readCharacters = 4_000

export function logSample(text: string): string {
  const start = text.slice(0, readCharacters).toWellFormed()
  return firstCodePoints(lineOfText(redactSecrets(start).text), sampleCharacters)
}
