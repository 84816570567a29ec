/**
 * Finds which tests name which requirements. Reads test files as text, because loading them all would
 * take as long as running them. A name is the title of a test or group, or a table row that fills the
 * title.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface NamingTest {
  readonly file: string
  readonly name: string
}

export type NamedRequirements = ReadonlyMap<string, readonly NamingTest[]>

const root = join(import.meta.dirname, '..')
const idOrRange = /\b([AHKMU]|P[0-2]|S[0-4])-(\d{3})(?:…(\d{3}))?/g
const literal = /(['"`])((?:\\.|(?!\1).)*)\1/g
/** A title follows `it(` and the like or the table of `it.each`, or is on a line of its own. */
const titleLine = /^(?:(?:it|test|describe)\b|\][^'"`]*\)\(|\)\(|['"`].*['"`],$)/

export function requirementTests(): NamedRequirements {
  const files = globSync(['packages/*/{src,test}/**/*.test.ts', '{bench,harness}/**/*.test.ts'], {
    cwd: root,
  }).toSorted()
  return namedRequirements(
    files.map((file) => ({
      file: file.replaceAll('\\', '/'),
      text: readFileSync(join(root, file), 'utf8'),
    })),
  )
}

export function namedRequirements(
  files: readonly { readonly file: string; readonly text: string }[],
): NamedRequirements {
  const named = new Map<string, NamingTest[]>()
  for (const { file, text } of files)
    for (const name of namesIn(text))
      for (const id of idsIn(name)) {
        const tests = named.get(id) ?? []
        named.set(id, tests)
        tests.push({ file, name })
      }
  return named
}

function namesIn(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.flatMap((line, at) => {
    if (titleLine.test(line)) return literalsWithIds(line)
    if (!line.startsWith('[')) return []
    return literalsWithIds(line).map((row) => filledTitle(row, lines.slice(at + 1)))
  })
}

function literalsWithIds(line: string): readonly string[] {
  return [...line.matchAll(literal)]
    .map(([, , inside = '']) => inside)
    .filter((inside) => idsIn(inside).length > 0)
}

/** A row with only an id says little, so it includes the title that it fills. */
function filledTitle(row: string, below: readonly string[]): string {
  if (row.includes(' ')) return row
  const title = below.find((line) => /^(?:\][^'"`]*\)\(|\)\()['"`]/.test(line))
  const [, , inside] = title === undefined ? [] : ([...title.matchAll(literal)][0] ?? [])
  return inside === undefined ? row : inside.replace('%s', row)
}

function idsIn(name: string): readonly string[] {
  return [...name.matchAll(idOrRange)].flatMap(([, series = '', first = '', last = first]) =>
    Array.from(
      { length: Math.max(Number(last) - Number(first) + 1, 1) },
      (_, at) => `${series}-${String(Number(first) + at).padStart(3, '0')}`,
    ),
  )
}
