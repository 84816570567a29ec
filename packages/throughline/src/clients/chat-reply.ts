/** The reply of OpenAI's chat completions as a message. */
import { openaiChat } from '../adapters/http-adapters.ts'
import { type Fields, fieldsOf, isFilled, listOf } from '../adapters/unknown-json.ts'
import { givenFields, type ReplyReader, usageOf, withStatus } from './reply-reader.ts'

export function chatReply(): ReplyReader {
  let usage: object | null = null
  let isFinished = false
  // Of several choices, the next prompt shows which one was taken, and the log gets it from there.
  let hasSeveral = false
  let message: Fields = {}
  const calls: Fields[] = []
  const takeDelta = ({ tool_calls, role: _, ...delta }: Fields) => {
    for (const [field, value] of Object.entries(delta))
      if (typeof value === 'string')
        message = { ...message, [field]: joined(message[field], value) }
    for (const part of listOf(tool_calls)) {
      const { index, ...call } = fieldsOf(part) ?? {}
      const at = typeof index === 'number' ? index : calls.length
      calls[at] = joinedCall(calls[at] ?? {}, call)
    }
  }
  return {
    whole(body) {
      usage = usageOf(body)
      const choices = listOf(body['choices'])
      hasSeveral = choices.length > 1
      const choice = fieldsOf(choices[0]) ?? {}
      isFinished = true
      message = fieldsOf(choice['message']) ?? {}
    },
    event(event) {
      usage = usageOf(event) ?? usage
      for (const value of listOf(event['choices'])) {
        const choice = fieldsOf(value) ?? {}
        if ((choice['index'] ?? 0) === 0) takeDelta(fieldsOf(choice['delta']) ?? {})
        else hasSeveral = true
        isFinished ||= isFilled(choice['finish_reason'])
      }
    },
    end() {
      // Arguments that were cut off are no call.
      const whole = isFinished && calls.length > 0 ? { tool_calls: calls.filter(Boolean) } : {}
      const given = givenFields({ ...message, ...whole, role: undefined })
      const hasContent = ['content', 'tool_calls', 'refusal', 'function_call', 'audio'].some(
        (field) => given[field] !== undefined && given[field] !== '',
      )
      if (hasSeveral || !hasContent) return { messages: [], usage }
      const { messages } = openaiChat.read({ messages: [{ ...given, role: 'assistant' }] })
      return { messages: withStatus(messages, isFinished ? 'complete' : 'incomplete'), usage }
    },
  }
}

function joined(before: unknown, more: string): string {
  return typeof before === 'string' ? before + more : more
}

/** Fields arrive once; the texts of arguments and inputs arrive in pieces. */
function joinedCall(call: Fields, more: Fields): Fields {
  const result = { ...call }
  for (const [field, value] of Object.entries(more)) {
    const inner = fieldsOf(value)
    if (inner !== null) result[field] = joinedCall(fieldsOf(call[field]) ?? {}, inner)
    else if (pieces.has(field) && typeof value === 'string')
      result[field] = joined(call[field], value)
    else if (value !== null) result[field] = value
  }
  return result
}

const pieces = new Set(['arguments', 'input'])
