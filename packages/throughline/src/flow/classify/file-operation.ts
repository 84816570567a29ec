/**
 * Which file a call is about, and what it does with it: from the name of its tool, its
 * arguments, and, where those name no file, from what the tool said. Never certain, and
 * of use only to choose what is shortened first and to say what a stub was.
 */
import type { FileOperation } from '../../domain/file-reference.ts'
import type { ToolCallPart, ToolOutput } from '../../domain/message.ts'
import { textsOfOutput } from '../../domain/output-texts.ts'

const wordsOf: Readonly<Record<FileOperation, readonly string[]>> = {
  create: ['create', 'write'],
  edit: ['edit', 'modify', 'replace', 'insert', 'append', 'update', 'patch'],
  delete: ['delete', 'remove'],
  read: ['read', 'get', 'view', 'open', 'cat'],
}
const operations = ['create', 'edit', 'delete', 'read'] as const satisfies readonly FileOperation[]

/** Null for a tool that does none of it. */
export function operationOf(name: string, input: string | null): FileOperation | null {
  // One tool that does it all says in its arguments what it is asked for.
  const command = input === null ? null : fieldOf(input, ['command'])
  const asked = command !== null && /^[a-z_]{1,20}$/i.test(command) ? operationIn(command) : null
  return asked ?? operationIn(name)
}

function operationIn(name: string): FileOperation | null {
  const words = name
    .slice(0, nameCharacters)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => word.replace(/(?<=.)(?:file|text)$/, ''))
  return operations.find((each) => wordsOf[each].some((word) => words.includes(word))) ?? null
}

const nameCharacters = 200

const pathFields = [
  ...(['path', 'file_path', 'filePath', 'file', 'filename', 'fileName', 'target_file'] as const),
  ...(['notebook_path', 'absolute_path', 'relative_path'] as const),
]

export function pathInCall({ input }: Pick<ToolCallPart, 'input'>): string | null {
  return soundPath(fieldOf(input, pathFields))
}

export function pathInResult(output: ToolOutput): string | null {
  const [text = ''] = textsOfOutput(output)
  const start = text.slice(0, searchedCharacters)
  const line = /^(?:file|path):[ \t]*(.+?)[ \t]*$/im.exec(start)?.[1] ?? null
  return soundPath(line) ?? (/^\s*\{/.test(start) ? soundPath(fieldOf(text, pathFields)) : null)
}

const searchedCharacters = 2_000
// A call may write megabytes into a file, and its path stands before them nearly always.
const parsedCharacters = 65_536

function fieldOf(json: string, names: readonly string[]): string | null {
  if (json.length > parsedCharacters) return fieldInText(json.slice(0, searchedCharacters), names)
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value !== 'object' || value === null) return null
    const fields = value as Readonly<Record<string, unknown>>
    const found = names.find((name) => typeof fields[name] === 'string')
    return found === undefined ? null : (fields[found] as string)
  } catch {
    return null
  }
}

/** A quote inside a text is escaped, so that what stands in a text is not taken for a field. */
function fieldInText(text: string, names: readonly string[]): string | null {
  for (const name of names) {
    const found = new RegExp(`"${name}"\\s*:\\s*"([^"\\\\]+)"`).exec(text)?.[1]
    if (found !== undefined) return found
  }
  return null
}

const pathCharacters = 1_000

/** An address on the web is no file, and a name with control characters is no name. */
function soundPath(path: string | null): string | null {
  if (path === null || path === '' || path.length > pathCharacters) return null
  return /\p{Cc}|^(?!file:)[a-z][a-z0-9+.-]+:\/\//iu.test(path) ? null : path.toWellFormed()
}
