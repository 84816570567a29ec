/** The file that a tool says it is about, where its call does not tell: a line of its own, or a field. */
const searchedCharacters = 2_000
const line = /^[ \t]{0,20}(?:file|path):[ \t]{0,20}(\S[^\r\n]{0,998})$/im
const field = /"(?:path|file|filePath|file_path|filename)"\s{0,9}:\s{0,9}"([^"\\]{1,1000})"/

export function namedPathIn(text: string): string | null {
  const start = text.slice(0, searchedCharacters)
  const path = line.exec(start)?.[1] ?? (/^\s{0,99}\{/.test(start) ? field.exec(start)?.[1] : null)
  const named = path?.trim() ?? ''
  if (named === '' || /\p{Cc}|^[a-z][a-z0-9+.-]{1,20}:\/\//iu.test(named)) return null
  return named.toWellFormed()
}
