/**
 * The wanted values of a source. With `lines` every line is a document, so a broken one costs only itself;
 * a `document` is one text. Neither is ever in memory as a whole: a line may be as long as a file.
 */
import type { TranscriptProblem } from '../transcript.ts'
import { type Choose, type JsonElement, JsonElementScanner } from './json-elements.ts'

export type Layout = 'lines' | 'document'

export interface ReaderInput {
  readonly chunks: AsyncIterable<string>
  readonly layout: Layout
  /** The caller's name of the source: the id of a conversation without one. */
  readonly name: string | null
}

export async function* scanSource({ chunks, layout }: ReaderInput, choose: Choose) {
  if (layout === 'lines') return yield* scanLines(chunks, choose)
  const scanner = new JsonElementScanner(choose)
  for await (const chunk of chunks) yield* scanner.push(chunk)
  yield* scanner.end()
}

async function* scanLines(chunks: AsyncIterable<string>, choose: Choose) {
  let [firstLine, firstRoot] = [1, 0]
  let scanner: JsonElementScanner | null = null
  for await (const chunk of chunks)
    for (const [index, piece] of chunk.split('\n').entries()) {
      if (index > 0) {
        if (scanner !== null) {
          yield* scanner.end()
          firstRoot = Math.max(firstRoot + 1, scanner.nextRoot)
        }
        scanner = null
        firstLine += 1
      }
      if (scanner === null && piece.trim() === '') continue
      scanner ??= new JsonElementScanner(choose, firstLine, firstRoot)
      yield* scanner.push(piece)
    }
  if (scanner !== null) yield* scanner.end()
}

/** The elements of an array, or the document if it is an object. */
export const chooseRecords: Choose = (path, opening) =>
  path.length === 0 && opening === '[' ? 'enter' : 'take'

/** Maps complete elements; others were reported where they broke off. */
export async function* readElements<Item>(
  input: ReaderInput,
  choose: Choose,
  read: (element: JsonElement) => Iterable<Item>,
): AsyncGenerator<Item | TranscriptProblem> {
  for await (const event of scanSource(input, choose))
    if (event.kind === 'problem') yield event
    else if (event.complete) yield* read(event)
}
