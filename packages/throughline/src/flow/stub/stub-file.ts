/**
 * What a stub says of the file whose text it shortens: which one, how long, and where it
 * was used last or changed since. Places, never "so many steps ago": a stub is frozen, and
 * what it says has to stay true. That nothing was done since is not said for that reason.
 */
import type { FileOperation, FileReference } from '../../domain/file-reference.ts'
import type { Seq } from '../../domain/ids.ts'

export interface FileFacts {
  /** `src/a.ts (60 lines)` */
  readonly named: string
  /** What was done with it since; empty where nothing was. */
  readonly since: string
}

const done: Readonly<Record<FileOperation, string>> = {
  read: 'read',
  create: 'written',
  edit: 'edited',
  delete: 'deleted',
}

/** `seq` is where the text stands that is shortened. */
export function fileFacts(
  file: FileReference,
  { seq, lineCount }: { readonly seq: Seq; readonly lineCount: number | null },
): FileFacts {
  const lines = lineCount === null ? '' : ` (${lineCount} ${lineCount === 1 ? 'line' : 'lines'})`
  return { named: `${shortPath(file.path)}${lines}`, since: doneSince(file, seq) }
}

function doneSince({ operation, lastSeq, modifiedSeq }: FileReference, seq: Seq): string {
  if (lastSeq <= seq) return ''
  const last = `last ${done[operation]} in #${lastSeq}`
  const isChanged = modifiedSeq !== null && modifiedSeq > seq
  if (!isChanged) return last
  if (operation === 'read') return `changed in #${modifiedSeq}, ${last}`
  return operation === 'delete' ? last : `${last}, so read it again`
}

const pathCharacters = 60

/** Its end: that is where paths differ. Brackets would end the note that it stands in. */
function shortPath(path: string): string {
  const plain = path.replace(/[[\]]/g, '_')
  return plain.length <= pathCharacters ? plain : `…${plain.slice(-pathCharacters).toWellFormed()}`
}
