/** SHA-256 of bytes, or of text as UTF-8, whole or in pieces; lower-case hexadecimal. */
export type Sha256 = (data: Uint8Array | string | Iterable<string>) => string

/**
 * A long text in pieces, none of which ends inside a character: what is made of each is small
 * beside the text, however long that is.
 */
export function* textPieces(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const most = start + pieceCharacters
    const end = isHighSurrogate(text.charCodeAt(most - 1)) ? most - 1 : most
    yield text.slice(start, end)
    start = end
  }
}

/** From here on a copy of a text is worth avoiding. */
export const pieceCharacters = 32_768

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00
}
