/**
 * A document that turns out to be a message itself. It was entered, because it could have been
 * a long list of them; so it is put together again from the fields that were taken.
 */

import type { TranscriptMessage, TranscriptProblem } from '../transcript.ts'
import { parseRaw } from './raw-json.ts'
import type { JsonElement } from './scan-event.ts'

export class RootFields {
  readonly #fields = new Map<string, JsonElement>()

  add(field: string, element: JsonElement): void {
    this.#fields.set(field, element)
  }

  has(field: string): boolean {
    return this.#fields.has(field)
  }

  /** A field that is text. */
  text(field: string): string | null {
    const value = parseRaw(this.#fields.get(field))?.value
    return typeof value === 'string' ? value : null
  }

  /** As an object, in the order in which the fields came. */
  element(root: number): JsonElement {
    const [first] = this.#fields.values()
    const fields = [...this.#fields].map(([key, { text }]) => `${JSON.stringify(key)}:${text}`)
    const text = `{${fields.join(',')}}`
    return { kind: 'element', path: [], text, line: first?.line ?? 1, root, complete: true }
  }
}

/** What was put together is not the text of the file. */
export function withoutRaw(
  item: TranscriptMessage | TranscriptProblem,
): TranscriptMessage | TranscriptProblem {
  if (item.kind === 'problem') return item
  return { ...item, message: { ...item.message, raw: undefined } }
}
