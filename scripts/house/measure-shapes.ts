/** What is counted in declarations: methods of the store port, settings of a policy, records of a context. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const source = join(import.meta.dirname, '../../packages/throughline/src')

/** The commands that a store author writes; `tenant` and `close` are not among them. */
export function storeMethods(): readonly string[] {
  return methodsIn(bodyOf('ports/store.ts', 'TenantStore'))
}

export function policySettings(): readonly string[] {
  return fieldsIn(bodyOf('policies/policy-input.ts', 'PolicyOptions'))
}

/** The types that carry a context from stage to stage. */
export function contextRecords(): readonly string[] {
  return namesIn('flow/project/records.ts')
}

function bodyOf(file: string, name: string): string {
  const text = readFileSync(join(source, file), 'utf8')
  const body = new RegExp(
    `^export (?:interface|type) ${name}[^{]*\\{\\n([\\s\\S]*?)\\n\\}`,
    'm',
  ).exec(text)
  if (body?.[1] === undefined) throw new Error(`${file} declares no ${name}`)
  return body[1]
}

function methodsIn(body: string): readonly string[] {
  return [...body.matchAll(/^ {2}(\w+)\(/gm)].map(([, name = '']) => name)
}

function fieldsIn(body: string): readonly string[] {
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??:/gm)].map(([, name = '']) => name)
}

function namesIn(file: string): readonly string[] {
  const text = readFileSync(join(source, file), 'utf8')
  return [...text.matchAll(/^export interface (\w+)/gm)].map(([, name = '']) => name)
}
