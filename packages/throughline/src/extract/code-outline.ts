import { fileTypes } from './tool-words-data.ts'

/** What a file of JavaScript or TypeScript offers and needs, from its text as a tool showed it. */
export interface CodeOutline {
  readonly exports: readonly string[]
  readonly imports: number
}

const mostExports = 5
// What a file exports is in its beginning, more often than not.
const codeCharacters = 200_000

/** Null for files of other languages, and where there is neither. */
export function outlineOf(path: string, text: string): CodeOutline | null {
  if (!/\.[cm]?[jt]sx?$/.test(path)) return null
  const code = text.slice(0, codeCharacters)
  const exports = new Set<string>()
  for (const [, name, list] of code.matchAll(exported)) {
    if (name !== undefined) exports.add(name)
    for (const word of namesIn(list ?? '')) exports.add(word)
    if (exports.size >= mostExports) break
  }
  const modules = new Set<string>()
  for (const [, from, alone, required] of code.matchAll(imported))
    modules.add(from ?? alone ?? required ?? '')
  if (exports.size === 0 && modules.size === 0) return null
  return { exports: [...exports].slice(0, mostExports), imports: modules.size }
}

/** Tools set the number of a line before it. */
const lineStart = '^[ \\t]{0,8}(?:\\d{1,7}[ \\t]{0,4}[→:|\\t] {0,2})?'

const exported = new RegExp(
  `${lineStart}export (?:default )?(?:declare )?(?:abstract )?(?:async )?(?:(?:const enum|const|let|var|function\\*?|class|interface|type|enum|namespace) ([\\p{L}_$][\\p{L}\\p{N}_$]{0,80})|(?:type )?\\{([^}]{0,2000})\\})`,
  'gmu',
)

const imported = new RegExp(
  `${lineStart}(?:(?:import|export)\\b[^'"();]{0,1000}? from ['"]([^'"\\n]{1,300})['"]|import ['"]([^'"\\n]{1,300})['"]|(?:const|let|var) [^=\\n]{1,200}= require\\(['"]([^'"\\n]{1,300})['"]\\))`,
  'gm',
)

/** `{ a, b as c, type D }` offers a, c and D. */
function namesIn(list: string): readonly string[] {
  return list.split(',').flatMap((item) => {
    const name = /([\p{L}_$][\p{L}\p{N}_$]*)\s*$/u.exec(item.slice(0, 200))?.[1]
    return name === undefined ? [] : [name]
  })
}

const typeOfEnding: ReadonlyMap<string, string> = new Map(
  Object.entries(fileTypes).flatMap(([type, endings]) =>
    endings.split(' ').map((ending) => [ending, type] as const),
  ),
)

/** Others are called as their names end: `go`, `sql`, `toml`. */
export function fileTypeOf(path: string): string {
  const name = /[^\\/]*$/.exec(path.slice(-nameCharacters))?.[0] ?? ''
  const ending = /[^.]\.([A-Za-z][A-Za-z0-9]{0,11})$/.exec(name)?.[1]?.toLowerCase()
  if (ending !== undefined) return typeOfEnding.get(ending) ?? ending
  return /^(?:docker|make|rake|gem|just)file$/i.test(name) ? name.toLowerCase() : 'unknown'
}

const nameCharacters = 300
