/** What a patch takes away and puts there, file by file, in the forms of unified diffs and of "apply patch" tools. */
import { patchedFiles } from './patched-files.ts'

export interface PatchHunk {
  readonly path: string
  /** Lines as they stood, with those around them … */
  readonly before: readonly string[]
  /** … and as they stand. */
  readonly after: readonly string[]
  /** Of the first of them now, where the patch says so. */
  readonly firstLine: number | null
  /** Whether the file did not exist. */
  readonly isNew: boolean
}

const patchCharacters = 250_000

export function patchHunksOf(patch: string): readonly PatchHunk[] {
  const hunks: Draft[] = []
  let open: Draft | null = null
  let file: { readonly path: string; readonly isNew: boolean } | null = null
  const lines = patch.slice(0, patchCharacters).split(/\r?\n/)
  for (const [at, line] of lines.entries()) {
    const header = headerIn(line, lines[at - 1] ?? '')
    if (header !== null) {
      file = header
      open = null
    } else if (file !== null && (line.startsWith('@@') || (file.isNew && open === null))) {
      open = { ...file, firstLine: firstLineIn(line), before: [], after: [] }
      hunks.push(open)
      if (!line.startsWith('@@')) addLine(open, line)
    } else if (open !== null) addLine(open, line)
  }
  return hunks.filter(({ before, after }) => before.length + after.length > 0)
}

interface Draft {
  readonly path: string
  readonly isNew: boolean
  readonly firstLine: number | null
  readonly before: string[]
  readonly after: string[]
}

/** The old name stands above the new one; a line that begins with pluses alone is of the file. */
function headerIn(line: string, before: string): Pick<Draft, 'path' | 'isNew'> | null {
  const isHeader = line.startsWith('*** ') || (line.startsWith('+++ ') && before.startsWith('--- '))
  if (!isHeader) return null
  const [named] = patchedFiles(line.startsWith('+++ ') ? `${before}\n${line}` : line)
  if (named === undefined || named.change === 'deleted') return null
  return { path: named.path, isNew: named.change === 'added' }
}

function firstLineIn(line: string): number | null {
  const told = /^@@ -\d{1,7}(?:,\d{1,7})? \+(\d{1,7})/.exec(line)?.[1]
  return told === undefined ? null : Number(told)
}

function addLine({ before, after }: Draft, line: string): void {
  const rest = line.slice(1)
  switch (line[0]) {
    case ' ':
      before.push(rest)
      after.push(rest)
      return
    case '-':
      // The names of the next file begin so too, and are taken back when it begins.
      if (!line.startsWith('--- ')) before.push(rest)
      return
    case '+':
      after.push(rest)
      return
    case undefined:
      before.push('')
      after.push('')
      return
  }
}
