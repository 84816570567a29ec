interface PatchedFile {
  readonly path: string
  readonly change: 'added' | 'edited' | 'deleted'
}

// Listing every file would not say what a larger patch is about.
const maxFiles = 100
const patchCharacters = 250_000
const pathCharacters = 1_000

export function patchedFiles(patch: string): readonly PatchedFile[] {
  const files = new Map<string, PatchedFile['change']>()
  // The file that a header without a body (a rename, a change of mode) refers to.
  let lastPath: string | null = null
  let previousLine = ''
  for (const line of patch.slice(0, patchCharacters).split(/\r?\n/)) {
    if (files.size >= maxFiles) break
    const [path, change] = readLine(line, previousLine, lastPath)
    if (change === 'moved' && lastPath !== null && lastPath !== path) files.set(lastPath, 'deleted')
    if (path !== null) {
      if (change === 'moved') files.set(path, 'edited')
      else if (change !== 'named') files.set(path, change)
      else if (!files.has(path)) files.set(path, 'edited')
      lastPath = path
    }
    previousLine = line
  }
  return [...files].map(([path, change]) => ({ path, change }))
}

/** `named`: the line has the name of a file, and other lines say what the patch does with it. */
type LineChange = readonly [path: string | null, change: PatchedFile['change'] | 'moved' | 'named']

const noChange: LineChange = [null, 'named']

function readLine(line: string, previousLine: string, lastPath: string | null): LineChange {
  const start = line.slice(0, pathCharacters)
  const [, header = '', path] =
    /^\*\*\* (Update File|Add File|Delete File|Move to): (.+)$/.exec(start) ?? []
  if (path !== undefined) return [cleanPath(path), changeOfHeader[header] ?? 'edited']
  if (line.startsWith('deleted file mode')) return [lastPath, 'deleted']
  if (line.startsWith('new file mode')) return [lastPath, 'added']
  if (line.startsWith('diff --git ')) return [gitTarget(line), 'named']
  const source = /^rename from (.+)$/.exec(start)?.[1]
  return source === undefined ? targetOf(line, previousLine) : [cleanPath(source), 'deleted']
}

/** Lines of the file may also start with pluses; a header follows a line with `---`. */
function targetOf(line: string, previousLine: string): LineChange {
  if (!line.startsWith('+++ ') || !previousLine.startsWith('--- ')) return noChange
  const [source, target] = [sideOf(previousLine), sideOf(line)]
  if (target === '/dev/null') return source === '' ? noChange : [source, 'deleted']
  return target === '' ? noChange : [target, source === '/dev/null' ? 'added' : 'named']
}

/** Removes the prefix `a/` or `b/`, and a date after a tab. */
function sideOf(line: string): string {
  const [path = ''] = line.slice(4, pathCharacters).split('\t', 1)
  return cleanPath(path).replace(/^[ab]\//, '')
}

function gitTarget(line: string): string | null {
  const sides = line.slice('diff --git '.length, pathCharacters * 2)
  const at = sides.lastIndexOf(' b/')
  return at === -1 ? null : cleanPath(sides.slice(at + 3))
}

function cleanPath(path: string): string {
  return path.trim().replace(/^"|"$/g, '').toWellFormed()
}

const changeOfHeader: Readonly<Record<string, PatchedFile['change'] | 'moved'>> = {
  'Update File': 'edited',
  'Add File': 'added',
  'Delete File': 'deleted',
  'Move to': 'moved',
}

interface PatchHunk {
  readonly path: string
  readonly before: string[]
  readonly after: string[]
  /** Line number of `after`, where the patch has it. */
  readonly firstLine: number | null
  readonly isNew: boolean
}

export function patchHunksOf(patch: string): readonly PatchHunk[] {
  const hunks: PatchHunk[] = []
  let hunk: PatchHunk | null = null
  let file: Pick<PatchHunk, 'path' | 'isNew'> | null = null
  const lines = patch.slice(0, patchCharacters).split(/\r?\n/)
  for (const [at, line] of lines.entries()) {
    const header = headerIn(line, lines[at - 1] ?? '')
    if (header !== null) {
      file = header
      hunk = null
    } else if (file !== null && (line.startsWith('@@') || (file.isNew && hunk === null))) {
      hunk = { ...file, firstLine: newLineIn(line), before: [], after: [] }
      hunks.push(hunk)
      if (!line.startsWith('@@')) addLine(hunk, line)
    } else if (hunk !== null) addLine(hunk, line)
  }
  return hunks.filter(({ before, after }) => before.length + after.length > 0)
}

/** A header `+++` follows a line with `---`; without it, the line is content of the file. */
function headerIn(line: string, previousLine: string): Pick<PatchHunk, 'path' | 'isNew'> | null {
  const isHeader =
    line.startsWith('*** ') || (line.startsWith('+++ ') && previousLine.startsWith('--- '))
  if (!isHeader) return null
  const [named] = patchedFiles(line.startsWith('+++ ') ? `${previousLine}\n${line}` : line)
  if (named === undefined || named.change === 'deleted') return null
  return { path: named.path, isNew: named.change === 'added' }
}

function newLineIn(line: string): number | null {
  const firstLine = /^@@ -\d{1,7}(?:,\d{1,7})? \+(\d{1,7})/.exec(line)?.[1]
  return firstLine === undefined ? null : Number(firstLine)
}

function addLine({ before, after }: PatchHunk, line: string): void {
  const [mark = ' '] = line
  // `--- name` is the header of the next file, not a removed line.
  if (mark === ' ' || (mark === '-' && !line.startsWith('--- '))) before.push(line.slice(1))
  if (mark === ' ' || mark === '+') after.push(line.slice(1))
}
