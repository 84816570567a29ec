/** A chat session: the conversation, its model and its system prompt. */
import type { Conversation, ConversationHandle, ConversationId } from '../../index.ts'
import { conversationId, loadConversation, type TenantStore } from '../../stores/index.ts'
import type { Arguments } from '../command.ts'
import { failWith, UsageError } from '../exit-result.ts'
import { findConversation } from '../find-conversation.ts'
import type { OpenEngine } from '../open-engine.ts'
import { type Provider, requireProvider } from '../provider.ts'
import { systemField, warnOfUnknownModel } from '../request-options.ts'
import type { CliSettings } from '../settings/setting-fields.ts'
import type { World } from '../world.ts'

export interface ChatSession {
  readonly chat: ConversationHandle
  readonly settings: CliSettings
  readonly provider: Provider
  readonly system: string | null
  readonly args: Arguments
  readonly world: World
}

export function providerFor(model: string, settings: CliSettings, world: World): Provider {
  const advice = '; or use a local model, such as --model ollama/qwen3:8b'
  return requireProvider(model, settings, world, advice)
}

/** Stores a given system prompt with the conversation; later chats use it until another is given. */
export async function openSession(
  { tl, settings }: OpenEngine,
  given: Pick<ChatSession, 'args' | 'world' | 'system'> & { readonly id: string },
): Promise<ChatSession> {
  const { id, args, world } = given
  const chat = tl.conversation(id)
  const provider = providerFor(settings.model, settings, world)
  warnOfUnknownModel(settings.model, settings, world)
  const info = await chat.info()
  const field = info?.meta?.[systemField]
  const kept = typeof field === 'string' && field !== '' ? field : null
  const system = given.system ?? kept
  if (system !== kept) await keepSystem(chat, info, system)
  return { chat, settings, provider, system, args, world }
}

/** Appends the message before anything is sent, and returns its position. */
export async function appendMessage({ chat, system }: ChatSession, text: string) {
  const appended = await chat.append({ role: 'user', content: text.toWellFormed() })
  const seq = appended.entries[0]?.seq ?? 0
  if (seq === 0) {
    const info = await chat.info()
    if (info?.title === null) await chat.update({ titleFrom: seq })
    await keepSystem(chat, info, system)
  }
  return seq
}

async function keepSystem(
  chat: ConversationHandle,
  info: Conversation | null,
  system: string | null,
): Promise<void> {
  if (info !== null && system !== null)
    await chat.update({ meta: { ...info.meta, [systemField]: system } })
}

/** The conversation that a chat continues, or the name of a new one. */
export interface ChosenConversation {
  readonly id: ConversationId
  readonly isNew: boolean
}

export async function chooseConversation(args: Arguments, store: TenantStore, world: World) {
  const [name, extra] = args.positionals
  if (extra !== undefined) throw new UsageError('name one conversation; a message needs -m')
  const isLast = args.has('last')
  if (isLast && name !== undefined) throw new UsageError(`use --last or "${name}", not both`)
  if (name === undefined && !isLast) return { id: await freshId(store, world.now()), isNew: true }
  if (name !== undefined && args.has('new')) {
    const id = conversationId(name)
    if ((await loadConversation(store, id)) === null) return { id, isNew: true }
    const exists = `the conversation "${name}" already exists`
    return failWith('REFUSED', `${exists}; omit --new to continue it`)
  }
  const found = await findConversation(store, name ?? null, world)
  if (!('exitCode' in found)) return { id: found.id, isNew: false }
  const isUnknown = name !== undefined && found.problem?.code === 'NOT_FOUND'
  return isUnknown ? { id: conversationId(name), isNew: true } : found
}

/** Named by the time: `chat-20260102-150405`. */
async function freshId(store: TenantStore, now: number): Promise<ConversationId> {
  const time = new Date(now).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')
  for (let number = 1; ; number += 1) {
    const id = conversationId(`chat-${time}${number === 1 ? '' : `-${number}`}`)
    if ((await loadConversation(store, id)) === null) return id
  }
}
