/**
 * The reports in `packages/throughline/etc`: a page for each entry point with the signature of
 * everything that it exports, written by API Extractor with `npm run docs`. A review sees there what
 * changes for users, and `npm run check` fails where a page is out of date.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const packageFolder = join(import.meta.dirname, '..', 'packages', 'throughline')

export type ApiKind = 'class' | 'const' | 'function' | 'interface' | 'type'

export interface ReportedExport {
  readonly name: string
  readonly kind: ApiKind
}

export interface EntryFiles {
  /** As it is imported: `throughline/stores`. */
  readonly name: string
  /** From the folder of the package, without its extension: `stores/index`. */
  readonly path: string
  readonly report: string
}

export function entryFiles(): readonly EntryFiles[] {
  const { exports } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string | { readonly 'throughline-source': string }>>
  }
  return Object.entries(exports).flatMap(([entry, target]) => {
    if (typeof target === 'string') return []
    const name = `throughline${entry.slice(1)}`
    const path = target['throughline-source'].slice('./src/'.length, -'.ts'.length)
    return [
      { name, path, report: join(packageFolder, 'etc', `${name.replaceAll('/', '-')}.api.md`) },
    ]
  })
}

/** What an entry point exports, by the report as it was written last. */
export function reportedExports({ report }: EntryFiles): readonly ReportedExport[] {
  return [...readFileSync(report, 'utf8').matchAll(declaration)].map(
    ([, kind = '', name = '']) => ({ kind: kind as ApiKind, name }),
  )
}

const declaration = /^export (?:abstract )?(class|const|function|interface|type) ([\w$]+)/gm

/** Whether it is there when the program runs, and not for the compiler alone. */
export function isValue({ kind }: Pick<ReportedExport, 'kind'>): boolean {
  return kind === 'class' || kind === 'const' || kind === 'function'
}
