/**
 * The wanted values of a whole source. In `lines` every line is a document of its
 * own, so a broken one costs only itself; a `document` is one text from end to end.
 */

import { readLines } from '../lines.ts'
import { JsonElementScanner } from './json-elements.ts'
import type { Choose, ScanEvent } from './scan-event.ts'

export type Layout = 'lines' | 'document'

export interface ReaderInput {
  readonly chunks: AsyncIterable<string>
  readonly layout: Layout
  /** What the caller calls the source: the id of a conversation that has none. */
  readonly name: string | null
}

export async function* scanSource(input: ReaderInput, choose: Choose): AsyncGenerator<ScanEvent> {
  if (input.layout === 'lines') yield* scanLines(input.chunks, choose)
  else yield* scanDocument(input.chunks, choose)
}

async function* scanLines(
  chunks: AsyncIterable<string>,
  choose: Choose,
): AsyncGenerator<ScanEvent> {
  let root = 0
  for await (const line of readLines(chunks)) {
    const scanner = new JsonElementScanner({ choose, firstLine: line.number, firstRoot: root })
    yield* scanner.push(line.text)
    yield* scanner.end()
    root = Math.max(root + 1, scanner.nextRoot)
  }
}

async function* scanDocument(
  chunks: AsyncIterable<string>,
  choose: Choose,
): AsyncGenerator<ScanEvent> {
  const scanner = new JsonElementScanner({ choose })
  for await (const chunk of chunks) yield* scanner.push(chunk)
  yield* scanner.end()
}

/** Takes every record: the elements of an array, or the document if it is an object. */
export const chooseRecords: Choose = (path, opening) =>
  path.length === 0 && opening === '[' ? 'enter' : 'take'
