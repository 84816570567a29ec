/** Building blocks for providers' rules: a check reports the problems of a value, a shape checks an object. */
import type { RequestProblem } from '../ports/adapter.ts'
import type { NameRule } from './safe-name.ts'
import { type Fields, isFields, isFilled } from './unknown-json.ts'
import { flawsIn } from './well-formed.ts'

export type Report = (rule: string, at: string, message: string) => void
export type Rules = (report: Report) => void
type CheckOf<Value> = (value: Value, at: string, report: Report) => void
export type Check = CheckOf<unknown>
export type FieldsCheck = CheckOf<Fields>
export type Shape = Readonly<Record<string, Check>>

export function must(rule: string, message: string, holds: (value: unknown) => boolean): Check {
  return (value, at, report) => {
    if (!holds(value)) report(rule, at, message)
  }
}

export function optional(check: Check): Check {
  return (value, at, report) => {
    if (value !== undefined) check(value, at, report)
  }
}

export const isText = (value: unknown): value is string => typeof value === 'string'
export const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'

export function checkFields(value: Fields, shape: Shape, at: string, report: Report): void {
  for (const field of Object.keys(shape)) shape[field]?.(value[field], `${at}.${field}`, report)
}

export function checkEach(list: readonly unknown[], check: Check, at: string, report: Report) {
  for (const [index, item] of list.entries()) check(item, `${at}[${index}]`, report)
}

export function problemsOf(check: Rules): readonly RequestProblem[] {
  const problems: RequestProblem[] = []
  check((rule, at, message) => problems.push({ rule, at, message }))
  return problems
}

export function isValid<Value>(value: Value, check: CheckOf<Value>): boolean {
  return problemsOf((report) => check(value, '', report)).length === 0
}

export function validOrNull<Value>(value: Value | null, check: CheckOf<Value>): Value | null {
  return value !== null && isValid(value, check) ? value : null
}

/** Problems that every provider refuses come first; a body that is not JSON is not checked further. */
export function bodyProblems(body: Fields, check: Rules): readonly RequestProblem[] {
  const flaws = flawsIn(body)
  if (flaws.some(({ rule }) => rule !== 'unicode')) return flaws
  return [...flaws, ...problemsOf(check)]
}

export function isNamed({ allowed, lengthMax }: NameRule): (name: unknown) => boolean {
  return (name) => isFilled(name) && name.length <= lengthMax && allowed.test(name)
}

/** The provider's names for a turn, for the role of its model and for the field with the content. */
export interface TurnNames {
  readonly what: 'message' | 'content'
  readonly model: string
  readonly body: string
  readonly checkBody: (body: unknown, ofModel: boolean, at: string, report: Report) => void
}

/** Checks that turns alternate and the user's are first and last. Null if a turn is invalid: skip pair checks. */
export function validTurns(turns: unknown, names: TurnNames, report: Report) {
  const { what, model, body, checkBody } = names
  if (!Array.isArray(turns) || turns.length === 0) {
    report(`${what}s-empty`, `${what}s`, `must hold a ${what}`)
    return null
  }
  let invalid = false
  // A single content without a role is the user's.
  const alone = what === 'content' && turns.length === 1
  const checkTurn = fieldsOr(`${what}-shape`, ({ role, [body]: content, ...rest }, at, add) => {
    if (role !== 'user' && role !== model && !(role === undefined && alone))
      return add('role', `${at}.role`, `must be user or ${model}`)
    for (const field of Object.keys(rest))
      add(`${what}-fields`, `${at}.${field}`, `is not a field of a ${what}`)
    checkBody(content, role === model, `${at}.${body}`, add)
  })
  checkEach(turns, checkTurn, `${what}s`, (rule, at, message) => {
    invalid ||= rule === `${what}-shape` || rule === 'role'
    report(rule, at, message)
  })
  if (invalid) return null
  const valid: readonly Fields[] = turns
  for (const [index, { role }] of valid.entries()) {
    const at = `${what}s[${index}]`
    const ofModel = role === model
    if (index === 0 && ofModel) report(`first-${what}`, at, 'must be the user’s')
    if (index > 0 && ofModel === (valid[index - 1]?.['role'] === model))
      report('alternation', at, `must have another role than the ${what} before it`)
    if (index === valid.length - 1 && ofModel) report(`last-${what}`, at, 'must be the user’s')
  }
  return valid
}

export function checkToolList(tools: unknown, each: Check, report: Report): void {
  if (tools === undefined) return
  if (!Array.isArray(tools)) report('tools-shape', 'tools', 'must be a list of tools')
  else if (tools.length === 0) report('tools-empty', 'tools', 'must hold a tool or be left out')
  else checkEach(tools, each, 'tools', report)
}

export function toolShape(rule: NameRule, message: string): Shape {
  return {
    name: must('tool-name', message, isNamed(rule)),
    description: optional(must('tools-shape', 'must be text', isText)),
  }
}

export const objectOf = (rule: string): Check => must(rule, 'must be an object', isFields)

export function fieldsOr(rule: string, check: FieldsCheck): Check {
  return (value, at, report) => {
    if (isFields(value)) check(value, at, report)
    else report(rule, at, 'must be an object')
  }
}

export function checkResultsFirst(isResult: readonly boolean[], at: string, report: Report): void {
  const other = isResult.indexOf(false)
  const late = other < 0 ? -1 : isResult.indexOf(true, other)
  if (late >= 0) report('result-position', `${at}[${late}]`, 'must come before all other parts')
}
