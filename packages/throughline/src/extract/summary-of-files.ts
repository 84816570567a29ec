/** What was done to files, as facts. */
import { outlineOf } from './code-outline.ts'
import { fileTypeOf } from './file-type.ts'
import { namedPathIn } from './named-path.ts'
import { type FamilyFacts, failed, fileFacts } from './summary-facts.ts'
import type { ToolUse } from './tool-use.ts'

export function readFacts(use: ToolUse): FamilyFacts {
  const paths = pathsOf(use)
  const isFailed = failed(use)
  const lines = isFailed ? 0 : use.lines
  const code = isFailed ? noCode : codeOf(use, paths[0], use.report.text)
  return {
    facts: [
      ...fileFacts(paths),
      ...(isFailed ? [] : [`Lines: ${lines}`, ...typeFact(paths), ...code.facts]),
    ],
    metadata: {
      path: paths[0] ?? 'unknown',
      lines,
      hasExports: code.hasExports,
      hasImports: code.hasImports,
    },
  }
}

export function writtenFacts(use: ToolUse): FamilyFacts {
  const paths = pathsOf(use)
  const content = use.arguments.content
  const code = content === null ? noCode : codeOf(use, paths[0], content)
  return {
    facts: [
      ...fileFacts(paths),
      ...(content === null ? [] : [`Lines: ${linesOf(content)}`]),
      ...typeFact(paths),
      ...code.facts,
    ],
    metadata: { path: paths[0] ?? 'unknown', lines: linesOf(content ?? '') },
  }
}

/** Edits and patches: which files, and how much of them. */
export function changedFacts(use: ToolUse): FamilyFacts {
  const paths = pathsOf(use)
  const changed = changeOf(use)
  return {
    facts: [...fileFacts(paths), ...(changed === null ? [] : [`Changed: ${changed}`])],
    metadata: { path: paths[0] ?? 'unknown', files: paths.length },
  }
}

export function deletedFacts(use: ToolUse): FamilyFacts {
  const paths = pathsOf(use)
  return {
    facts: fileFacts(paths),
    metadata: { path: paths[0] ?? 'unknown', files: paths.length },
  }
}

function pathsOf({ files, arguments: given, report }: ToolUse): readonly string[] {
  const named = files.map(({ path }) => path)
  if (named.length > 0) return named
  const path = given.path ?? namedPathIn(report.text)
  return path === null ? [] : [path]
}

/** A file that nobody named has no type that could be told. */
function typeFact(paths: readonly string[]): readonly string[] {
  return paths.length > 1 ? [] : [`Type: ${fileTypeOf(paths[0] ?? '')}`]
}

interface Code {
  readonly facts: readonly string[]
  readonly hasExports: boolean
  readonly hasImports: boolean
}

/** Where the call does not name the file, its text has to tell. */
function codeOf(use: ToolUse, path: string | undefined, text: string): Code {
  const { exports, imports } =
    use.arguments.path === null
      ? (outlineOf(path ?? 'unnamed.ts', text.slice(0, unnamedCharacters)) ?? empty)
      : (use.outline ?? empty)
  return {
    facts: [
      ...(exports.length === 0 ? [] : [`Exports: ${exports.join(', ')}`]),
      ...(imports === 0 ? [] : [`Imports: ${imports} modules`]),
    ],
    hasExports: exports.length > 0,
    hasImports: imports > 0,
  }
}

const unnamedCharacters = 20_000
const empty = { exports: [], imports: 0 } as const
const noCode: Code = { facts: [], hasExports: false, hasImports: false }

function changeOf({ arguments: given }: ToolUse): string | null {
  if (given.patch !== null) {
    const lines = given.patch.slice(0, patchCharacters).split('\n')
    const added = lines.filter((line) => line[0] === '+' && !line.startsWith('+++ ')).length
    const gone = lines.filter((line) => line[0] === '-' && !line.startsWith('--- ')).length
    return `+${added} -${gone} lines`
  }
  if (given.content === null) return null
  const gone = given.replaced === null ? '' : ` -${linesOf(given.replaced)}`
  return `+${linesOf(given.content)}${gone} lines`
}

const patchCharacters = 250_000

function linesOf(text: string): number {
  if (text === '') return 0
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}
