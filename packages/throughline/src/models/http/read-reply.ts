/** Reads the events of an answer, of any API, into one form. */
import { type Fields, fieldsIn } from '../../domain/json.ts'
import { inputTokensOf } from '../../domain/usage.ts'
import { anthropicFinishes, openaiFinishes, type ReplyFinish } from '../finish-reasons-data.ts'
import { namedError, otherShapeName } from '../language-model-failure.ts'

/** A part of a streamed reply. */
export type ReplyPart =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  /** The model that answers, as the provider reports it. */
  | { readonly kind: 'model'; readonly model: string }
  /** None was offered, so it is not run. */
  | { readonly kind: 'tool-call'; readonly name: string }
  | {
      readonly kind: 'end'
      readonly finish: ReplyFinish
      readonly usage: ReplyUsage | null
    }

interface ReplyReader {
  /** Throws what the provider sends as an error. */
  parts(event: unknown): readonly ReplyPart[]
  /** Null where the answer is not complete. */
  end(): ReplyPart | null
}

function textPart(kind: 'text' | 'reasoning', text: unknown): readonly ReplyPart[] {
  return typeof text === 'string' && text !== '' ? [{ kind, text }] : []
}

/** Whole tokens, only what the provider reported. `inputTokens` is all of the input, cached or not. */
type ReplyUsage = Readonly<Record<string, number>>

/** Null where no count was reported. */
function wholeCounts(reportedCounts: Fields): ReplyUsage | null {
  const counts = Object.entries(reportedCounts).filter(
    (entry): entry is [string, number] => Number.isSafeInteger(entry[1]) && Number(entry[1]) >= 0,
  )
  return counts.length === 0 ? null : Object.fromEntries(counts)
}

/** For the provider's own errors, and for answers in no form of its API. */
function sentError(error: unknown): Error {
  return Object.assign(new Error('the provider has sent an error'), { error })
}

export function anthropicReply(): ReplyReader {
  let finish: unknown = null
  let usage: Fields = {}
  let isOver = false
  return {
    parts: (event) => {
      const { type, message, delta, content_block: block, usage: end, error } = fieldsIn(event)
      if (typeof type !== 'string')
        throw namedError(otherShapeName, 'the answer is in no form of a message')
      if (type === 'error') throw sentError(error)
      const { model, usage: firstUsage } = fieldsIn(message)
      // The last event reports on the whole answer, but not every field.
      usage = { ...usage, ...fieldsIn(firstUsage), ...fieldsIn(end) }
      const { stop_reason: reason, text, thinking } = fieldsIn(delta)
      finish = reason ?? finish
      isOver ||= type === 'message_stop'
      return [
        ...(typeof model === 'string' ? [{ kind: 'model', model } as const] : []),
        ...callInBlock(fieldsIn(block)),
        ...textPart('reasoning', thinking),
        ...textPart('text', text),
      ]
    },
    end: () => {
      if (!isOver) return null
      const reason = anthropicFinishes.get(finish) ?? 'other'
      return { kind: 'end', finish: reason, usage: anthropicUsage(usage) }
    },
  }
}

function callInBlock({ type, name }: Fields): readonly ReplyPart[] {
  return type === 'tool_use' && typeof name === 'string' ? [{ kind: 'tool-call', name }] : []
}

function anthropicUsage(usage: Fields) {
  return wholeCounts({
    inputTokens: inputTokensOf(usage),
    cachedInputTokens: usage['cache_read_input_tokens'] ?? 0,
    cacheWriteTokens: usage['cache_creation_input_tokens'] ?? 0,
    outputTokens: usage['output_tokens'],
  })
}

/** For OpenAI and compatible servers. */
export function openaiReply(): ReplyReader {
  let finish: unknown = null
  let usage: Fields | null = null
  let isModelReported = false
  let isRefused = false
  const modelPart = (model: unknown): readonly ReplyPart[] => {
    if (isModelReported || typeof model !== 'string') return []
    isModelReported = true
    return [{ kind: 'model', model }]
  }
  return {
    parts: (event) => {
      const { choices, model, usage: reported, error } = fieldsIn(event)
      if (error !== undefined && error !== null) throw sentError(error)
      if (!Array.isArray(choices))
        throw namedError(otherShapeName, 'the answer is in no form of a chat completion')
      if (typeof reported === 'object' && reported !== null) usage = fieldsIn(reported)
      const choice = fieldsIn(choices[0])
      finish = choice['finish_reason'] ?? finish
      const delta = fieldsIn(choice['delta'])
      const refusal = textPart('text', delta['refusal'])
      isRefused ||= refusal.length > 0
      return [
        ...modelPart(model),
        // The first name is that of DeepSeek and compatible servers, the second of OpenRouter and Ollama.
        ...textPart('reasoning', delta['reasoning_content'] ?? delta['reasoning']),
        ...textPart('text', delta['content']),
        ...refusal,
        ...callsInDelta(delta['tool_calls']),
      ]
    },
    end: () => {
      if (finish === null) return null
      const reason = isRefused ? 'content-filter' : (openaiFinishes.get(finish) ?? 'other')
      return { kind: 'end', finish: reason, usage: usage === null ? null : openaiUsage(usage) }
    },
  }
}

function callsInDelta(calls: unknown): readonly ReplyPart[] {
  if (!Array.isArray(calls)) return []
  return calls.flatMap((call): readonly ReplyPart[] => {
    const { name } = fieldsIn(fieldsIn(call)['function'])
    return typeof name === 'string' ? [{ kind: 'tool-call', name }] : []
  })
}

function openaiUsage(usage: Fields) {
  return wholeCounts({
    inputTokens: usage['prompt_tokens'],
    cachedInputTokens: fieldsIn(usage['prompt_tokens_details'])['cached_tokens'],
    outputTokens: usage['completion_tokens'],
    reasoningTokens: fieldsIn(usage['completion_tokens_details'])['reasoning_tokens'],
  })
}
