/**
 * What the AI SDK takes as a part: the schemas of its model messages, as tables of
 * fields, and what its conversion throws on. Unknown fields pass, if they are JSON.
 */
import type { Role } from '../../domain/message.ts'
import { depthMax, type Fields, isJson, isPlain } from '../unknown-json.ts'
import {
  checkBytes,
  checkFileData,
  checkReasoningData,
  checkUrl,
  type Report,
} from './file-rules.ts'
import { isProviderOptions } from './notes.ts'

type Check = (value: unknown, at: string, report: Report) => void
type Shape = Readonly<Record<string, Check>>

const string = must('a string', (value) => typeof value === 'string')
const filled = must('a filled string', (value) => typeof value === 'string' && value !== '')
const boolean = must('true or false', (value) => typeof value === 'boolean')
const json = must(`JSON, at most ${depthMax} deep`, isJson)
const references = must(
  'an object of strings',
  (value) => isPlain(value) && Object.values(value).every((id) => typeof id === 'string'),
)
const fileId = must(
  'a string or an object of strings',
  (value) =>
    typeof value === 'string' ||
    (isPlain(value) && Object.values(value).every((id) => typeof id === 'string')),
)

function must(what: string, holds: (value: unknown) => boolean): Check {
  return (value, at, report) => {
    if (!holds(value)) report('field', at, `must be ${what}`)
  }
}

function optional(check: Check): Check {
  return (value, at, report) => {
    if (value !== undefined) check(value, at, report)
  }
}

const file = { data: checkFileData, mediaType: filled, filename: optional(string) }

const items: Readonly<Record<string, Shape>> = {
  text: { text: string },
  file: { ...file, data: tagged },
  'file-data': { data: checkBytes, mediaType: filled, filename: optional(string) },
  'file-url': { url: checkUrl, mediaType: optional(filled) },
  'file-id': { fileId },
  'file-reference': { providerReference: references },
  'image-data': { data: checkBytes, mediaType: filled, filename: optional(string) },
  'image-url': { url: checkUrl },
  'image-file-id': { fileId },
  'image-file-reference': { providerReference: references },
  custom: {},
}

function tagged(value: unknown, at: string, report: Report): void {
  if (isPlain(value) && typeof value['type'] === 'string') checkFileData(value, at, report)
  else report('file-data', at, 'must be data with a tag in the output of a tool')
}

const outputs: Readonly<Record<string, Shape>> = {
  text: { value: string },
  json: { value: json },
  'error-text': { value: string },
  'error-json': { value: json },
  'execution-denied': { reason: optional(string) },
  content: { value: checkItems },
}

function checkItems(value: unknown, at: string, report: Report): void {
  if (!Array.isArray(value)) report('field', at, 'must be an array')
  else
    for (const [index, item] of value.entries()) checkShape(item, items, `${at}[${index}]`, report)
}

const result: Shape = {
  toolCallId: filled,
  toolName: filled,
  output: (value, at, report) => checkShape(value, outputs, at, report),
}

const parts: Readonly<Record<Role, Readonly<Record<string, Shape>>>> = {
  system: {},
  user: {
    text: { text: string },
    image: { image: imageData, mediaType: optional(filled), filename: optional(string) },
    file,
  },
  assistant: {
    text: { text: string },
    file,
    reasoning: { text: string },
    'reasoning-file': { data: checkReasoningData, mediaType: filled },
    custom: { kind: filled },
    'tool-call': {
      toolCallId: filled,
      toolName: filled,
      input: json,
      providerExecuted: optional(boolean),
    },
    'tool-result': result,
    'tool-approval-request': {
      approvalId: filled,
      toolCallId: filled,
      reason: optional(string),
      isAutomatic: optional(boolean),
      signature: optional(string),
    },
  },
  tool: {
    'tool-result': result,
    'tool-approval-response': {
      approvalId: filled,
      approved: boolean,
      reason: optional(string),
      providerExecuted: optional(boolean),
    },
  },
}

function imageData(value: unknown, at: string, report: Report): void {
  if (isPlain(value) && 'type' in value) report('file-data', at, 'must be without a tag')
  else checkFileData(value, at, report)
}

export function checkPart(part: unknown, role: Role, at: string, report: Report): void {
  checkShape(part, parts[role], at, report)
}

/** Whether a part may stand in a message of this role. */
export function isSound(part: Fields, role: Role): boolean {
  return passes((report) => checkPart(part, role, '', report))
}

/** Whether an item may stand in the output of a tool. */
export function isSoundItem(item: Fields): boolean {
  return passes((report) => checkShape(item, items, '', report))
}

function passes(check: (report: Report) => void): boolean {
  let sound = true
  check(() => {
    sound = false
  })
  return sound
}

function checkShape(
  value: unknown,
  shapes: Readonly<Record<string, Shape>>,
  at: string,
  report: Report,
): void {
  if (!isPlain(value)) {
    report('part', at, 'must be an object')
    return
  }
  const { type } = value
  const shape = typeof type === 'string' && Object.hasOwn(shapes, type) ? shapes[type] : undefined
  if (shape === undefined) {
    report('part-type', `${at}.type`, `must be one of ${Object.keys(shapes).join(', ')}`)
    return
  }
  for (const [field, check] of Object.entries(shape)) check(value[field], `${at}.${field}`, report)
  checkOthers(value, ['type', ...Object.keys(shape)], at, report)
}

/** Provider options, and fields that the SDK passes over. */
export function checkOthers(
  value: Fields,
  known: readonly string[],
  at: string,
  report: Report,
): void {
  for (const [field, other] of Object.entries(value)) {
    if (known.includes(field) || other === undefined) continue
    if (field === 'providerOptions') {
      if (!isProviderOptions(other))
        report('provider-options', `${at}.${field}`, 'must be an object of objects of JSON')
    } else if (!isJson(other)) report('json', `${at}.${field}`, 'must be JSON')
  }
}
