/** The bytes of a file that were handed over with its context. */
import type { Deliverable } from '../domain/context.ts'
import type { FileSource } from '../domain/message.ts'

export type Files = Deliverable['files']

/** Null where there are none: no provider takes a file of no bytes. */
export function storedBytes(source: FileSource, files: Files): Uint8Array | null {
  const bytes = source.kind === 'stored' ? files.get(source.sha256) : undefined
  return bytes === undefined || bytes.length === 0 ? null : bytes
}
