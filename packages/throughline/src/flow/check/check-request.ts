import type { ToolSchema } from '../../domain/context.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { MessageInput, TextPart } from '../../domain/message.ts'
import { describe, windowAdvice } from '../../domain/text.ts'
import type { ThroughlineError } from '../../errors.ts'
import type { MemoryReader } from '../../ports/context-extension.ts'
import { sanitizeName, textPart, wellFormedJson } from '../text/sanitize-message.ts'
import { checkOptions, invalidOption } from './check-options.ts'

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

/** A checked `ContextInput`; null for what the caller left out. */
export interface ContextRequest {
  readonly model: string
  readonly system: readonly TextPart[]
  readonly tools: readonly ToolSchema[]
  readonly next: unknown
  readonly retrieved: readonly RetrievedPiece[]
  readonly profile: string
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
    throw invalidInput(`${caller}: model`, 'the name of a model', model)
  return {
    model,
    system: checkSystem(system, `${caller}: system`),
    tools: checkTools(tools, `${caller}: tools`),
    next,
    retrieved: checkRetrieved(retrieved, `${caller}: retrieved`),
    profile: checkText(profile ?? '', `${caller}: profile`),
    memory: checkMemoryReader(memory, `${caller}: memory`),
    replyTokens: checkCountOrNull(replyTokens, `${caller}: replyTokens`),
    signal: checkSignal(signal, `${caller}: signal`),
  }
}

function checkMemoryReader(value: unknown, where: string): MemoryReader | null {
  if (value === undefined || value === null) return null
  if (value === 'condensed' || value === 'full') return value
  throw invalidInput(where, '"condensed" or "full"', value)
}

function checkSignal(value: unknown, where: string): AbortSignal | null {
  if (value === undefined || value === null) return null
  if (value instanceof AbortSignal) return value
  throw invalidInput(where, 'an AbortSignal', value)
}

function checkCountOrNull(value: unknown, where: string): number | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value
  throw invalidInput(where, 'a whole number from 1', value)
}

function checkSystem(system: unknown, where: string): readonly TextPart[] {
  if (system === undefined || system === null || system === '') return []
  if (typeof system === 'string') return [textPart(system.toWellFormed())]
  if (!Array.isArray(system)) throw invalidInput(where, 'text or text parts', system)
  return system.map((part: unknown, index) => {
    const { type, text, metadata } = (part ?? {}) as Partial<TextPart>
    if (type !== 'text') throw invalidInput(`${where}[${index}]`, 'a text part', part)
    return { type, text: checkText(text, `${where}[${index}].text`), metadata: metadata ?? null }
  })
}

function checkTools(tools: unknown, where: string): readonly ToolSchema[] {
  if (tools === undefined || tools === null) return []
  if (!Array.isArray(tools)) throw invalidInput(where, 'an array of tools', tools)
  return tools.map((tool: unknown, index) => {
    const { name, description, parameters, metadata } = (tool ?? {}) as Record<string, unknown>
    if (typeof name !== 'string' || name === '')
      throw invalidInput(`${where}[${index}].name`, 'a name', name)
    if (description !== undefined && typeof description !== 'string')
      throw invalidInput(`${where}[${index}].description`, 'text', description)
    const checked = {
      name: name.toWellFormed(),
      description: description?.toWellFormed(),
      parameters: plainJson(parameters, `${where}[${index}].parameters`),
      metadata: plainJson(metadata, `${where}[${index}].metadata`) as JsonObject | undefined,
    }
    const present = Object.entries(checked).filter(([, value]) => value !== undefined)
    // Only optional fields can be undefined.
    return Object.fromEntries(present) as unknown as ToolSchema
  })
}

/** Copies plain JSON and replaces lone surrogates; undefined stays undefined. */
function plainJson(value: unknown, where: string): JsonValue | undefined {
  if (value === undefined) return undefined
  try {
    return JSON.parse(wellFormedJson(JSON.stringify(value))) as JsonValue
  } catch {
    throw invalidInput(where, 'plain JSON', value)
  }
}

function checkRetrieved(retrieved: unknown, where: string): readonly RetrievedPiece[] {
  if (retrieved === undefined || retrieved === null || retrieved === '') return []
  if (typeof retrieved === 'string')
    return [{ id: 'retrieved', title: null, text: retrieved.toWellFormed() }]
  if (!Array.isArray(retrieved)) throw invalidInput(where, 'text or an array of pieces', retrieved)
  return retrieved.map((piece: unknown, index) => {
    const at = `${where}[${index}]`
    const { id = `retrieved-${index + 1}`, title = null, text } = (piece ?? {}) as RetrievedInput
    return {
      id: sanitizeName(checkText(id, `${at}.id`)),
      title: title === null ? null : sanitizeName(checkText(title, `${at}.title`)),
      text: checkText(text, `${at}.text`),
    }
  })
}

function checkText(value: unknown, where: string): string {
  if (typeof value !== 'string') throw invalidInput(where, 'text', value)
  return value.toWellFormed()
}

function invalidInput(where: string, expected: string, value: unknown): ThroughlineError {
  return invalidOption(`${where} must be ${expected}, got ${describe(value)}`)
}
