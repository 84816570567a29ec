/**
 * What the Messages API wants of a single block: complete, of its role, with ids and
 * names of its patterns. Kinds that we do not know pass; the service adds to them often.
 */
import type { RequestProblem } from '../../ports/adapter.ts'
import { isBase64, isWebAddress } from '../media.ts'
import type { Side } from '../paired-turns.ts'
import { problemUnless } from '../problem-unless.ts'
import { type Fields, isFields, isFilled } from '../unknown-json.ts'
import { pictureTypes } from './media.ts'
import { isServerResult } from './server-tools.ts'

type Problems = readonly RequestProblem[]

const letters = /^[a-zA-Z0-9_-]+$/
export const idRule = { allowed: letters, lengthMax: Number.POSITIVE_INFINITY }
export const nameRule = { allowed: letters, lengthMax: 128 }
const serverId = /^srvtoolu_[a-zA-Z0-9_]+$/

/** Blank to the service: white space and the separators that its language counts with it. */
export function isBlank(text: string): boolean {
  return !/[^\s\x1c-\x1f\x85]/.test(text)
}

const ofUser: readonly unknown[] = [
  'image',
  'document',
  'tool_result',
  'search_result',
  'container_upload',
]
const ofAssistant: readonly unknown[] = [
  'thinking',
  'redacted_thinking',
  'tool_use',
  'server_tool_use',
  'mcp_tool_use',
]

export function blockProblems(block: unknown, side: Side, at: string): Problems {
  if (!isFields(block) || !isFilled(block['type']))
    return [{ rule: 'block-shape', at, message: 'must be an object with a type' }]
  const { type } = block
  const theirs = ofAssistant.includes(type) || isServerResult(type)
  if (side === 'user' ? theirs : ofUser.includes(type))
    return [{ rule: 'block-role', at, message: `cannot stand in a message of the ${side}` }]
  switch (type) {
    case 'thinking':
      return sealed(isFilled(block['signature']) && typeof block['thinking'] === 'string', at)
    case 'redacted_thinking':
      return sealed(isFilled(block['data']), at)
    case 'tool_use':
      return callProblems(block, letters, at)
    case 'server_tool_use':
      return callProblems(block, serverId, at)
    case 'mcp_tool_use':
      return callProblems(block, letters, at)
    case 'tool_result':
      return resultProblems(block, at)
    default:
      return innerProblems(block, at)
  }
}

function sealed(complete: boolean, at: string): Problems {
  return complete ? [] : [{ rule: 'sealed-incomplete', at, message: 'must be complete' }]
}

function callProblems({ id, name, input }: Fields, ids: RegExp, at: string): Problems {
  return [
    ...problemUnless(
      isFilled(id) && ids.test(id),
      'call-id',
      `${at}.id`,
      `must match ${ids.source}`,
    ),
    ...problemUnless(
      isFilled(name) && letters.test(name) && name.length <= nameRule.lengthMax,
      'call-name',
      `${at}.name`,
      'must be 1 to 128 letters, digits, _ or -',
    ),
    ...problemUnless(isFields(input), 'call-input', `${at}.input`, 'must be an object'),
  ]
}

function resultProblems(block: Fields, at: string): Problems {
  const { tool_use_id: id, content, is_error: isError } = block
  const shaped = content === undefined || typeof content === 'string' || Array.isArray(content)
  const leaves = Array.isArray(content) ? content : []
  const failed = isError === true
  const empty = typeof content === 'string' ? isBlank(content) : leaves.length === 0
  return [
    ...problemUnless(
      isFilled(id) && letters.test(id),
      'result-id',
      `${at}.tool_use_id`,
      'must name a call',
    ),
    ...problemUnless(shaped, 'result-content', `${at}.content`, 'must be text or blocks'),
    ...problemUnless(
      isError === undefined || typeof isError === 'boolean',
      'result-content',
      `${at}.is_error`,
      'must be true or false',
    ),
    ...problemUnless(!(failed && empty), 'result-error', at, 'cannot be empty and an error'),
    ...problemUnless(
      !failed || leaves.every((leaf) => isFields(leaf) && leaf['type'] === 'text'),
      'result-error',
      at,
      'holds more than text, and is an error',
    ),
    ...leaves.flatMap((leaf, index) => leafProblems(leaf, `${at}.content[${index}]`)),
  ]
}

/** Of a block inside the result of a tool. */
export function leafProblems(leaf: unknown, at: string): Problems {
  if (!isFields(leaf) || !isFilled(leaf['type']))
    return [{ rule: 'block-shape', at, message: 'must be an object with a type' }]
  const { type } = leaf
  if (ofAssistant.includes(type) || isServerResult(type) || type === 'tool_result')
    return [{ rule: 'block-role', at, message: 'cannot stand in the result of a tool' }]
  return innerProblems(leaf, at)
}

/** Of a block that may stand in a message as well as in the result of a tool. */
function innerProblems(block: Fields, at: string): Problems {
  switch (block['type']) {
    case 'text':
      return textProblems(block, at)
    case 'image':
    case 'document':
      return mediaProblems(block, at)
    default:
      return []
  }
}

export function textProblems({ text }: Fields, at: string): Problems {
  if (typeof text !== 'string')
    return [{ rule: 'block-shape', at: `${at}.text`, message: 'must be text' }]
  return problemUnless(
    !isBlank(text),
    'text-empty',
    `${at}.text`,
    'must hold more than white space',
  )
}

function mediaProblems({ type, source }: Fields, at: string): Problems {
  const sound = isFields(source) && soundSource(type === 'image', source)
  return problemUnless(sound, 'media', `${at}.source`, 'must be a source that the service takes')
}

function soundSource(picture: boolean, source: Fields): boolean {
  const { type, media_type: mediaType, data, url, file_id: fileId } = source
  switch (type) {
    case 'base64': {
      const kinds = picture ? pictureTypes : ['application/pdf']
      return isFilled(mediaType) && kinds.includes(mediaType) && isFilled(data) && isBase64(data)
    }
    case 'url':
      return isFilled(url) && isWebAddress(url)
    case 'file':
      return isFilled(fileId)
    case 'text':
      return !picture && mediaType === 'text/plain' && isFilled(data)
    case 'content':
      return !picture && (isFilled(source['content']) || Array.isArray(source['content']))
    default:
      return false
  }
}
