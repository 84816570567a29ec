/** What a context is made from: a log, wherever it is kept. */
import type { Seq } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import type { Span } from '../../domain/span.ts'

export interface LogReader {
  readonly head: Seq
  /** How often messages of it were edited, removed or purged. */
  readonly rewrites: number
  /** Ascending. */
  readonly pins: readonly Seq[]
  read(span: Span, except: readonly Seq[]): Promise<readonly Message[]>
  readBack(before: Seq, limit: number): Promise<readonly Message[]>
  file(sha256: string): Promise<Uint8Array | null>
}

export async function readPins(log: LogReader): Promise<readonly Message[]> {
  const pages = await Promise.all(log.pins.map((seq) => log.read({ from: seq, to: seq + 1 }, [])))
  return pages.flat()
}
