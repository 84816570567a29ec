/**
 * The keys near the top of a JSON text, also of one that breaks off: what a format can
 * be recognised by without reading the document.
 */
import { JsonElementScanner } from './json-elements.ts'
import type { JsonPath } from './json-path.ts'

/** `messages[].extra` and `[].conversation.speaker_a` are the deepest that any format needs. */
const outlineDepth = 3

interface OutlineEntry {
  readonly path: JsonPath
  /** First character of the value. */
  readonly opening: string
}

export interface Outline {
  readonly entries: readonly OutlineEntry[]
  /** Paths with every place written as `[]`: `messages[].role`. */
  readonly paths: ReadonlySet<string>
  /** The field `type` of the document, where it is a text. */
  readonly type: string | null
  /** The text holds a whole document. */
  readonly complete: boolean
}

export function outlineOf(text: string): Outline {
  const entries: OutlineEntry[] = []
  const scanner = new JsonElementScanner({
    choose: (path, opening) => {
      entries.push({ path, opening })
      if (path.length === 1 && path[0] === 'type') return 'take'
      return path.length < outlineDepth ? 'enter' : 'skip'
    },
  })
  const events = [...scanner.push(text), ...scanner.end()]
  const type = events.find((event) => event.kind === 'element')
  return {
    entries,
    paths: new Set(entries.map((entry) => generalPath(entry.path))),
    type: /^"([\w-]+)"$/.exec(type?.text ?? '')?.[1] ?? null,
    complete: entries.length > 0 && events.every((event) => event.kind === 'element'),
  }
}

function generalPath(path: JsonPath): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += '[]'
    else text += text === '' ? step : `.${step}`
  }
  return text
}
