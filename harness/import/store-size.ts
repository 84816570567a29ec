/** Bytes of a store with its log: what was written may not have come into the file yet. */
import { statSync } from 'node:fs'

export function storeSize(store: string): number {
  return ['', '-wal']
    .map((ending) => statSync(store + ending, { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0)
}
