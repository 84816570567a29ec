/** The bytes of the files that a request shows. */
import type { Part } from '../domain/message.ts'
import type { Rendered } from '../domain/rendered.ts'
import type { LogReader } from './log-reader.ts'

export async function readFiles(
  rendered: readonly Rendered[],
  log: Pick<LogReader, 'file'>,
  known: ReadonlyMap<string, Uint8Array>,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>()
  for (const hash of new Set(rendered.flatMap(({ message }) => storedIn(message.parts)))) {
    const bytes = known.get(hash) ?? (await log.file(hash))
    if (bytes !== null) files.set(hash, bytes)
  }
  return files
}

const none: readonly string[] = []

function storedIn(parts: readonly Part[]): readonly string[] {
  return parts.some(mayHold) ? parts.flatMap(storedBy) : none
}

function mayHold(part: Part): boolean {
  return part.type === 'file' || (part.type === 'tool-result' && part.output.kind === 'parts')
}

function storedBy(part: Part): readonly string[] {
  if (part.type === 'file') return part.source.kind === 'stored' ? [part.source.sha256] : none
  const inside = part.type === 'tool-result' && part.output.kind === 'parts'
  return inside ? part.output.parts.flatMap(storedBy) : none
}
