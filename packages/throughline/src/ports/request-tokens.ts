/** Counts the tokens of a request to a summarizer. */
import type { ModelRequest } from './language-model.ts'

/** The most that providers add around a message. */
const frameTokens = 8

export function requestTokens(
  { system, messages, schema }: ModelRequest,
  count: (text: string) => number,
): number {
  const texts = [
    ...(system === null ? [] : [system]),
    ...messages.map(({ content }) => content),
    ...(schema === null ? [] : [JSON.stringify(schema)]),
  ]
  return texts.reduce((tokens, text) => tokens + count(text) + frameTokens, 0)
}
