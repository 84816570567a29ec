/**
 * The rules of generateContent, from its references and its errors. They are stricter than the service in
 * some places: roles alternate, responses come first, ids are unique, and empty lists are left out.
 * Unknown part types pass, because the service often adds new ones.
 */
import type { RequestProblem } from '../../ports/adapter.ts'
import type { LoneBlock } from '../alternate-messages.ts'
import { isAnyBase64 } from '../media.ts'
import {
  bodyProblems,
  type Check,
  checkAlternation,
  checkEach,
  checkFields,
  checkObject,
  checkResultsFirst,
  checkToolList,
  isBoolean,
  isText,
  isValid,
  type MessageRules,
  matchesNameRule,
  must,
  mustBeObject,
  optional,
  type Report,
  type Shape,
  toolShape,
} from '../rules.ts'
import { type Fields, isFilled, isObject, listOf } from '../unknown-json.ts'
import { modelFields, sideFields } from './fields-data.ts'

type ContentRole = 'user' | 'model'

/** Everything that Gemini's generateContent would refuse; empty if valid. See `openaiChatProblems`. */
export function geminiContentsProblems(request: unknown): readonly RequestProblem[] {
  if (!isObject(request))
    return [{ rule: 'request-shape', at: '', message: 'must be an object with contents' }]
  const { systemInstruction, contents, tools } = request
  return bodyProblems({ systemInstruction, contents, tools }, (report) => {
    checkSystem(systemInstruction, 'systemInstruction', report)
    checkTools(tools, report)
    const checked = checkAlternation(contents, messageRules, report)
    if (checked !== null) checkPairs(checked, report)
  })
}

function checkSystem(instruction: unknown, at: string, report: Report) {
  if (instruction === undefined) return
  if (!isObject(instruction) || !Array.isArray(instruction['parts']))
    return report('system-shape', at, 'must be a content')
  const { role, parts, ...rest } = instruction
  if (Object.keys(rest).length > 0 || (role !== undefined && typeof role !== 'string'))
    report('system-shape', at, 'must have parts and at most a role besides')
  if (listOf(parts).length === 0) report('system-empty', `${at}.parts`, 'must hold a part')
  checkEach(listOf(parts), checkInstruction, `${at}.parts`, report)
}

function checkInstruction(part: unknown, at: string, report: Report): void {
  if (!isObject(part) || dataField(part) !== 'text') report('system-shape', at, 'must be text')
  else if (part['thought'] !== undefined || part['thoughtSignature'] !== undefined)
    report('system-shape', at, 'must not be a thought')
  else checkPart('user')(part, at, report)
}

/** The shorter of the two lengths that Google's own references name. */
export const nameRule = { pattern: /^[a-zA-Z_][a-zA-Z0-9_.:-]*$/, maxLength: 64 }
const nameText = 'must be 1 to 64 letters, digits, _ . : or -, and begin with a letter or _'
const functionShape = toolShape(nameRule, nameText)

/** Tools that the service runs itself are not checked. */
function checkTools(tools: unknown, report: Report): void {
  const names = new Set<unknown>()
  const checkFunction = checkObject('tools-shape', (declaration, at) => {
    const { name, parameters, parametersJsonSchema: schema } = declaration
    if (names.has(name)) report('duplicate-tool', `${at}.name`, 'is the name of another function')
    names.add(name)
    checkFields(declaration, functionShape, at, report)
    const schemas = [parameters, schema].filter((value) => value !== undefined)
    if (!schemas.every(isObject)) report('tool-schema', at, 'must have an object for a schema')
    if (schemas.length > 1) report('tool-schema', at, 'has two schemas for its parameters')
  })
  const checkTool = (tool: unknown, at: string) => {
    const declared = isObject(tool) ? tool['functionDeclarations'] : undefined
    if (!isObject(tool) || Object.keys(tool).length === 0)
      report('tools-shape', at, 'must be an object with a tool')
    else if (Array.isArray(declared) && declared.length > 0)
      checkEach(declared, checkFunction, `${at}.functionDeclarations`, report)
    else if (declared !== undefined) report('tools-shape', at, 'must declare a function')
  }
  checkToolList(tools, checkTool, report)
}

const messageRules: MessageRules = {
  word: 'content',
  modelRole: 'model',
  contentField: 'parts',
  checkContent: (parts, ofModel, at, report) => {
    if (!Array.isArray(parts)) report('content-shape', at, 'must be a list')
    else if (parts.length === 0) report('parts-empty', at, 'must hold a part')
    else checkEach(parts, checkPart(ofModel ? 'model' : 'user'), at, report)
  },
}

/** The name of the field with the data; null if there is none, or more than one. */
export function dataField(part: Fields): string | null {
  const isData = (key: string) => !sideFields.includes(key) && part[key] !== undefined
  const [first = null, second] = Object.keys(part).filter(isData)
  return second === undefined ? first : null
}

export function checkPart(role: ContentRole): Check {
  return (part, at, report) => {
    const field = isObject(part) ? dataField(part) : null
    if (!isObject(part) || field === null)
      return report('part-shape', at, 'must be an object with one field of data')
    const isOfModel = modelFields.includes(field) || part['thought'] === true
    if (role === 'user' ? isOfModel : field === 'functionResponse')
      return report('part-role', at, `is not allowed in a content of the ${role}`)
    checkFields(part, sideShape, at, report)
    checkData(part, field, `${at}.${field}`, report)
  }
}

/** Checks the form only: the service alone knows whether a signature is valid for its part. */
export function isSignature(value: unknown): value is string {
  return isFilled(value) && isAnyBase64(value)
}

const sideShape: Shape = {
  thoughtSignature: optional(must('signature', 'must be base64', isSignature)),
  thought: optional(must('part-shape', 'must be true or false', isBoolean)),
}

const dataShapes: Readonly<Record<string, Shape>> = {
  functionCall: { ...namedShape('call'), args: optional(mustBeObject('call-args')) },
  functionResponse: {
    ...namedShape('response'),
    response: mustBeObject('response-object'),
    parts: optional(checkResponseParts),
  },
}

function namedShape(what: string): Shape {
  return {
    id: optional(must(`${what}-id`, 'must be text', isFilled)),
    name: must(`${what}-name`, nameText, matchesNameRule(nameRule)),
  }
}

function checkData(part: Fields, field: string, at: string, report: Report): void {
  const data = part[field]
  if (field === 'text') {
    if (!isText(data)) report('part-shape', at, 'must be text')
    // A part may have no text if its only purpose is a signature.
    else if (data === '' && part['thoughtSignature'] === undefined)
      report('text-empty', at, 'must not be empty')
  } else if (!isObject(data)) report('part-shape', at, 'must be an object')
  else if (isMedia(part)) {
    if (!isValidMedia(field, data))
      report('media', at, 'must have a type and base64 data, or an address')
  } else checkFields(data, dataShapes[field] ?? {}, at, report)
}

function checkResponseParts(parts: unknown, at: string, report: Report): void {
  if (!Array.isArray(parts)) report('response-parts', at, 'must be a list')
  else
    for (const [index, part] of parts.entries())
      if (isObject(part) && isMedia(part)) checkPart('user')(part, `${at}[${index}]`, report)
      else report('response-parts', `${at}[${index}]`, 'must be inlineData or fileData')
}

function isMedia(part: Fields): boolean {
  const field = dataField(part)
  return field === 'inlineData' || field === 'fileData'
}

export function isResponsePart(part: Fields): boolean {
  return isMedia(part) && isValid(part, checkPart('user'))
}

function isValidMedia(field: string, { mimeType, data, fileUri }: Fields): boolean {
  const hasType = isFilled(mimeType) && /^[\w.+-]+\/[\w.+-]+(?:;[^\n]*)?$/.test(mimeType)
  return field === 'inlineData'
    ? hasType && isFilled(data) && isAnyBase64(data)
    : (hasType || mimeType === undefined) && isFilled(fileUri)
}

/**
 * Returns the index of the call for each response, or -1. A response with an id answers the call with that
 * id; one without an id answers the first open call of its name. Clients give ids to responses whose calls
 * have none: such a response also answers a call of its name.
 */
export function answeredCalls(calls: readonly Fields[], responses: readonly Fields[]) {
  const answered = new Set<number>()
  const answerFirst = (isAnswered: (call: Fields) => boolean) => {
    const callIndex = calls.findIndex((call, index) => !answered.has(index) && isAnswered(call))
    if (callIndex >= 0) answered.add(callIndex)
    return callIndex
  }
  // Responses with an id come first, so that one without an id does not answer their call.
  const byId = responses.map(({ id }) =>
    isFilled(id) ? answerFirst((call) => call['id'] === id) : -1,
  )
  return responses.map(({ id, name }, index) => {
    const callIndex = byId[index] ?? -1
    if (callIndex >= 0) return callIndex
    return answerFirst((call) => call['name'] === name && !(isFilled(id) && isFilled(call['id'])))
  })
}

function checkPairs(contents: readonly Fields[], report: Report): void {
  const partsOf = contents.map(({ parts }) => listOf(parts))
  const ids = new Set<unknown>()
  let callsBefore: DataWithPath = []
  for (const [index, parts] of partsOf.entries()) {
    const calls = dataWithPaths(parts, 'functionCall', index)
    for (const { at, data } of calls) {
      if (!isFilled(data['id'])) continue
      if (ids.has(data['id'])) report('duplicate-call', at, 'has an id that was used before')
      ids.add(data['id'])
    }
    checkAnswers(callsBefore, dataWithPaths(parts, 'functionResponse', index), report)
    const isResult = (part: unknown) => isObject(part) && part['functionResponse'] !== undefined
    checkResultsFirst(parts.map(isResult), `contents[${index}].parts`, report)
    callsBefore = calls
  }
  // Nothing follows the last content; `checkAlternation` reports if it is the model's.
  checkAnswers(callsBefore, [], report)
  for (const { message, block, problem } of lonePartsIn(partsOf))
    report('server-tool-pair', `contents[${message}].parts[${block}]`, problem)
}

function dataWithPaths(parts: readonly unknown[], field: string, contentIndex: number) {
  return parts.flatMap((part, index) => {
    const data = isObject(part) ? part[field] : undefined
    return isObject(data) ? [{ at: `contents[${contentIndex}].parts[${index}]`, data }] : []
  })
}

type DataWithPath = ReturnType<typeof dataWithPaths>

function checkAnswers(calls: DataWithPath, responses: DataWithPath, report: Report): void {
  const callIndexes = answeredCalls(
    calls.map(({ data }) => data),
    responses.map(({ data }) => data),
  )
  for (const [index, { at }] of calls.entries())
    if (!callIndexes.includes(index))
      report('call-without-result', at, 'has no response in the next content')
  for (const [index, { at, data }] of responses.entries()) {
    const call = calls[callIndexes[index] ?? -1]
    if (call === undefined) report('orphan-result', at, 'has no call in the content before')
    else if (call.data['name'] !== data['name'])
      report('response-call-name', at, 'has another name than its call')
  }
}

/** Results of code must follow the code in the same content; results of other tools must follow their call. */
export function lonePartsIn(contents: readonly (readonly unknown[])[]): readonly LoneBlock[] {
  const lone: LoneBlock[] = []
  const callIds = new Set<unknown>()
  for (const [message, parts] of contents.entries()) {
    let codeWithoutResult = 0
    for (const [block, part] of parts.entries()) {
      if (!isObject(part)) continue
      const { executableCode, codeExecutionResult, toolCall, toolResponse } = part
      if (isObject(executableCode)) codeWithoutResult += 1
      if (isObject(toolCall)) callIds.add(toolCall['id'])
      if (isObject(codeExecutionResult)) {
        if (codeWithoutResult > 0) codeWithoutResult -= 1
        else lone.push({ message, block, problem: 'has no code before it' })
      }
      if (isObject(toolResponse) && !callIds.has(toolResponse['id']))
        lone.push({ message, block, problem: 'has no call before it' })
    }
  }
  return lone
}
