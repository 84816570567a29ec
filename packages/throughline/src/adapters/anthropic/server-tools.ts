/**
 * Tools that the service runs itself: a call and its result stand in one assistant
 * message. Only where the model called a client's tool beside them may the result come
 * in the next assistant message, and nothing but results of tools may stand between:
 * anything else ends the turn with the call unanswered, which is refused.
 */
import { type Fields, isFields, isFilled } from '../unknown-json.ts'

export interface ServerToolFlaw {
  readonly message: number
  readonly block: number
  readonly why: string
}

interface Spoken {
  readonly role: unknown
  readonly content: unknown
}

export function serverToolFlaws(messages: readonly Spoken[]): readonly ServerToolFlaw[] {
  const flaws: ServerToolFlaw[] = []
  const called = new Set<string>()
  const open = new Map<string, Omit<ServerToolFlaw, 'why'>>()
  const close = () => {
    for (const call of open.values()) flaws.push({ ...call, why: 'has no result in its turn' })
    open.clear()
  }
  for (const [message, { role, content }] of messages.entries()) {
    const blocks = Array.isArray(content) ? content.map(recordOf) : []
    if (role !== 'assistant') {
      if (blocks.length === 0 || blocks.some(({ type }) => type !== 'tool_result')) close()
      continue
    }
    for (const [block, { type, id, tool_use_id: answered }] of blocks.entries()) {
      const place = { message, block }
      if (isServerCall(type)) {
        const key = `${isMcp(type)} ${id}`
        if (called.has(key)) flaws.push({ ...place, why: 'has an id that was used before' })
        else open.set(key, place)
        called.add(key)
      } else if (isServerResult(type) && !open.delete(`${isMcp(type)} ${answered}`))
        flaws.push({ ...place, why: 'has no call before it' })
    }
  }
  if (messages.at(-1)?.role === 'assistant') close()
  return flaws
}

function recordOf(value: unknown): Fields {
  return isFields(value) ? value : {}
}

export function isServerCall(type: unknown): boolean {
  return type === 'server_tool_use' || type === 'mcp_tool_use'
}

export function isServerResult(type: unknown): boolean {
  return isFilled(type) && type.endsWith('_tool_result')
}

function isMcp(type: unknown): boolean {
  return isFilled(type) && type.startsWith('mcp_')
}
