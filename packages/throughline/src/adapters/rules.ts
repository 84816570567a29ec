/** Building blocks for providers' rules: a check reports the problems of a value, a shape checks an object. */
import type { RequestProblem } from '../ports/adapter.ts'
import type { NameRule } from './safe-name.ts'
import { type Fields, isFilled, isObject } from './unknown-json.ts'
import { commonProblems } from './well-formed.ts'

export type Report = (rule: string, at: string, message: string) => void
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

export function problemsOf(check: (report: Report) => void): readonly RequestProblem[] {
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
export function bodyProblems(body: Fields, check: (report: Report) => void) {
  const common = commonProblems(body)
  if (common.some(({ rule }) => rule !== 'unicode')) return common
  return [...common, ...problemsOf(check)]
}

export function matchesNameRule({ pattern, maxLength }: NameRule): (name: unknown) => boolean {
  return (name) => isFilled(name) && name.length <= maxLength && pattern.test(name)
}

/** A provider's words for its messages, and the check of their content. */
export interface MessageRules {
  /** The word for a message; `${word}s` is the field of the request with all messages. */
  readonly word: 'message' | 'content'
  readonly modelRole: string
  readonly contentField: string
  readonly checkContent: (content: unknown, ofModel: boolean, at: string, report: Report) => void
  /** Checks a system message between the others; without it, there must be none. */
  readonly checkSystemMessage?: FieldsCheck
}

/**
 * Checks each message, and that the roles alternate and the user's messages are first and last. Returns the
 * messages; null if one has no role, because calls and results cannot be paired then.
 */
export function checkAlternation(messages: unknown, rules: MessageRules, report: Report) {
  const { word, modelRole, contentField, checkContent } = rules
  if (!Array.isArray(messages) || messages.length === 0) {
    report(`${word}s-empty`, `${word}s`, `must hold a ${word}`)
    return null
  }
  let hasRoles = true
  // Gemini treats a single content without a role as the user's.
  const mayOmitRole = word === 'content' && messages.length === 1
  const checkMessage = checkObject(`${word}-shape`, (message, at, add) => {
    const { role, [contentField]: content, ...others } = message
    if (role === 'system' && rules.checkSystemMessage !== undefined)
      return rules.checkSystemMessage(message, at, add)
    if (role !== 'user' && role !== modelRole && !(role === undefined && mayOmitRole))
      return add('role', `${at}.role`, `must be user or ${modelRole}`)
    for (const field of Object.keys(others))
      add(`${word}-fields`, `${at}.${field}`, `is not a field of a ${word}`)
    checkContent(content, role === modelRole, `${at}.${contentField}`, add)
  })
  checkEach(messages, checkMessage, `${word}s`, (rule, at, message) => {
    if (rule === `${word}-shape` || rule === 'role') hasRoles = false
    report(rule, at, message)
  })
  if (!hasRoles) return null
  const checked: readonly Fields[] = messages
  let before: Fields | null = null
  for (const [index, message] of checked.entries()) {
    const at = `${word}s[${index}]`
    if (message['role'] === 'system') {
      checkSystemPlace(checked, index, modelRole, (text) => report('system-position', at, text))
      continue
    }
    const ofModel = message['role'] === modelRole
    if (before === null && ofModel) report(`first-${word}`, at, 'must be the user’s')
    if (before !== null && ofModel === (before['role'] === modelRole))
      report('alternation', at, `must have another role than the ${word} before it`)
    if (index === checked.length - 1 && ofModel) report(`last-${word}`, at, 'must be the user’s')
    before = message
  }
  return checked
}

/** After the user, and before the model or at the end. */
function checkSystemPlace(
  messages: readonly Fields[],
  index: number,
  modelRole: string,
  add: (text: string) => void,
): void {
  const before = messages[index - 1]?.['role']
  const after = messages[index + 1]?.['role']
  if (before === undefined) add('must not be first')
  else if (before === 'system') add('must not follow another one of the system')
  else if (before === modelRole) add('must follow the user')
  else if (after !== undefined && after !== modelRole && after !== 'system')
    add('must be last, or before an answer')
}

export function checkToolList(tools: unknown, checkTool: Check, report: Report): void {
  if (tools === undefined) return
  if (!Array.isArray(tools)) report('tools-shape', 'tools', 'must be a list of tools')
  else if (tools.length === 0) report('tools-empty', 'tools', 'must hold a tool or be left out')
  else checkEach(tools, checkTool, 'tools', report)
}

export function toolShape(rule: NameRule, message: string): Shape {
  return {
    name: must('tool-name', message, matchesNameRule(rule)),
    description: optional(must('tools-shape', 'must be text', isText)),
  }
}

export const mustBeObject = (rule: string): Check => must(rule, 'must be an object', isObject)

/** Checks an object with `check`; reports any other value as a problem of the rule. */
export function checkObject(rule: string, check: FieldsCheck): Check {
  return (value, at, report) => {
    if (isObject(value)) check(value, at, report)
    else report(rule, at, 'must be an object')
  }
}

export function checkResultsFirst(isResult: readonly boolean[], at: string, report: Report): void {
  const lateIndex = isResult.findIndex((result, index) => result && isResult[index - 1] === false)
  if (lateIndex >= 0)
    report('result-position', `${at}[${lateIndex}]`, 'must come before all other parts')
}
