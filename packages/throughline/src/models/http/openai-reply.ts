/** The events of OpenAI's chat completions, and of every server that speaks like them. */
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

export function openaiReply(): ReplyReader {
  let finish: unknown = null
  let usage: Fields | null = null
  let [named, refused] = [false, false]
  const modelPart = (model: unknown): readonly ReplyPart[] => {
    if (named || typeof model !== 'string') return []
    named = true
    return [{ kind: 'model', model }]
  }
  return {
    parts: (event) => {
      const { choices, model, usage: told, error } = fieldsOf(event)
      if (error !== undefined && error !== null) throw sentError(error)
      if (!Array.isArray(choices)) throw otherShape('the answer is in no form of a chat completion')
      if (typeof told === 'object' && told !== null) usage = fieldsOf(told)
      const choice = fieldsOf(choices[0])
      finish = choice['finish_reason'] ?? finish
      const delta = fieldsOf(choice['delta'])
      const refusal = textPart('text', delta['refusal'])
      refused ||= refusal.length > 0
      return [
        ...modelPart(model),
        // The one of DeepSeek and what speaks like it, or the one of OpenRouter and Ollama.
        ...textPart('reasoning', delta['reasoning_content'] ?? delta['reasoning']),
        ...textPart('text', delta['content']),
        ...refusal,
        ...callParts(delta['tool_calls']),
      ]
    },
    end: () => {
      if (finish === null) return null
      const reason = refused ? 'content-filter' : finishOf(finish)
      return { kind: 'end', finish: reason, usage: usage === null ? null : usageOf(usage) }
    },
  }
}

function callParts(calls: unknown): readonly ReplyPart[] {
  if (!Array.isArray(calls)) return []
  return calls.flatMap((call): readonly ReplyPart[] => {
    const { name } = fieldsOf(fieldsOf(call)['function'])
    return typeof name === 'string' ? [{ kind: 'tool-call', name }] : []
  })
}

function finishOf(reason: unknown): ReplyFinish {
  switch (reason) {
    case 'stop':
      return 'stop'
    case 'length':
      return 'length'
    case 'content_filter':
      return 'content-filter'
    default:
      return 'other'
  }
}

function usageOf(usage: Fields) {
  return countsOf({
    inputTokens: usage['prompt_tokens'],
    cachedInputTokens: fieldsOf(usage['prompt_tokens_details'])['cached_tokens'],
    outputTokens: usage['completion_tokens'],
    reasoningTokens: fieldsOf(usage['completion_tokens_details'])['reasoning_tokens'],
  })
}
