/**
 * The rules of POST /v1/messages, from its documentation and its errors. They are stricter than the service
 * in three places: roles alternate, the last message is the user's (newer models refuse any other), and an
 * empty `system` or `tools` is left out. Unknown block types pass, because the service often adds new ones.
 */
import type { RequestProblem } from '../../ports/adapter.ts'
import type { LoneBlock, Side } from '../alternate-messages.ts'
import { isBase64, isWebAddress } from '../media.ts'
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
import { assistantBlocks, imageTypes, userBlocks } from './blocks-data.ts'
import { cacheControlsInRequest, checkCacheControls } from './cache.ts'

/** Everything that the Messages API would refuse; empty if valid. See `openaiChatProblems`. */
export function anthropicMessagesProblems(request: unknown): readonly RequestProblem[] {
  if (!isObject(request))
    return [{ rule: 'request-shape', at: '', message: 'must be an object with messages' }]
  const { system, messages, tools } = request
  return bodyProblems({ system, messages, tools }, (report) => {
    checkSystem(system, report)
    checkTools(tools, report)
    const checked = checkAlternation(messages, messageRules, report)
    if (checked !== null) checkPairs(checked, report)
    checkCacheControls(cacheControlsInRequest(request), report)
  })
}

/** White space as the service defines it: also U+001C to U+001F and U+0085. */
export function isBlank(text: string): boolean {
  return !/[^\s\x1c-\x1f\x85]/.test(text)
}

function checkSystem(system: unknown, report: Report): void {
  if (system === undefined) return
  if (!isText(system) && !Array.isArray(system))
    report('system-shape', 'system', 'must be text or text blocks')
  else if (isText(system) ? isBlank(system) : system.length === 0)
    report('system-empty', 'system', 'must hold text or be left out')
  else if (!isText(system)) checkEach(system, checkTextBlock, 'system', report)
}

const letters = /^[a-zA-Z0-9_-]+$/
export const idRule = { pattern: letters, maxLength: Number.POSITIVE_INFINITY }
export const nameRule = { pattern: letters, maxLength: 128 }
const nameText = 'must be 1 to 128 letters, digits, _ or -'
const ownToolShape: Shape = { ...toolShape(nameRule, nameText), input_schema: checkSchema }

/** Tools that the service defines itself are not checked. */
function checkTools(tools: unknown, report: Report): void {
  // Claude Code sends an empty list, and the service takes it.
  if (Array.isArray(tools) && tools.length === 0) return
  const names = new Set<unknown>()
  const checkTool = checkObject('tools-shape', (tool, at) => {
    const { name, type } = tool
    if (name !== undefined && names.has(name))
      report('duplicate-tool', `${at}.name`, 'is the name of another tool')
    names.add(name)
    if (type === undefined || type === null || type === 'custom')
      checkFields(tool, ownToolShape, at, report)
    else if (!isFilled(type)) report('tools-shape', `${at}.type`, 'must be the name of a kind')
  })
  checkToolList(tools, checkTool, report)
}

function checkSchema(schema: unknown, at: string, report: Report): void {
  if (!isObject(schema) || schema['type'] !== 'object')
    report('tool-schema', at, 'must be a JSON schema of type object')
  else
    for (const word of ['oneOf', 'allOf', 'anyOf'])
      if (word in schema) report('tool-schema', `${at}.${word}`, 'is not allowed at the top level')
}

const messageRules: MessageRules = {
  word: 'message',
  modelRole: 'assistant',
  contentField: 'content',
  checkContent: (content, ofModel, at, report) => {
    if (isText(content)) checkNotBlank(content, at, report)
    else if (!Array.isArray(content)) report('content-shape', at, 'must be text or blocks')
    else if (content.length === 0) report('content-empty', at, 'must hold a block')
    else checkEach(content, checkBlock(ofModel ? 'assistant' : 'user'), at, report)
  },
  checkSystemMessage: ({ role: _, content, output_config: __, ...others }, at, report) => {
    for (const field of Object.keys(others))
      report('message-fields', `${at}.${field}`, 'is not a field of a system message')
    if (isText(content)) checkNotBlank(content, `${at}.content`, report)
    else if (!Array.isArray(content) || content.length === 0)
      report('content-shape', `${at}.content`, 'must be text or text blocks')
    else checkEach(content, checkTextBlock, `${at}.content`, report)
  },
}

const checkTextBlock: Check = (block, at, report) => {
  if (isObject(block) && block['type'] === 'text') checkFields(block, textShape, at, report)
  else report('system-shape', at, 'must be a text block')
}

/** Checks a block of a message or of a tool result. */
export function checkBlock(parent: Side | 'tool-result'): Check {
  return (block, at, report) => {
    if (!isObject(block) || !isFilled(block['type']))
      return report('block-shape', at, 'must be an object with a type')
    const { type } = block
    const ofModel = assistantBlocks.includes(type) || isServerResult(type)
    if (parent === 'tool-result' && (ofModel || type === 'tool_result'))
      return report('block-role', at, 'is not allowed in the result of a tool')
    if (parent !== 'tool-result' && (parent === 'user' ? ofModel : userBlocks.includes(type)))
      return report('block-role', at, `is not allowed in a message of the ${parent}`)
    if (Object.hasOwn(shapes, type)) checkFields(block, shapes[type] ?? {}, at, report)
    checkCombinedFields(block, at, report)
  }
}

function checkNotBlank(text: string, at: string, report: Report): void {
  if (isBlank(text)) report('text-empty', at, 'must hold more than white space')
}

const textShape: Shape = {
  text: (text, at, report) => {
    if (isText(text)) checkNotBlank(text, at, report)
    else report('block-shape', at, 'must be text')
  },
}

function callShape(ids: RegExp): Shape {
  return {
    id: must('call-id', `must match ${ids.source}`, (id) => isFilled(id) && ids.test(id)),
    name: must('call-name', nameText, matchesNameRule(nameRule)),
    input: mustBeObject('call-input'),
  }
}

const isTextOrList = (value: unknown) => isText(value) || Array.isArray(value)

const shapes: Readonly<Record<string, Shape>> = {
  text: textShape,
  image: mediaShape(true),
  document: mediaShape(false),
  tool_use: callShape(letters),
  server_tool_use: callShape(/^srvtoolu_[a-zA-Z0-9_]+$/),
  mcp_tool_use: callShape(letters),
  tool_result: {
    tool_use_id: must('result-id', 'must name a call', matchesNameRule(idRule)),
    content: optional(must('result-content', 'must be text or blocks', isTextOrList)),
    is_error: optional(must('result-content', 'must be true or false', isBoolean)),
  },
}

/** Checks the blocks whose fields are valid only together. */
function checkCombinedFields(block: Fields, at: string, report: Report): void {
  const { type, content, thinking, signature, data } = block
  const isComplete =
    type === 'thinking'
      ? isFilled(signature) && isText(thinking)
      : type !== 'redacted_thinking' || isFilled(data)
  if (!isComplete) report('sealed-incomplete', at, 'must be complete')
  if (type !== 'tool_result') return
  const leaves = listOf(content)
  if (block['is_error'] === true) {
    if (isText(content) ? isBlank(content) : leaves.length === 0)
      report('result-error', at, 'cannot be empty and an error')
    if (!leaves.every((leaf) => isObject(leaf) && leaf['type'] === 'text'))
      report('result-error', at, 'holds more than text, and is an error')
  }
  checkEach(leaves, checkBlock('tool-result'), `${at}.content`, report)
}

function mediaShape(isImage: boolean): Shape {
  const isSource = (source: unknown) => isObject(source) && isValidSource(isImage, source)
  return { source: must('media', 'must be a source that the service takes', isSource) }
}

function isValidSource(isImage: boolean, source: Fields): boolean {
  const { type, media_type: mediaType, data, url, file_id: fileId, content } = source
  const mediaTypes: readonly unknown[] = isImage ? imageTypes : ['application/pdf']
  return (
    (type === 'base64' && mediaTypes.includes(mediaType) && isFilled(data) && isBase64(data)) ||
    (type === 'url' && isFilled(url) && isWebAddress(url)) ||
    (type === 'file' && isFilled(fileId)) ||
    (type === 'text' && !isImage && mediaType === 'text/plain' && isFilled(data)) ||
    (type === 'content' && !isImage && (isFilled(content) || Array.isArray(content)))
  )
}

/** Every call is answered at the start of the next message, and calls end their message. */
function checkPairs(messages: readonly Fields[], report: Report): void {
  const callIds = new Set<unknown>()
  const blocksOf = messages.map(({ content }) => fieldsIn(content))
  for (const [messageIndex, blocks] of blocksOf.entries()) {
    const at = `messages[${messageIndex}].content`
    const answeredNext = idsOf(blocksOf[messageIndex + 1] ?? [], 'tool_result', 'tool_use_id')
    const calledBefore = idsOf(blocksOf[messageIndex - 1] ?? [], 'tool_use', 'id')
    const answeredIds = new Set<unknown>()
    for (const [index, { type, id, tool_use_id: answeredId }] of blocks.entries()) {
      const path = `${at}[${index}]`
      // An invalid id is reported elsewhere.
      if (type === 'tool_use' && isFilled(id)) {
        if (callIds.has(id)) report('duplicate-call', path, 'has an id that was used before')
        else if (!answeredNext.has(id))
          report('call-without-result', path, 'has no result in the next message')
        callIds.add(id)
      } else if (type === 'tool_result' && isFilled(answeredId)) {
        if (answeredIds.has(answeredId)) report('duplicate-result', path, 'answers a call again')
        else if (!calledBefore.has(answeredId))
          report('orphan-result', path, 'has no call in the message before')
        answeredIds.add(answeredId)
      }
    }
    checkOrder(blocks, at, report)
  }
  for (const { message, block, problem } of loneServerTools(messages))
    report('server-tool-pair', `messages[${message}].content[${block}]`, problem)
}

/** A value that is not an object becomes an empty one, so that indexes stay the same. */
function fieldsIn(blocks: unknown): readonly Fields[] {
  return listOf(blocks).map((block) => (isObject(block) ? block : {}))
}

function idsOf(blocks: readonly Fields[], type: string, field: string): ReadonlySet<unknown> {
  return new Set(blocks.filter((block) => block['type'] === type).map((block) => block[field]))
}

function checkOrder(blocks: readonly Fields[], at: string, report: Report): void {
  const isResult = blocks.map(({ type }) => type === 'tool_result')
  checkResultsFirst(isResult, at, report)
  const firstCall = blocks.findIndex(({ type }) => type === 'tool_use')
  const lateIndex = blocks.findIndex(({ type }, index) => index > firstCall && !isCall(type))
  if (firstCall >= 0 && lateIndex >= 0)
    report('call-position', `${at}[${lateIndex}]`, 'must come before all calls')
}

/**
 * When the service runs a tool, call and result are in one assistant message. If the model also called a
 * client's tool, the result may be in the next assistant message, with only tool results between. The
 * service refuses any other message before the result.
 */
export function loneServerTools(messages: readonly Fields[]): readonly LoneBlock[] {
  const lone: LoneBlock[] = []
  const calls = new Set<string>()
  const unanswered = new Map<string, Omit<LoneBlock, 'problem'>>()
  const reportUnanswered = () => {
    for (const call of unanswered.values())
      lone.push({ ...call, problem: 'has no result in its turn' })
    unanswered.clear()
  }
  for (const [message, { role, content }] of messages.entries()) {
    const blocks = fieldsIn(content)
    if (role !== 'assistant') {
      const hasOnlyResults = blocks.every(({ type }) => type === 'tool_result')
      if (blocks.length === 0 || !hasOnlyResults) reportUnanswered()
      continue
    }
    for (const [block, { type, id, tool_use_id: answeredId }] of blocks.entries()) {
      const location = { message, block }
      // A call and a result match only if both or neither are of an MCP server.
      if (isServerCall(type)) {
        const key = `${isMcp(type)} ${id}`
        if (calls.has(key)) lone.push({ ...location, problem: 'has an id that was used before' })
        else unanswered.set(key, location)
        calls.add(key)
      } else if (isServerResult(type) && !unanswered.delete(`${isMcp(type)} ${answeredId}`))
        lone.push({ ...location, problem: 'has no call before it' })
    }
  }
  if (messages.at(-1)?.['role'] === 'assistant') reportUnanswered()
  return lone
}

export function isCall(type: unknown): boolean {
  return type === 'tool_use' || isServerCall(type)
}

function isServerCall(type: unknown): boolean {
  return type === 'server_tool_use' || type === 'mcp_tool_use'
}

function isServerResult(type: unknown): boolean {
  return isFilled(type) && type.endsWith('_tool_result')
}

function isMcp(type: unknown): boolean {
  return isFilled(type) && type.startsWith('mcp_')
}
