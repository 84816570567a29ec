/**
 * The rules of POST /v1/messages for system, tools and messages, from its documentation
 * and the errors that it answers with. Stricter than the service in three places, so
 * that a request has one spelling: roles alternate, the last message is the user's
 * (newer models refuse any other), and an empty system or tools is left out.
 */
import type { RequestProblem } from '../../ports/adapter.ts'
import type { Side } from '../paired-turns.ts'
import { problemUnless } from '../problem-unless.ts'
import { type Fields, isFields } from '../unknown-json.ts'
import { flawsIn } from '../well-formed.ts'
import { blockProblems, isBlank, textProblems } from './block-rules.ts'
import { cacheProblems } from './cache.ts'
import { pairProblems } from './pair-rules.ts'
import { toolsProblems } from './tool-rules.ts'

type Problems = readonly RequestProblem[]

/**
 * Everything that Anthropic's messages would refuse in a request; empty for one that is taken. See `openaiChatProblems`.
 */
export function anthropicMessagesProblems(request: unknown): readonly RequestProblem[] {
  if (!isFields(request))
    return [{ rule: 'request-shape', at: '', message: 'must be an object with messages' }]
  const { system, messages, tools } = request
  const flaws = flawsIn({ system, messages, tools })
  // What is nested without end is not looked at further.
  if (flaws.some(({ rule }) => rule !== 'unicode')) return flaws
  return [
    ...flaws,
    ...systemProblems(system),
    ...toolsProblems(tools),
    ...messagesProblems(messages),
    ...cacheProblems(request),
  ]
}

function systemProblems(system: unknown): Problems {
  if (system === undefined) return []
  if (typeof system === 'string')
    return problemUnless(
      !isBlank(system),
      'system-empty',
      'system',
      'must hold text or be left out',
    )
  if (!Array.isArray(system))
    return [{ rule: 'system-shape', at: 'system', message: 'must be text or text blocks' }]
  if (system.length === 0)
    return [{ rule: 'system-empty', at: 'system', message: 'must hold text or be left out' }]
  return system.flatMap((block, index): Problems => {
    const at = `system[${index}]`
    if (isFields(block) && block['type'] === 'text') return textProblems(block, at)
    return [{ rule: 'system-shape', at, message: 'must be a text block' }]
  })
}

function messagesProblems(messages: unknown): Problems {
  if (!Array.isArray(messages) || messages.length === 0)
    return [{ rule: 'messages-empty', at: 'messages', message: 'must hold a message' }]
  const shapes = messages.flatMap((message, index) => shapeProblems(message, `messages[${index}]`))
  // Turns and pairs are only looked for among messages that are messages.
  if (shapes.some(({ rule }) => rule === 'message-shape' || rule === 'role')) return shapes
  const sound = messages as readonly Fields[]
  return [...shapes, ...turnProblems(sound), ...pairProblems(sound)]
}

function shapeProblems(message: unknown, at: string): Problems {
  if (!isFields(message)) return [{ rule: 'message-shape', at, message: 'must be an object' }]
  const { role, content, ...rest } = message
  if (role !== 'user' && role !== 'assistant')
    return [{ rule: 'role', at: `${at}.role`, message: 'must be user or assistant' }]
  const extra = Object.keys(rest).map((field) => ({
    rule: 'message-fields',
    at: `${at}.${field}`,
    message: 'is no field of a message',
  }))
  return [...extra, ...contentProblems(content, role, `${at}.content`)]
}

function contentProblems(content: unknown, side: Side, at: string): Problems {
  if (typeof content === 'string')
    return problemUnless(!isBlank(content), 'text-empty', at, 'must hold more than white space')
  if (!Array.isArray(content))
    return [{ rule: 'content-shape', at, message: 'must be text or blocks' }]
  if (content.length === 0) return [{ rule: 'content-empty', at, message: 'must hold a block' }]
  return content.flatMap((block, index) => blockProblems(block, side, `${at}[${index}]`))
}

function turnProblems(messages: readonly Fields[]): Problems {
  const last = messages.length - 1
  return [
    ...problemUnless(
      messages[0]?.['role'] === 'user',
      'first-message',
      'messages[0]',
      'must be the user’s',
    ),
    ...messages.flatMap(({ role }, index) =>
      problemUnless(
        role !== messages[index - 1]?.['role'],
        'alternation',
        `messages[${index}]`,
        'must have another role than the message before it',
      ),
    ),
    ...problemUnless(
      messages[last]?.['role'] === 'user',
      'last-message',
      `messages[${last}]`,
      'must be the user’s',
    ),
  ]
}
