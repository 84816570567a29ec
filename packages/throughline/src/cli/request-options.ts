/** The options of a request: system prompt, next message and context window. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Context, type ContextInput, findModel, type JsonObject } from '../index.ts'
import { dataBlock, wordsOf } from '../toolkit/index.ts'
import { type Arguments, typedCommand } from './command.ts'
import { UsageError } from './exit-result.ts'
import { cardsOf } from './open-engine.ts'
import { grouped } from './screen/numbers.ts'
import { shellWord } from './screen/safe-text.ts'
import type { CliSettings } from './settings/setting-fields.ts'
import type { World } from './world.ts'

export function requestOf(args: Arguments, { model }: CliSettings, world: World): ContextInput {
  const system = systemOf(args, world)
  const next = args.text('next')
  return {
    model,
    signal: world.signal,
    ...(system !== null && { system }),
    ...(next !== null && { next: { role: 'user', content: next } }),
  }
}

export function withWindow(args: Arguments): (settings: CliSettings) => CliSettings {
  const tokens = args.number('window')
  return tokens === null ? (settings) => settings : (settings) => setWindow(settings, tokens)
}

export function setWindow(settings: CliSettings, contextWindowTokens: number): CliSettings {
  if (contextWindowTokens === 0) throw new UsageError('--window must be at least 1')
  const { model, models } = settings
  const { id } = findModel(model).card
  const { [id]: known, ...others } = models
  const card = { ...known, ...models[model], contextWindowTokens, windowSource: 'set by --window' }
  // The provider's input limit does not apply to another window. The last card of a
  // model wins, so this card is added last.
  return { ...settings, models: { ...others, [id]: { ...card, maxInputTokens: null } } }
}

export function systemOf(args: Arguments, { cwd }: Pick<World, 'cwd'>): string | null {
  const text = args.text('system')
  if (text === null || !text.startsWith('@')) return text
  try {
    return readFileSync(resolve(cwd, text.slice(1)), 'utf8')
  } catch {
    throw new UsageError(`--system: cannot read the file ${text.slice(1)}`)
  }
}

/** A notice on stderr if the context window of the model is only assumed. */
export function warnOfUnknownModel(model: string, settings: CliSettings, world: World): void {
  const { match, card, suggestions } = findModel(model, cardsOf(settings))
  if (match !== 'fallback') return
  const window = `its window is assumed to be ${grouped(card.contextWindowTokens)} tokens`
  const similar = suggestions.length === 0 ? '' : ` Did you mean ${suggestions.join(' or ')}?`
  const value = JSON.stringify({ [model]: { contextWindowTokens: 32_768 } })
  const how = typedCommand(`config set models ${shellWord(value)}`, world)
  const message = `unknown model ${model}: ${window}.${similar} Set its window: ${how}`
  world.notice({ code: 'MODEL_UNKNOWN', message, suggestions })
}

/*
 * Only the user's own prompt is sent as a system message, never text from a file: an imported transcript
 * could otherwise give orders. A prompt in a file's metadata and `system` messages in a log come from
 * imports or other programs. They keep their position and text, and are sent as data.
 */

/** The metadata field of a conversation that stores the user's system prompt. */
export const systemField = 'chatSystem'

/** Renames a system prompt in imported metadata, so that no chat sends it. */
export function importedMeta(meta: JsonObject | null): JsonObject | null {
  if (meta === null || !Object.hasOwn(meta, systemField)) return meta
  const { [systemField]: prompt = null, ...rest } = meta
  return { system: prompt, ...rest }
}

/**
 * Turns `system` messages of the log into data blocks. The token count stays right: it includes these
 * blocks, because some providers accept no `system` role between messages.
 */
export function withoutSystemRole(context: Context): Context {
  return { ...context, messages: context.messages.map(asData) }
}

function asData(message: Context['messages'][number]): typeof message {
  if (message.role !== 'system' || message.seq === null) return message
  const text = message.parts.flatMap((part) => wordsOf(part) ?? []).join('\n\n')
  const block = dataBlock('system message of the transcript', text)
  return { ...message, role: 'user', parts: [{ type: 'text', text: block, metadata: null }] }
}
