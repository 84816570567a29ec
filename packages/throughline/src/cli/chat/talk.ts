/** What a chat has open: a conversation, the model that answers, and what it is asked with. */
import type { Conversation, ConversationHandle, ConversationId } from '../../index.ts'
import { conversationId, loadConversation, type TenantStore } from '../../stores/index.ts'
import type { Arguments } from '../command.ts'
import { type Ending, notDone, WrongUsage } from '../ending.ts'
import { findConversation } from '../find-conversation.ts'
import type { OpenEngine } from '../open-engine.ts'
import { type Provider, requireProvider } from '../provider.ts'
import { systemField } from '../request-options.ts'
import type { CliSettings } from '../settings/setting-fields.ts'
import type { World } from '../world.ts'

export interface Talk {
  readonly chat: ConversationHandle
  readonly settings: CliSettings
  readonly provider: Provider
  readonly system: string | null
  readonly args: Arguments
  readonly world: World
}

export function providerFor(model: string, settings: CliSettings, world: World): Provider {
  const wayOut = ': put your key there, or name a model elsewhere, as --model ollama/qwen3:8b'
  return requireProvider(model, settings, world, wayOut)
}

interface OpenTalkInput {
  readonly id: string
  readonly given: string | null
}

/** A system prompt that is given is kept with the conversation, and holds until another is. */
export async function openTalk(
  { tl, settings }: OpenEngine,
  { id, given, args, world }: Pick<Talk, 'args' | 'world'> & OpenTalkInput,
): Promise<Talk> {
  const chat = tl.conversation(id)
  const provider = providerFor(settings.model, settings, world)
  const info = await chat.info()
  const kept = systemIn(info)
  if (info !== null && given !== null && given !== kept) await keepSystem(chat, info, given)
  return { chat, settings, provider, system: given ?? kept, args, world }
}

/** What is said is in the log before anything is sent. Gives its place. */
export async function say({ chat, system }: Talk, text: string): Promise<number> {
  const appended = await chat.append({ role: 'user', content: text.toWellFormed() })
  const seq = appended.entries[0]?.seq ?? 0
  if (seq === 0) {
    const info = await chat.info()
    if (info?.title === null) await chat.update({ titleFrom: seq })
    if (info !== null && system !== null) await keepSystem(chat, info, system)
  }
  return seq
}

function systemIn(info: Conversation | null): string | null {
  const kept = info?.meta?.[systemField]
  return typeof kept === 'string' && kept !== '' ? kept : null
}

async function keepSystem(
  chat: ConversationHandle,
  { meta }: Conversation,
  system: string,
): Promise<void> {
  await chat.update({ meta: { ...meta, [systemField]: system } })
}

/** The conversation that a chat goes on with, or the name of the one that it begins. */
export interface ChosenConversation {
  readonly id: ConversationId
  /** Nothing was said in it yet. */
  readonly isNew: boolean
}

export async function chooseConversation(
  args: Arguments,
  store: TenantStore,
  world: World,
): Promise<ChosenConversation | Ending> {
  const [name, extra] = args.positionals
  if (extra !== undefined) throw new WrongUsage('one conversation; what is said stands behind -m')
  if (args.has('last') && name !== undefined) throw new WrongUsage(`--last or "${name}", not both`)
  if (args.has('last')) return known(await findConversation(store, null, world))
  if (name === undefined) return { id: await freshId(store, world.now()), isNew: true }
  if (args.has('new')) return begun(store, name)
  const found = await findConversation(store, name, world)
  const isUnknown = 'exitCode' in found && found.problem?.code === 'NOT_FOUND'
  return isUnknown ? { id: conversationId(name), isNew: true } : known(found)
}

function known(found: Conversation | Ending): ChosenConversation | Ending {
  return 'exitCode' in found ? found : { id: found.id, isNew: false }
}

async function begun(store: TenantStore, name: string): Promise<ChosenConversation | Ending> {
  const id = conversationId(name)
  if ((await loadConversation(store, id)) === null) return { id, isNew: true }
  return notDone('REFUSED', `there is a conversation "${name}"; without --new it goes on`)
}

/** `chat-20260102-150405`, told by the time of day. */
async function freshId(store: TenantStore, now: number): Promise<ConversationId> {
  const time = new Date(now).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')
  for (let number = 1; ; number += 1) {
    const id = conversationId(`chat-${time}${number === 1 ? '' : `-${number}`}`)
    if ((await loadConversation(store, id)) === null) return id
  }
}
