/** Something that a text names, as it is written there. */

export type IdentifierKind =
  | 'url'
  | 'email'
  | 'uuid'
  | 'path'
  | 'file'
  | 'version'
  | 'date'
  | 'time'
  | 'amount'
  | 'hash'
  | 'id'
  | 'host'
  | 'symbol'
  | 'number'
  | 'quoted'
  | 'name'

export interface Identifier {
  readonly text: string
  readonly kind: IdentifierKind
  /** Where it begins, in UTF-16 code units. */
  readonly at: number
  /** The line that a path or a file is named with; null where there is none. */
  readonly line: number | null
}

export function identifier(kind: IdentifierKind, text: string, at: number): Identifier {
  return { text, kind, at, line: null }
}
