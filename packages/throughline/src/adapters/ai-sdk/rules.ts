/** The rules of AI SDK prompts: errors of `generateText`, its types, and what all its providers refuse. */
import { type Role, roles } from '../../domain/message.ts'
import type { RequestProblem } from '../../ports/adapter.ts'
import { isBase64 } from '../media.ts'
import {
  type Check,
  checkEach,
  checkFields,
  isBoolean,
  isText,
  must,
  optional,
  problemsOf,
  type Report,
  type Shape,
} from '../rules.ts'
import { type Fields, isFilled, isJson, isPlain, maxDepth } from '../unknown-json.ts'
import { commonProblems } from '../well-formed.ts'
import { isProviderOptions } from './extra-fields.ts'
import { splitDataUrl } from './files.ts'
import { isEmptyForProvider, partPath, unpairedParts } from './pairing.ts'
import { contentKinds, unpairedReasons } from './words-data.ts'

/** Everything that the AI SDK or its provider would refuse; empty if valid. See `openaiChatProblems`. */
export function aiSdkProblems(request: unknown): readonly RequestProblem[] {
  if (!isPlain(request)) return [{ rule: 'request', at: '', message: 'must be an object' }]
  const { instructions, system, messages, allowSystemInMessages: allowed } = request
  const problems = problemsOf((report) => {
    checkInstructions(request, report)
    if (!Array.isArray(messages)) report('messages', 'messages', 'must be an array')
    else checkMessages(messages, allowed === true, report)
  })
  const flaws = commonProblems({ instructions, system, messages })
  return [...problems, ...flaws.filter(({ rule }) => rule === 'unicode')]
}

function checkInstructions({ instructions, system, prompt }: Fields, report: Report): void {
  if (prompt !== undefined && prompt !== null)
    report('prompt', 'prompt', 'must be left out: the SDK would ignore the messages')
  if (instructions !== undefined && system !== undefined)
    report('instructions', 'system', 'must be left out beside instructions')
  const [at, value] =
    instructions === undefined ? ['system', system] : ['instructions', instructions]
  if (value === undefined) return
  if (typeof value === 'string') {
    if (value === '') report('empty-content', `${at}`, 'must not be empty')
  } else if (!Array.isArray(value)) checkSystem(value, `${at}`, report)
  else if (value.length === 0) report('empty-content', `${at}`, 'must not be empty')
  else checkEach(value, checkSystem, `${at}`, report)
}

function checkSystem(message: unknown, at: string, report: Report): void {
  if (isPlain(message) && message['role'] === 'system') checkMessage(message, 'system', at, report)
  else report('instructions', at, 'must be text or a message whose role is system')
}

function checkMessages(messages: readonly unknown[], allowsSystem: boolean, report: Report): void {
  if (messages.length === 0) report('empty-messages', 'messages', 'must not be empty')
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`
    const role = isPlain(message) ? roleOf(message) : null
    if (!isPlain(message)) report('message', at, 'must be an object')
    else if (role === null) report('role', `${at}.role`, `must be one of ${roles.join(', ')}`)
    else checkMessage(message, role, at, report)
    if (role === 'system' && !allowsSystem)
      report('system-in-messages', at, 'needs allowSystemInMessages; else use instructions')
  }
  const last = messages.at(-1)
  if (isPlain(last) && last['role'] === 'assistant')
    report('last-message', `messages[${messages.length - 1}]`, 'must not be the assistant’s')
  checkPairing(messages, report)
}

function roleOf(message: Fields): Role | null {
  return roles.find((role) => role === message['role']) ?? null
}

function checkMessage(message: Fields, role: Role, at: string, report: Report): void {
  const { content } = message
  checkOtherFields(message, ['role', 'content'], at, report)
  const isParts = Array.isArray(content) && role !== 'system'
  if (isParts) checkEach(content, checkByType(partShapes[role]), `${at}.content`, report)
  if (!isParts && !(typeof content === 'string' && role !== 'tool'))
    report('content', `${at}.content`, `must be ${contentKinds[role]}`)
  else if (isEmptyForProvider({ role, fields: message, content: partsOf(content) }))
    report('empty-content', `${at}.content`, 'must not be empty')
}

function partsOf(content: unknown): readonly Fields[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  // A value that is not a part keeps its index, and does not count as empty.
  return Array.isArray(content) ? content.map((part) => (isPlain(part) ? part : {})) : []
}

function checkPairing(messages: readonly unknown[], report: Report): void {
  const paired = messages.map((message) => {
    const fields = isPlain(message) ? message : {}
    return { role: roleOf(fields) ?? 'user', content: partsOf(fields['content']) }
  })
  const unpaired = unpairedParts(paired)
  // In the order of the request.
  for (const [message, { content }] of paired.entries())
    for (const part of content.keys()) {
      const at = partPath(message, part)
      const rule = unpaired.get(at)
      if (rule !== undefined) report(rule, at, unpairedReasons[rule])
    }
}

/** The schemas of the SDK's model messages as tables of fields. Unknown fields pass if they are JSON. */
type Shapes = Readonly<Record<string, Shape>>

const field = (what: string, holds: (value: unknown) => boolean): Check =>
  must('field', `must be ${what}`, holds)
const string = field('a string', isText)
const filled = field('a filled string', isFilled)
const boolean = field('true or false', isBoolean)
const json = field(`JSON, at most ${maxDepth} deep`, isJson)
const references = field('an object of strings', isReference)
const referenceKind = 'an object of strings: ids by the names of providers'
const fileId = field('a string or an object of strings', (id) => isText(id) || isReference(id))

function isReference(value: unknown): boolean {
  return isPlain(value) && Object.values(value).every(isText)
}

const fileShape = { data: checkFileData, mediaType: filled, filename: optional(string) }
const base64Shape = { ...fileShape, data: checkBase64Text }

const itemShapes: Shapes = {
  text: { text: string },
  file: {
    ...fileShape,
    data: fileDataThat(
      'data with a tag in the output of a tool',
      (value) => isPlain(value) && isText(value['type']),
    ),
  },
  'file-data': base64Shape,
  'file-url': { url: checkUrl, mediaType: optional(filled) },
  'file-id': { fileId },
  'file-reference': { providerReference: references },
  'image-data': base64Shape,
  'image-url': { url: checkUrl },
  'image-file-id': { fileId },
  'image-file-reference': { providerReference: references },
  custom: {},
}

const outputShapes: Shapes = {
  text: { value: string },
  json: { value: json },
  'error-text': { value: string },
  'error-json': { value: json },
  'execution-denied': { reason: optional(string) },
  content: {
    value: (value, at, report) => {
      if (Array.isArray(value)) checkEach(value, checkItem, at, report)
      else report('field', at, 'must be an array')
    },
  },
}

const resultShape: Shape = {
  toolCallId: filled,
  toolName: filled,
  output: checkByType(outputShapes),
}

const partShapes: Readonly<Record<Role, Shapes>> = {
  system: {},
  user: {
    text: { text: string },
    image: {
      image: fileDataThat('without a tag', (value) => !isPlain(value) || !('type' in value)),
      mediaType: optional(filled),
      filename: optional(string),
    },
    file: fileShape,
  },
  assistant: {
    text: { text: string },
    file: fileShape,
    reasoning: { text: string },
    // Reasoning files are never references or text.
    'reasoning-file': {
      data: fileDataThat(
        'bytes or an address',
        (value) => !isPlain(value) || value['type'] === 'data' || value['type'] === 'url',
      ),
      mediaType: filled,
    },
    custom: { kind: filled },
    'tool-call': {
      toolCallId: filled,
      toolName: filled,
      input: json,
      providerExecuted: optional(boolean),
    },
    'tool-result': resultShape,
    'tool-approval-request': {
      approvalId: filled,
      toolCallId: filled,
      reason: optional(string),
      isAutomatic: optional(boolean),
      signature: optional(string),
    },
  },
  tool: {
    'tool-result': resultShape,
    'tool-approval-response': {
      approvalId: filled,
      approved: boolean,
      reason: optional(string),
      providerExecuted: optional(boolean),
    },
  },
}

export const checkItem = checkByType(itemShapes)
export const partCheck = (role: Role): Check => checkByType(partShapes[role])

function checkByType(shapes: Shapes): Check {
  return (value, at, report) => {
    if (!isPlain(value)) return report('part', at, 'must be an object')
    const { type } = value
    const shape = isText(type) && Object.hasOwn(shapes, type) ? shapes[type] : undefined
    if (shape === undefined)
      return report('part-type', `${at}.type`, `must be one of ${Object.keys(shapes).join(', ')}`)
    checkFields(value, shape, at, report)
    checkOtherFields(value, ['type', ...Object.keys(shape)], at, report)
  }
}

function checkOtherFields(
  value: Fields,
  known: readonly string[],
  at: string,
  report: Report,
): void {
  for (const [name, other] of Object.entries(value)) {
    if (known.includes(name) || other === undefined) continue
    if (name === 'providerOptions') {
      if (!isProviderOptions(other))
        report('provider-options', `${at}.${name}`, 'must be an object of objects of JSON')
    } else if (!isJson(other)) report('json', `${at}.${name}`, 'must be JSON')
  }
}

function checkFileData(value: unknown, at: string, report: Report): void {
  if (value instanceof URL) checkDataUrl(value.href, at, report)
  else if (typeof value === 'string' && URL.canParse(value)) checkDataUrl(value, at, report)
  else if (!isPlain(value)) checkBytesOrBase64(value, at, report)
  else if ('type' in value) checkTag(value, at, report)
  else checkReference(value, at, report)
}

function checkTag(value: Fields, at: string, report: Report): void {
  const { type } = value
  for (const [name, other] of Object.entries(value))
    if (!['data', 'url'].includes(name) && other !== undefined && !isJson(other))
      report('json', `${at}.${name}`, 'must be JSON')
  if (isText(type) && Object.hasOwn(tagShapes, type))
    checkFields(value, tagShapes[type] ?? {}, at, report)
  else report('file-data', `${at}.type`, 'must be data, url, reference or text')
}

const checkReference = must('file-data', `must be ${referenceKind}`, isReference)

const tagShapes: Shapes = {
  data: { data: checkBytesOrBase64 },
  url: {
    url: (url, at, report) => {
      if (url instanceof URL) checkDataUrl(url.href, at, report)
      else report('url', at, 'must be a URL object')
    },
  },
  reference: { reference: checkReference },
  text: { text: must('file-data', 'must be a filled string', isFilled) },
}

function fileDataThat(what: string, holds: (value: unknown) => boolean): Check {
  return (value, at, report) => {
    if (holds(value)) checkFileData(value, at, report)
    else report('file-data', at, `must be ${what}`)
  }
}

function checkBase64Text(value: unknown, at: string, report: Report): void {
  if (isText(value)) checkBytesOrBase64(value, at, report)
  else report('file-data', at, 'must be base64 text')
}

function checkUrl(value: unknown, at: string, report: Report): void {
  if (!isText(value) || !URL.canParse(value)) report('url', at, 'must be a whole URL')
  else checkDataUrl(value, at, report)
}

function checkBytesOrBase64(value: unknown, at: string, report: Report): void {
  if (value instanceof Uint8Array || value instanceof ArrayBuffer) {
    if (value.byteLength === 0) report('empty-file', at, 'must not be empty')
  } else if (!isText(value)) report('file-data', at, 'must be bytes or base64 text')
  else if (value === '') report('empty-file', at, 'must not be empty')
  else if (!isBase64(value)) report('base64', at, 'must be base64')
}

function checkDataUrl(url: string, at: string, report: Report): void {
  if (!url.startsWith('data:')) return
  const dataUrl = splitDataUrl(url)
  if (dataUrl === null) report('data-url', at, 'must name its media type and be base64')
  else checkBytesOrBase64(dataUrl.data, at, report)
}
