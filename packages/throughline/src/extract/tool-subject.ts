/** What a use of a tool is about: its subject in one line, and the files that it touched. */
import { patchedFiles } from './patched-files.ts'
import type { ShellUse } from './shell-command.ts'
import type { Arguments } from './tool-arguments.ts'
import type { ToolFamily } from './tool-family.ts'

export interface FileUse {
  readonly path: string
  readonly did: 'read' | 'written' | 'edited' | 'deleted' | 'found'
}

export function subjectOf(
  family: ToolFamily,
  given: Arguments,
  command: ShellUse | null,
): string | null {
  return oneLine(aboutOf(family, given, command)) ?? oneLine(shortest(given.values))
}

function aboutOf(family: ToolFamily, given: Arguments, command: ShellUse | null): string | null {
  switch (family) {
    case 'shell':
      return command?.gist ?? null
    case 'search':
      return given.query ?? given.path
    case 'web':
    case 'http':
      return given.address ?? given.query ?? given.path
    case 'database':
      return given.text('sql') ?? given.query ?? given.shell
    case 'patch':
      return given.patch === null ? given.path : listed(patchedFiles(given.patch), given.path)
    case 'agent':
      return given.text('description') ?? given.text('task') ?? given.text('prompt')
    case 'read':
    case 'write':
    case 'edit':
    case 'delete':
    case 'list':
    case 'plan':
    case 'mcp':
    case 'unknown':
      return given.path ?? (given.paths.join(', ') || null) ?? given.address ?? given.query
  }
}

function listed(files: readonly { readonly path: string }[], path: string | null): string | null {
  return files.length === 0 ? path : files.map((file) => file.path).join(', ')
}

/** The rest is told by its arguments: the short ones say most, and a long one is content. */
function shortest(values: readonly string[]): string | null {
  const short = values.filter((value) => value.length > 1 && value.length <= subjectCharacters)
  return short.length === 0 ? null : short.slice(0, 3).join(', ')
}

const subjectCharacters = 120
// Names are told whole where that is possible: half a path names nothing.
const lineCharacters = 200

function oneLine(text: string | null): string | null {
  const line = text?.trim().split('\n', 1)[0]?.trim() ?? ''
  if (line === '') return null
  return line.length <= lineCharacters
    ? line.toWellFormed()
    : `${line.slice(0, lineCharacters).toWellFormed()}…`
}

interface Touched {
  readonly family: ToolFamily
  readonly given: Arguments
  readonly command: ShellUse | null
  readonly found: readonly string[]
}

export function filesOf({ family, given, command, found }: Touched): readonly FileUse[] {
  const patched = given.patch === null ? [] : patchedFiles(given.patch)
  if (patched.length > 0)
    return patched.map(({ path, change }) => ({
      path,
      did: change === 'added' ? 'written' : change,
    }))
  if (command !== null)
    return [
      ...command.reads.map(used('read')),
      ...command.writes.map(used('edited')),
      ...command.deletes.map(used('deleted')),
    ]
  if (family === 'search') return found.map(used('found'))
  const did = does[family]
  if (did === undefined) return []
  return (given.path === null ? given.paths : [given.path]).map(used(did))
}

const does: Partial<Record<ToolFamily, FileUse['did']>> = {
  read: 'read',
  write: 'written',
  edit: 'edited',
  patch: 'edited',
  delete: 'deleted',
}

function used(did: FileUse['did']): (path: string) => FileUse {
  return (path) => ({ path, did })
}
