/**
 * The reports in `packages/throughline/etc`: a page per entry point with the signature of every export,
 * written by API Extractor with `npm run docs`. They show reviewers what changes for users, and
 * `npm run check` fails if a page is out of date.
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
  /** Its import path: `throughline/stores`. */
  readonly name: string
  /** Relative to the package folder, without extension: `stores/index`. */
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

/** The exports of an entry point, according to its last report. */
export function reportedExports({ report }: EntryFiles): readonly ReportedExport[] {
  return [...readFileSync(report, 'utf8').matchAll(declaration)].map(
    ([, kind = '', name = '']) => ({ kind: kind as ApiKind, name }),
  )
}

const declaration = /^export (?:abstract )?(class|const|function|interface|type) ([\w$]+)/gm

/** Whether the export exists at run time, and not only for the compiler. */
export function isValue({ kind }: Pick<ReportedExport, 'kind'>): boolean {
  return kind === 'class' || kind === 'const' || kind === 'function'
}
