/**
 * Generates documents from the schema of policies and settings: the tables in docs/policies.md, and the
 * JSON Schemas for editors.
 */
import { toJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { policyNames } from '../packages/throughline/src/domain/policy-names-data.ts'
import { turnRules } from '../packages/throughline/src/domain/turn-rules-data.ts'
import { policySchema, trigger } from '../packages/throughline/src/policies/policy-schema.ts'
import { policies } from '../packages/throughline/src/policies/presets.ts'
import {
  policyChoice,
  settingsSchema,
} from '../packages/throughline/src/policies/settings-schema.ts'

export interface SettingRow {
  readonly path: string
  readonly sentence: string
  /** The value in `balanced`. */
  readonly value: unknown
}

/** The tables of docs/policies.md, by the name of their place. */
export function policyTables(): ReadonlyMap<string, string> {
  const { advanced, ...settings } = policies.balanced
  const few = rowsOf(policySchema, { ...settings, extends: 'balanced', name: undefined })
  const turns = { ...advanced, turns: turnRules }
  return new Map([
    ['settings', tableOf(few.filter(({ path }) => path !== 'advanced'))],
    ['advanced settings', tableOf(rowsOf(policySchema.entries.advanced, turns, 'advanced.'))],
  ])
}

/** The settings of an object and its nested objects, with the values of `balanced`. */
function rowsOf(schema: v.GenericSchema, values: object, prefix = ''): readonly SettingRow[] {
  const fields = values as Readonly<Record<string, unknown>>
  return Object.entries(entriesOf(schema) ?? {}).flatMap(([name, entry]) => {
    const value = fields[name]
    const path = `${prefix}${name}`
    const row = { path, sentence: sentenceOf(entry), value }
    const isPart = name !== 'advanced' && entriesOf(entry) !== null && typeof value === 'object'
    return isPart && value !== null ? [row, ...rowsOf(entry, value, `${path}.`)] : [row]
  })
}

function tableOf(rows: readonly SettingRow[]): string {
  const cells = rows.map(({ path, sentence, value }) => {
    const isPart = rows.some((other) => other.path.startsWith(`${path}.`))
    return `| \`${path}\` | ${isPart || value === undefined ? '' : `\`${inline(value)}\``} | ${sentence} |`
  })
  return ['| setting | `balanced` | |', '|---|---|---|', ...cells].join('\n')
}

/** `{ ratio: 0.15 }`, as in a program; omits a long list. */
function inline(value: unknown): string {
  const text = JSON.stringify(value)
    .replace(/"(\w+)":/g, ' $1: ')
    .replaceAll('}', ' }')
    .replaceAll('"', "'")
  return text.length > 120 ? '[ … ]' : text
}

export function sentenceOf(entry: v.GenericSchema): string {
  return v.getDescription(wrappedIn(entry) ?? entry) ?? v.getDescription(entry) ?? ''
}

type Parts = Readonly<{
  entries?: Readonly<Record<string, v.GenericSchema>>
  wrapped?: v.GenericSchema
  item?: v.GenericSchema
  value?: v.GenericSchema
  options?: readonly (v.GenericSchema | string)[]
  getter?: (input: unknown) => v.GenericSchema
}>

function wrappedIn(schema: v.GenericSchema): v.GenericSchema | undefined {
  return (schema as Parts).wrapped
}

/** The entries of an object schema, also of an optional one; null for anything else. */
function entriesOf(schema: v.GenericSchema): Parts['entries'] | null {
  const wrapped = schema.type === 'optional' ? wrappedIn(schema) : undefined
  return (wrapped as Parts | undefined)?.entries ?? (schema as Parts).entries ?? null
}

/** Every setting of the schema, at any depth. */
export function everySetting(
  schema: v.GenericSchema,
  path = '',
  seen = new Set<unknown>(),
): readonly (readonly [path: string, entry: v.GenericSchema])[] {
  const { entries = {}, wrapped, item, value, options = [], getter } = schema as Parts
  if (seen.has(getter ?? schema)) return []
  seen.add(getter ?? schema)
  const own = Object.entries(entries).map(([name, entry]) => [`${path}.${name}`, entry] as const)
  const inner = [wrapped, item, value, getter?.(undefined), getter?.({}), ...options].flatMap(
    (each) => (typeof each === 'object' ? [[path, each] as const] : []),
  )
  return [...own, ...[...own, ...inner].flatMap(([where, each]) => everySetting(each, where, seen))]
}

/** The JSON Schemas, by file name. */
export function jsonSchemas(): ReadonlyMap<string, object> {
  const settings = { errorMode: 'ignore', typeMode: 'input', definitions: { trigger } } as const
  const policy = toJsonSchema(policySchema, settings)
  const { $defs: _, $schema: __, ...policyObject } = policy
  const config = toJsonSchema(settingsSchema, {
    ...settings,
    overrideSchema: ({ valibotSchema, jsonSchema }) =>
      valibotSchema.type === 'lazy' && (valibotSchema as Parts).getter === policyChoice.getter
        ? { anyOf: [{ enum: [...policyNames] }, policyObject] }
        : jsonSchema,
  })
  return new Map([
    ['policy.schema.json', { title: 'A policy of Throughline', ...policy }],
    ['config.schema.json', { title: 'Settings of Throughline', ...config }],
  ])
}
