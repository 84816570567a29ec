import { exportStatement, importStatement } from './code-forms-data.ts'
import { fileTypes } from './tool-words-data.ts'

/** The exports and imports of a JavaScript or TypeScript file, as printed by a tool. */
export interface CodeOutline {
  readonly exports: readonly string[]
  /** How many modules it imports. */
  readonly importCount: number
}

const maxExports = 5
// Exports are mostly near the start of a file.
const scannedCharacters = 200_000

/** Null for other languages, and for files without exports and imports. */
export function outlineOf(path: string, text: string): CodeOutline | null {
  if (!/\.[cm]?[jt]sx?$/.test(path)) return null
  const code = text.slice(0, scannedCharacters)
  const exports = new Set<string>()
  for (const [, name, list] of code.matchAll(exportStatement)) {
    if (name !== undefined) exports.add(name)
    for (const word of namesIn(list ?? '')) exports.add(word)
    if (exports.size >= maxExports) break
  }
  const modules = new Set<string>()
  for (const [, from, sideEffect, required] of code.matchAll(importStatement))
    modules.add(from ?? sideEffect ?? required ?? '')
  if (exports.size === 0 && modules.size === 0) return null
  return { exports: [...exports].slice(0, maxExports), importCount: modules.size }
}

/** `{ a, b as c, type D }` exports a, c and D. */
function namesIn(list: string): readonly string[] {
  return list.split(',').flatMap((item) => {
    const name = /([\p{L}_$][\p{L}\p{N}_$]*)\s*$/u.exec(item.slice(0, 200))?.[1]
    return name === undefined ? [] : [name]
  })
}

const typeOfExtension: ReadonlyMap<string, string> = new Map(
  Object.entries(fileTypes).flatMap(([type, extensions]) =>
    extensions.split(' ').map((extension) => [extension, type] as const),
  ),
)

/** Types that are not listed are named by their extension: `go`, `sql`, `toml`. */
export function fileTypeOf(path: string): string {
  const name = /[^\\/]*$/.exec(path.slice(-300))?.[0] ?? ''
  const extension = /[^.]\.([A-Za-z][A-Za-z0-9]{0,11})$/.exec(name)?.[1]?.toLowerCase()
  if (extension !== undefined) return typeOfExtension.get(extension) ?? extension
  return /^(?:docker|make|rake|gem|just)file$/i.test(name) ? name.toLowerCase() : 'unknown'
}
