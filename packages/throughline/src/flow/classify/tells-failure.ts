/**
 * Whether a result tells of a failure: its own word first, then the words in it. Word by
 * word, because "0 errors" is none, and neither is `errorHandler`.
 */
import type { ToolOutput, ToolResultPart } from '../../domain/message.ts'
import { textsOfOutput } from '../../domain/output-texts.ts'

const words = /\b(?:errors?|exceptions?|failed|failures?|fatal|cannot|unable to)\b/i
const names = /[a-z](?:Error|Exception)\b/

const none = [
  /\b(?:0|no|zero|without(?: any)?)\s+(?:[a-z]+\s+)?(?:errors?|exceptions?|failures?|failed)\b/gi,
  /\b(?:errors?|exceptions?|failures?|failed)["']?\s*[:=]\s*(?:0\b|null\b|none\b|false\b|""|''|\[\]|\{\})/gi,
  /\berror[- ]free\b/gi,
]

export function tellsFailure({
  isError,
  output,
}: Pick<ToolResultPart, 'isError' | 'output'>): boolean {
  if (isError) return true
  return edgesOf(output).some((text) => {
    const told = none.reduce((left, pattern) => left.replace(pattern, ' '), text)
    return words.test(told) || names.test(told)
  })
}

// A tool says what went wrong first or last, and what lies between may be megabytes.
const edgeCharacters = 2_000

function edgesOf(output: ToolOutput): readonly string[] {
  return textsOfOutput(output).flatMap((text) =>
    text.length <= edgeCharacters * 2
      ? [text]
      : [text.slice(0, edgeCharacters), text.slice(-edgeCharacters)],
  )
}
