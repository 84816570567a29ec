/** The bytes of the files that a request shows. */
import type { Rendered } from '../../domain/rendered.ts'
import { storedIn } from '../../domain/stored-files.ts'
import type { LogReader } from '../read/log-reader.ts'

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
