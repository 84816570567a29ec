/** SHA-256 of bytes, or of text as UTF-8; lower-case hexadecimal. */
export type Sha256 = (data: Uint8Array | string) => string
