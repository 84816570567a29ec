/**
 * Reads and writes cells of rows. A text of PostgreSQL has no NUL, so a text with one is escaped, in a
 * way that keeps the order of texts.
 */

export function hexBytes(text: string): Uint8Array {
  return Buffer.from(text, 'hex')
}

export function hexCell(cell: unknown): string {
  return Buffer.from(cell as Uint8Array).toString('hex')
}

/** Callers get plain bytes of their own, not those of a library's buffer. */
export function bytesCell(cell: unknown): Uint8Array {
  return Uint8Array.from(cell as Uint8Array)
}

export function jsonCell<Value>(cell: unknown): Value | null {
  return cell === null || cell === undefined ? null : (JSON.parse(cell as string) as Value)
}

/** Null for an empty list: most messages have no marks, and most conversations no pins. */
export function encodeList(items: readonly unknown[]): string | null {
  return items.length === 0 ? null : JSON.stringify(items)
}

export function encodeText(text: string): string {
  return isPlain(text)
    ? text
    : text.replaceAll('\u0001', '\u0001\u0002').replaceAll('\0', '\u0001\u0001')
}

export function decodeText(text: string): string {
  return text.includes('\u0001')
    ? text.replaceAll('\u0001\u0001', '\0').replaceAll('\u0001\u0002', '\u0001')
    : text
}

function isPlain(text: string): boolean {
  return !text.includes('\0') && !text.includes('\u0001')
}

export function encodeTextOrNull(text: string | null): string | null {
  return text === null ? null : encodeText(text)
}

export function textCell(cell: unknown): string {
  return decodeText(cell as string)
}

export function textOrNullCell(cell: unknown): string | null {
  return cell === null || cell === undefined ? null : textCell(cell)
}

export function numberOrNullCell(cell: unknown): number | null {
  return cell === null || cell === undefined ? null : Number(cell)
}
