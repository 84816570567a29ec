/** Counts declarations: methods of the store port, settings of a policy, records of a context. */
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

const source = join(import.meta.dirname, '../../packages/throughline/src')

/** The commands that a store author implements, without `tenant` and `close`. */
export function storeMethods(): readonly string[] {
  return methodsIn(bodyOf('ports/store.ts', 'TenantStore'))
}

export function policySettings(): readonly string[] {
  return [
    ...bodyOf('policies/policy-input.ts', 'PolicyOptions').matchAll(
      /^ {2}(?:readonly )?(\w+)\??:/gm,
    ),
  ].map(([, name = '']) => name)
}

/** The stages between a request and its commit, in the files that call them. */
const path = [
  'conversation/context.ts',
  'conversation/load-snapshot.ts',
  'engine.ts',
  'flow/epoch/make-view.ts',
]
/** Files whose stages are in separate files. */
const callers = ['engine.ts', 'flow/epoch/make-view.ts']
const request = ['ContextInput', 'ContextRequest']

/**
 * The named types that a stage accepts or returns. Without the stored types of `domain/`, the caller's
 * request, and services of a stage: ports, the runtime of the engine, and types with methods.
 */
export function contextRecords(): readonly string[] {
  const ofPath = path.flatMap((file) => typesIn(file, signaturesIn(read(file))))
  const ofStages = callers.flatMap((file) =>
    [...importsIn(file)].flatMap(([name, from]) => typesIn(from, signaturesIn(read(from), name))),
  )
  const records = [...ofPath, ...ofStages].filter(
    ({ name, file }) =>
      !/^(?:domain|ports)\/|\/runtime\.ts$/.test(file) &&
      !request.includes(name) &&
      methodsIn(declarationOf(file, name)).length === 0,
  )
  return [...new Set(records.map(({ name }) => name))].sort()
}

/** From the name of a function to the brace that opens its body, without parameter names. */
function signaturesIn(text: string, name = '\\w+'): string {
  const heads = text.matchAll(
    new RegExp(`^(?:export )?(?:async )?function ${name}\\b(.*\\{|[^]*?^\\).*\\{)$`, 'gm'),
  )
  return [...heads].map(([, head = '']) => head).join('\n')
}

interface NamedType {
  readonly name: string
  readonly file: string
}

/** Our types in a signature, each with the file that declares it. */
function typesIn(file: string, signatures: string): readonly NamedType[] {
  const imports = importsIn(file)
  const names = new Set(signatures.match(/(?<!['"])\b[A-Z]\w+\b/g))
  return [...names].flatMap((name) => {
    const from = imports.get(name) ?? file
    return isDeclared(from, name) ? [{ name, file: from }] : []
  })
}

function importsIn(file: string): ReadonlyMap<string, string> {
  const imports = read(file).matchAll(/^import (?:type )?\{([^}]*)\} from '(\.[^']+)'/gm)
  return new Map(
    [...imports].flatMap(([, names = '', from = '']) =>
      (names.match(/\b(?!type\b)\w+/g) ?? []).map(
        (name) => [name, posix.join(posix.dirname(file), from)] as const,
      ),
    ),
  )
}

function isDeclared(file: string, name: string): boolean {
  return new RegExp(`^(?:export )?(?:interface|type) ${name}\\b`, 'm').test(read(file))
}

/** The body of an interface; empty for other types. */
function declarationOf(file: string, name: string): string {
  return (
    new RegExp(`^(?:export )?interface ${name}\\b[^{]*\\{\\n([^]*?)\\n\\}`, 'm').exec(
      read(file),
    )?.[1] ?? ''
  )
}

function bodyOf(file: string, name: string): string {
  const body = declarationOf(file, name)
  if (body === '') throw new Error(`${file} declares no ${name}`)
  return body
}

function methodsIn(body: string): readonly string[] {
  return [...body.matchAll(/^ {2}(\w+)(?:<.*>)?\(/gm)].map(([, name = '']) => name)
}

function read(file: string): string {
  return readFileSync(join(source, file), 'utf8')
}
