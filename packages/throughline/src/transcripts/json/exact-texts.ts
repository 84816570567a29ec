/** The exact texts of a list inside a record, cut out once, when the first is asked for. */
import { formatPath } from './json-path.ts'
import { textsAt } from './raw-json.ts'

export type ExactText = (index: number) => string

export function exactTexts(recordText: () => string, path: readonly string[]): ExactText {
  let texts: ReadonlyMap<string, string> | null = null
  return (index) => {
    texts ??= textsAt(recordText(), [...path, '*'])
    return texts.get(formatPath([...path, index])) ?? 'null'
  }
}
