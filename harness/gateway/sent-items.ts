/** The messages of a request as text, to see whether it begins as an earlier one. */
import { fieldSpans, itemSpans, textAt } from '../../packages/server/src/gateway/raw-json.ts'
import type { ApiName } from './scripted-upstream.ts'

export const lists: Readonly<Record<ApiName, string>> = {
  ...{ anthropic: 'messages', chat: 'messages', responses: 'input', gemini: 'contents' },
}

export function sentItems(text: string, api: ApiName): readonly string[] {
  const span = fieldSpans(text).get(lists[api])
  const items = span === undefined ? [] : itemSpans(text, span)
  return items.map((item) => withoutHints(textAt(text, item)))
}

/** Agents move a hint from message to message, and write a list with one text as the text. */
export function withoutHints(item: string): string {
  return item
    .replaceAll(/,"cache_control":\{[^}]*\}/g, '')
    .replaceAll(/"content":\[\{"type":"text","text":("(?:[^"\\]|\\.)*")\}\]/g, '"content":$1')
}
