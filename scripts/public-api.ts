/**
 * What users can import, entry point by entry point, read from the source: name, kind, what
 * it is for and the example beside it. Our files export in two forms only, a declaration at the start of
 * a line and a list from another file, so that reading them takes no compiler.
 */
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type ApiMethod, methodsOf } from './api-methods.ts'
import { declaredNames } from './declared-names.ts'
import { type JsDoc, jsDocAbove, jsDocBefore } from './js-doc.ts'

const packageFolder = join(import.meta.dirname, '..', 'packages', 'throughline')

export type ApiKind = 'function' | 'class' | 'constant' | 'interface' | 'type'

export interface ApiExport extends JsDoc {
  readonly name: string
  readonly kind: ApiKind
  /** The file that declares it, from the folder of the package. */
  readonly file: string
  /** Types that it names where its users see them. */
  readonly names: readonly string[]
  /** Of an interface; empty for all others. */
  readonly methods: readonly ApiMethod[]
}

export interface EntryPoint {
  /** As it is imported: `throughline/stores`. */
  readonly name: string
  /** What the first comment of its file says. */
  readonly purpose: string
  readonly exports: readonly ApiExport[]
}

export function publicApi(): readonly EntryPoint[] {
  const { exports } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string | { readonly 'throughline-source': string }>>
  }
  return Object.entries(exports).flatMap(([path, target]) => {
    if (typeof target === 'string') return []
    const file = target['throughline-source'].slice('./'.length)
    const found = exportsOf(file).toSorted(byName)
    return [
      {
        name: `throughline${path.slice(1)}`,
        purpose: jsDocAbove(textOf(file)).prose,
        exports: found,
      },
    ]
  })
}

/** Whether it is there when the program runs, and not for the compiler alone. */
export function isValue({ kind }: ApiExport): boolean {
  return kind === 'function' || kind === 'class' || kind === 'constant'
}

function exportsOf(file: string): readonly ApiExport[] {
  const text = textOf(file)
  const declared = [...text.matchAll(declaration)].map((match) => {
    const [name, kind] = [match[2] ?? '', kindOf(match[1] ?? '')]
    const doc = jsDocBefore(text, match.index)
    // A file that is named for its type says in its header what that is.
    const isNamesake = kind === 'interface' || kind === 'type' ? isNamed(file, name) : false
    const sentence = doc.sentence || (isNamesake ? jsDocAbove(text).sentence : '')
    const names = declaredNames(text, match.index)
    const methods = kind === 'interface' ? methodsOf(text, match.index) : []
    return { ...doc, name, kind, file, sentence, names, methods }
  })
  const listed = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)'/gm)]
  return [
    ...declared,
    ...listed.flatMap(([, names = '', from = '']) =>
      namesIn(names).map((name) => exportOf(join(dirname(file), from), name)),
    ),
  ]
}

const declaration =
  /^export (?:declare )?(?:async )?(?:abstract )?(function\*?|class|const|interface|type) ([\w$]+)/gm

function isNamed(file: string, type: string): boolean {
  return basename(file, '.ts').replaceAll('-', '') === type.toLowerCase()
}

function exportOf(file: string, name: string): ApiExport {
  const found = exportsOf(file).find((each) => each.name === name)
  if (found === undefined) throw new Error(`${file} exports no ${name} in a form that is read here`)
  return found
}

function namesIn(list: string): readonly string[] {
  return list
    .split(',')
    .map((name) => name.trim().replace(/^type /, ''))
    .filter((name) => name !== '')
}

function kindOf(word: string): ApiKind {
  if (word === 'const') return 'constant'
  if (word === 'class' || word === 'interface' || word === 'type') return word
  return 'function'
}

function byName(one: ApiExport, other: ApiExport): number {
  return Number(isValue(other)) - Number(isValue(one)) || one.name.localeCompare(other.name, 'en')
}

const texts = new Map<string, string>()

function textOf(file: string): string {
  const text = texts.get(file) ?? readFileSync(join(packageFolder, file), 'utf8')
  texts.set(file, text)
  return text
}
