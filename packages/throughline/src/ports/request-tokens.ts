/** What a request to a summarizer has, everything in it counted. */
import type { ModelRequest } from './language-model.ts'

/** The frame that providers set around a message, at most. */
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
