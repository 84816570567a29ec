/**
 * Building blocks for the schemas of settings. Parsing, error messages, the JSON Schema for editors
 * and the tables in the docs all use one schema. No type of the schema library is exported.
 */
import * as v from 'valibot'
import { describe, nearest } from '../domain/text.ts'
import { ThroughlineError } from '../errors.ts'

/** An object with only these settings; `advice` explains unknown names. */
export function object<const Entries extends v.ObjectEntries>(
  entries: Entries,
  advice: (name: string) => string | null = () => null,
): v.StrictObjectSchema<Entries, v.ErrorMessage<v.StrictObjectIssue>> {
  const names = Object.keys(entries)
  // Without a prototype; otherwise "constructor" would be a known name.
  const ownEntries = Object.assign(Object.create(null), entries) as Entries
  const schema = v.strictObject(ownEntries, ({ expected, path }) => {
    if (expected === 'Object') return 'must be an object'
    const name = String(path?.at(-1)?.key)
    return expected === 'never' ? (advice(name) ?? adviceForUnknown(name, names)) : 'is missing'
  })
  return refuseArrays(schema)
}

export function byName<const Value extends v.GenericSchema>(value: Value) {
  return refuseArrays(v.record(v.string(), value, 'must be an object, by name'))
}

/** The library accepts an array as an object without fields. */
function refuseArrays<Schema extends v.GenericSchema>(schema: Schema): Schema {
  const run: Schema['~run'] = (dataset, config) => {
    if (!Array.isArray(dataset.value)) return schema['~run'](dataset, config)
    v._addIssue(schema, 'type', dataset, config)
    return dataset as ReturnType<Schema['~run']>
  }
  return { ...schema, '~run': run }
}

export function adviceForUnknown(name: string, names: readonly string[]): string {
  const similar = nearest(name, names)
  return similar === null ? `the settings are ${names.join(', ')}` : `did you mean "${similar}"?`
}

export function whole(min = 0, max: number = Number.MAX_SAFE_INTEGER) {
  const limit = max === Number.MAX_SAFE_INTEGER ? '' : ` to ${max}`
  const message = `must be a whole number from ${min}${limit}`
  return v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(min, message),
    v.maxValue(max, message),
  )
}

export function ratio(max = 1) {
  const message = `must be a ratio from 0 to ${max}`
  return v.pipe(v.number(message), v.minValue(0, message), v.maxValue(max, message))
}

export const number = v.pipe(v.number('must be a number'), v.finite('must be a number'))

const usdMessage = 'must be a number of US dollars from 0'
export const usd = v.pipe(v.number(usdMessage), v.finite(usdMessage), v.minValue(0, usdMessage))

export function text(what = 'a text') {
  return v.pipe(v.string(`must be ${what}`), v.nonEmpty(`must be ${what}`))
}

export const boolean = v.boolean('must be true or false')

export function oneOf<const Options extends readonly string[]>(options: Options) {
  return v.picklist(options, `must be ${listNames(options)}`)
}

export function listNames(names: readonly string[]): string {
  return names.length < 2
    ? names.join('')
    : `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`
}

/** A required setting, with the sentence that documents it. */
export function required<const Schema extends v.GenericSchema>(schema: Schema, sentence: string) {
  return v.pipe(schema, v.description<v.InferOutput<Schema>, string>(sentence))
}

/** An optional setting, with the sentence that documents it. */
export function setting<const Schema extends v.GenericSchema>(schema: Schema, sentence: string) {
  return v.optional(required(schema, sentence))
}

/** An optional setting with a default. */
export function settingOr<
  const Schema extends v.GenericSchema,
  const Default extends v.InferInput<Schema>,
>(schema: Schema, defaultValue: Default, sentence: string) {
  return v.optional(required(schema, sentence), defaultValue)
}

export const pricesSettings = {
  inputUsd: required(usd, 'US dollars for a million tokens of input.'),
  outputUsd: required(usd, 'US dollars for a million tokens of output.'),
  cachedInputUsd: setting(usd, 'The same for input that is read from a cache.'),
  cacheWriteUsd: setting(usd, 'The same for input that is written into a cache.'),
}

/** A check across settings; its error message shows no values. */
export function rule<Value>(isValid: (value: Value) => boolean, message: string) {
  return v.check<Value, string>(isValid, message)
}

/** Parses an input; the error names what is wrong, where, and what is allowed. */
export function parseSettings<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
  where: string,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, input, { abortPipeEarly: true })
  if (parsed.success) return parsed.output
  throw new ThroughlineError('CONFIG_INVALID', `${where}${problemsOf(parsed.issues, [])}`)
}

/** What is wrong with a setting, beginning with its path; null where nothing is. */
export function problemIn(schema: v.GenericSchema, input: unknown, name: string): string | null {
  const { issues } = v.safeParse(schema, input, { abortPipeEarly: true })
  return issues === undefined ? null : problemsOf(issues, [name])
}

const maxProblems = 3

type Keys = readonly (string | number)[]

function problemsOf(issues: readonly v.BaseIssue<unknown>[], root: Keys): string {
  return issues
    .slice(0, maxProblems)
    .map((issue) => problemOf(issue, root))
    .join('; ')
}

function problemOf(issue: v.BaseIssue<unknown>, root: Keys): string {
  const keys = (issue.path ?? []).map(({ key }) => key as string | number)
  const path = pathOf([...root, ...keys])
  if (issue.type === 'strict_object' && issue.expected === 'never')
    return `unknown setting "${path}"; ${issue.message}`
  // A text that failed a check may be a secret, and a missing value says nothing.
  const isHidden = ['check', 'raw_check', 'regex'].includes(issue.type) || issue.input === undefined
  return `${path} ${issue.message}${isHidden ? '' : `, got ${describe(issue.input)}`}`.trimStart()
}

function pathOf(keys: Keys): string {
  return keys
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`
      if (!/^[A-Za-z_$][\w$-]*$/.test(key)) return `[${describe(key)}]`
      return index === 0 ? key : `.${key}`
    })
    .join('')
}
