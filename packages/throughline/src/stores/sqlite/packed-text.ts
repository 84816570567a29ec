/**
 * Stores large texts compressed. They stay text, because one statement returns the rows of a whole
 * request as texts (`derived.ts`).
 */
import { readValid } from '../../domain/derived-row.ts'

const zlib = () => globalThis.process.getBuiltinModule('node:zlib')

/** Compressing a shorter text saves little. */
const plainCharacters = 2_048

/** No JSON text starts with this. */
const prefix = 'z'

// A new view is written twice: as the view in force, and as a version of it.
let last = { text: '', packed: '' }

export function packText(text: string): string {
  if (text.length <= plainCharacters) return text
  if (last.text === text) return last.packed
  // The fastest level; others save a tenth more and take three times as long.
  const packed = `${prefix}${zlib().deflateRawSync(text, { level: 1 }).toString('base64')}`
  last = { text, packed }
  return packed
}

export function unpackText(stored: string, what: string): string {
  if (!stored.startsWith(prefix)) return stored
  return readValid(
    what,
    () => true,
    () =>
      zlib()
        .inflateRawSync(Buffer.from(stored.slice(1), 'base64'))
        .toString(),
  )
}
