import type { ToolSchema } from '../../domain/context.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { MessageInput, TextPart } from '../../domain/message.ts'
import { describe, windowAdvice } from '../../domain/text.ts'
import { ThroughlineError } from '../../errors.ts'
import type { MemoryReader } from '../../ports/context-extension.ts'
import {
  mayContainLoneSurrogates,
  sanitizeJson,
  sanitizeName,
  textPart,
} from '../text/sanitize-message.ts'
import { checkOptions } from './check-options.ts'

/** The input of `chat.context`: the model, the system prompt, tools and texts of your own. */
export interface ContextInput {
  /** The model that the request is for, such as `openai/gpt-5-mini`. */
  readonly model: string
  /** The system prompt: text, or the blocks that an adapter read. */
  readonly system?: string | readonly TextPart[] | undefined
  readonly tools?: readonly ToolSchema[] | undefined
  /** The message that you will append next; it is shown, but not written to the log. */
  readonly next?: MessageInput | undefined
  /** Texts that you retrieved for this request; placed before the user message, cut to their share. */
  readonly retrieved?: string | readonly RetrievedInput[] | undefined
  /** Facts about the user, as text. */
  readonly profile?: string | undefined
  /**
   * How much of the turn memory (or of another context extension) to show, if the policy has slots
   * for it: `condensed` for routers and planners, `full` (the default) for agents that act.
   */
  readonly memory?: MemoryReader | undefined
  /** The longest reply that you ask for; by default the policy's reserve. */
  readonly replyTokens?: number | undefined
  /** Stops waiting for a summary; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** A text that your application retrieved for the request. */
export interface RetrievedInput {
  readonly id?: string | undefined
  readonly title?: string | undefined
  readonly text: string
}

/** A retrieved text, checked and with an id. */
export interface RetrievedPiece {
  readonly id: string
  readonly title: string | null
  readonly text: string
}

export interface ContextRequest {
  readonly model: string
  readonly system: readonly TextPart[]
  readonly tools: readonly ToolSchema[]
  readonly next: unknown
  readonly retrieved: readonly RetrievedPiece[]
  readonly profile: string
  /** Null if not given. */
  readonly memory: MemoryReader | null
  readonly replyTokens: number | null
  readonly signal: AbortSignal | null
}

const inputFields = [
  ...(['model', 'system', 'tools', 'next', 'retrieved', 'profile', 'memory'] as const),
  ...(['replyTokens', 'signal'] as const),
] as const

/** `caller`: the function that the user called, for error messages. */
export function checkRequest(input: ContextInput, caller = 'context'): ContextRequest {
  const checked = checkOptions(input, inputFields, caller, windowAdvice)
  const { model, system, tools, next, retrieved, profile, memory, replyTokens, signal } = checked
  if (typeof model !== 'string' || model === '')
    throw invalid(`${caller}: model`, 'the name of a model', model)
  return {
    model,
    system: checkSystem(system, `${caller}: system`),
    tools: checkTools(tools, `${caller}: tools`),
    next,
    retrieved: checkRetrieved(retrieved, `${caller}: retrieved`),
    profile: text(profile ?? '', `${caller}: profile`),
    memory: checkMemoryReader(memory, `${caller}: memory`),
    replyTokens: checkCountOrNull(replyTokens, `${caller}: replyTokens`),
    signal: checkSignal(signal, `${caller}: signal`),
  }
}

function checkMemoryReader(value: unknown, where: string): MemoryReader | null {
  if (value === undefined || value === null) return null
  if (value === 'condensed' || value === 'full') return value
  throw invalid(where, '"condensed" or "full"', value)
}

function checkSignal(value: unknown, where: string): AbortSignal | null {
  if (value === undefined || value === null) return null
  if (value instanceof AbortSignal) return value
  throw invalid(where, 'an AbortSignal', value)
}

function checkCountOrNull(value: unknown, where: string): number | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value
  throw invalid(where, 'a whole number from 1', value)
}

function checkSystem(system: unknown, where: string): readonly TextPart[] {
  if (system === undefined || system === null || system === '') return []
  if (typeof system === 'string') return [textPart(system.toWellFormed())]
  if (!Array.isArray(system)) throw invalid(where, 'text or text parts', system)
  return system.map((part: unknown, index) => {
    const { type, text: words, metadata } = (part ?? {}) as Partial<TextPart>
    if (type !== 'text') throw invalid(`${where}[${index}]`, 'a text part', part)
    return { type, text: text(words, `${where}[${index}].text`), metadata: metadata ?? null }
  })
}

function checkTools(tools: unknown, where: string): readonly ToolSchema[] {
  if (tools === undefined || tools === null) return []
  if (!Array.isArray(tools)) throw invalid(where, 'an array of tools', tools)
  return tools.map((tool: unknown, index) => {
    const { name, description, parameters, metadata } = (tool ?? {}) as Record<string, unknown>
    if (typeof name !== 'string' || name === '')
      throw invalid(`${where}[${index}].name`, 'a name', name)
    if (description !== undefined && typeof description !== 'string')
      throw invalid(`${where}[${index}].description`, 'text', description)
    return withoutUndefined({
      name: name.toWellFormed(),
      description: description?.toWellFormed(),
      parameters: plainJson(parameters, `${where}[${index}].parameters`),
      metadata: plainJson(metadata, `${where}[${index}].metadata`) as JsonObject | undefined,
    })
  })
}

/** Copies plain JSON and replaces lone surrogates; undefined stays undefined. */
function plainJson(value: unknown, where: string): JsonValue | undefined {
  if (value === undefined) return undefined
  try {
    const json = JSON.stringify(value)
    return JSON.parse(
      mayContainLoneSurrogates(json) ? (sanitizeJson(json) ?? json) : json,
    ) as JsonValue
  } catch {
    throw invalid(where, 'plain JSON', value)
  }
}

function withoutUndefined(tool: ToolSchema): ToolSchema {
  // Only optional fields can be undefined.
  return Object.fromEntries(
    Object.entries(tool).filter(([, value]) => value !== undefined),
  ) as unknown as ToolSchema
}

function checkRetrieved(retrieved: unknown, where: string): readonly RetrievedPiece[] {
  if (retrieved === undefined || retrieved === null || retrieved === '') return []
  if (typeof retrieved === 'string')
    return [{ id: 'retrieved', title: null, text: retrieved.toWellFormed() }]
  if (!Array.isArray(retrieved)) throw invalid(where, 'text or an array of pieces', retrieved)
  return retrieved.map((piece: unknown, index) => {
    const at = `${where}[${index}]`
    const { id = `retrieved-${index + 1}`, title, text: words } = (piece ?? {}) as RetrievedInput
    return {
      id: sanitizeName(text(id, `${at}.id`)),
      title:
        title === undefined || title === null ? null : sanitizeName(text(title, `${at}.title`)),
      text: text(words, `${at}.text`),
    }
  })
}

function text(value: unknown, where: string): string {
  if (typeof value !== 'string') throw invalid(where, 'text', value)
  return value.toWellFormed()
}

function invalid(where: string, what: string, got: unknown): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', `${where} must be ${what}, got ${describe(got)}`)
}
