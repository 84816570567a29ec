/** The events of Anthropic's messages. */
import { type Fields, fieldsOf } from '../language-model-shape.ts'
import {
  countsOf,
  otherShape,
  type ReplyFinish,
  type ReplyPart,
  type ReplyReader,
  sentError,
  textPart,
} from './reply-part.ts'

export function anthropicReply(): ReplyReader {
  let finish: unknown = null
  let usage: Fields = {}
  let isOver = false
  return {
    parts: (event) => {
      const { type, message, delta, content_block: block, usage: told, error } = fieldsOf(event)
      if (typeof type !== 'string') throw otherShape('the answer is in no form of a message')
      if (type === 'error') throw sentError(error)
      const { model, usage: first } = fieldsOf(message)
      // What is told at the end is told of the whole, and only some of it.
      usage = { ...usage, ...fieldsOf(first), ...fieldsOf(told) }
      const { stop_reason: reason, text, thinking } = fieldsOf(delta)
      finish = reason ?? finish
      isOver ||= type === 'message_stop'
      return [
        ...(typeof model === 'string' ? [{ kind: 'model', model } as const] : []),
        ...callParts(fieldsOf(block)),
        ...textPart('reasoning', thinking),
        ...textPart('text', text),
      ]
    },
    end: () => (isOver ? { kind: 'end', finish: finishOf(finish), usage: usageOf(usage) } : null),
  }
}

function callParts({ type, name }: Fields): readonly ReplyPart[] {
  return type === 'tool_use' && typeof name === 'string' ? [{ kind: 'tool-call', name }] : []
}

function finishOf(reason: unknown): ReplyFinish {
  switch (reason) {
    case 'end_turn':
    case 'stop_sequence':
      return 'stop'
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length'
    case 'refusal':
      return 'content-filter'
    default:
      return 'other'
  }
}

/** The cached part is told beside the rest, not in it. */
function usageOf(usage: Fields) {
  const [rest, read, written] = [
    usage['input_tokens'],
    usage['cache_read_input_tokens'] ?? 0,
    usage['cache_creation_input_tokens'] ?? 0,
  ]
  return countsOf({
    inputTokens: rest === undefined ? undefined : Number(rest) + Number(read) + Number(written),
    cachedInputTokens: read,
    cacheWriteTokens: written,
    outputTokens: usage['output_tokens'],
  })
}
