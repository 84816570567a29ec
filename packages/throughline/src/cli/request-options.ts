/** What a request may hold besides the conversation, and another window than the model has. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type Context,
  type ContextInput,
  type ContextMessage,
  findModel,
  type JsonObject,
} from '../index.ts'
import { dataBlock, wordsOf } from '../toolkit/index.ts'
import { type Arguments, typedCommand } from './command.ts'
import { WrongUsage } from './ending.ts'
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
  return tokens === null ? (settings) => settings : (settings) => inWindow(settings, tokens)
}

export function inWindow(settings: CliSettings, contextWindowTokens: number): CliSettings {
  if (contextWindowTokens === 0) throw new WrongUsage('--window takes at least one token')
  const { model, models } = settings
  const { id } = findModel(model).card
  const { [id]: known, ...others } = models
  const card = { ...known, ...models[model], contextWindowTokens, windowSource: 'set by --window' }
  // The provider's limit on input belongs to its own window. The last card of a model takes precedence.
  return { ...settings, models: { ...others, [id]: { ...card, maxInputTokens: null } } }
}

export function systemOf(args: Arguments, { cwd }: Pick<World, 'cwd'>): string | null {
  const text = args.text('system')
  if (text === null || !text.startsWith('@')) return text
  try {
    return readFileSync(resolve(cwd, text.slice(1)), 'utf8')
  } catch {
    throw new WrongUsage(`--system: ${text.slice(1)} cannot be read`)
  }
}

/** A notice on stderr where the window of the model is only assumed. */
export function warnOfUnknownModel(model: string, settings: CliSettings, world: World): void {
  const { match, card, suggestions } = findModel(model, cardsOf(settings))
  if (match !== 'fallback') return
  const window = `its window is assumed to be ${grouped(card.contextWindowTokens)} tokens`
  const meant = suggestions.length === 0 ? '' : ` Did you mean ${suggestions.join(' or ')}?`
  const value = JSON.stringify({ [model]: { contextWindowTokens: 32_768 } })
  const how = typedCommand(`config set models ${shellWord(value)}`, world)
  const message = `unknown model ${model}: ${window}.${meant} Set its window: ${how}`
  world.notice({ code: 'MODEL_UNKNOWN', message, suggestions })
}

/*
 * Nothing from a file has the authority of the system in a later request: only the user's prompt has. A
 * prompt in a file's metadata and `system` messages of a log could have it. The command line appends no
 * such messages, so each was imported or written by another program. They keep their place and words,
 * marked as data.
 */

/** Where a chat keeps the user's system prompt, in the metadata of its conversation. */
export const systemField = 'chatSystem'

/** Renames a prompt in the metadata of a file, so that no chat uses it. */
export function importedMeta(meta: JsonObject | null): JsonObject | null {
  if (meta === null || !Object.hasOwn(meta, systemField)) return meta
  const { [systemField]: prompt = null, ...rest } = meta
  return { system: prompt, ...rest }
}

/**
 * The tokens for the block are already counted: providers without that role between messages get
 * it too.
 */
export function withoutAuthority(context: Context): Context {
  return { ...context, messages: context.messages.map(asData) }
}

function asData(message: ContextMessage): ContextMessage {
  if (message.role !== 'system' || message.seq === null) return message
  const text = message.parts.flatMap((part) => wordsOf(part) ?? []).join('\n\n')
  const block = dataBlock('system message of the transcript', text)
  return { ...message, role: 'user', parts: [{ type: 'text', text: block, metadata: null }] }
}
