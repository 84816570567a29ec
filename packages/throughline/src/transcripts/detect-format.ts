/** Detects formats by keys near the beginning; a file's name is no evidence. */
import {
  type FormatSet,
  formatSigns,
  isLooseMessage,
  outlineOf,
  type TranscriptFormat,
} from './format-signs.ts'
import { isPlainTalk } from './formats/plain-talk.ts'
import type { Layout } from './json/scan-source.ts'
import { describe, invalidArgument } from './json/source-text.ts'
import { limits } from './limits-data.ts'

/**
 * The format of a text that begins like this, or null if we do not know it.
 *
 * @example
 * console.log(detectFormat('User: And the invoice?\nAssistant: It is paid.\n')) // text
 */
export function detectFormat(head: string): TranscriptFormat | null {
  if (typeof head !== 'string')
    throw invalidArgument(`detectFormat expects the beginning of a text, got ${describe(head)}`)
  return detectIn(formatSigns, head)
}

export function detectIn<Name extends string>(
  signs: FormatSet<Name | TranscriptFormat, unknown>['signs'],
  head: string,
): Name | TranscriptFormat | null {
  const text = head.slice(0, limits.headLength).replace(/^\uFEFF/, '')
  const pieces = detectLayout(text) === 'lines' ? leadingLines(text) : [text]
  const documents = pieces.map((piece) => [outlineOf(piece), piece] as const)
  for (const document of documents) {
    const found = signs.find(([, matches]) => matches(...document))
    if (found !== undefined) return found[0]
  }
  if (isPlainTalk(text, head.length <= limits.headLength)) return 'text'
  // Files of other formats may hold such lines too, so this comes last.
  return documents.some((document) => isLooseMessage(...document)) ? 'messages' : null
}

/**
 * Whether each line is a document. If the first line is none, it is broken, or begins a document over
 * several lines. The other lines decide: those of such a document end or begin in the middle of a value.
 */
export function detectLayout(head: string): Layout {
  const [first, ...others] = leadingLines(head)
  if (first === undefined || others.length === 0) return 'document'
  if (isDocument(first)) return 'lines'
  const spansLines = others.some((line) => /[,[{]$/.test(line) || /^[\]}"]/.test(line))
  return !spansLines && others.some(isDocument) ? 'lines' : 'document'
}

function isDocument(line: string): boolean {
  return outlineOf(line).complete
}

function leadingLines(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').slice(0, limits.linesTried)
}
