/** The conversation that a command is asked about, with the store or with the engine. */
import type { Conversation, ConversationHandle } from '../index.ts'
import type { Arguments } from './command.ts'
import type { Ending, Outcome } from './ending.ts'
import { type Asked, askedConversation, findConversation, noStore } from './find-conversation.ts'
import type { EngineOptions, OpenEngine } from './open-engine.ts'
import { isStoreThere, type OpenStore, withStore } from './open-store.ts'
import { safeLine } from './screen/safe-text.ts'
import { styleOf } from './screen/style.ts'
import { settle } from './screen/tell.ts'
import { readSettings } from './settings/read-settings.ts'
import type { World } from './world.ts'

export interface Found {
  readonly conversation: Conversation
  /** The words behind its name. */
  readonly rest: readonly string[]
}

export interface FoundHandle extends Found {
  readonly chat: ConversationHandle
}

export interface HandleOptions extends EngineOptions {
  /** Asked before a conversation is looked for; what it answers ends the command. */
  readonly unless?: (open: OpenEngine, asked: Asked) => Promise<Outcome | null>
}

export function onStored(
  args: Arguments,
  world: World,
  use: (found: Found & OpenStore) => Promise<Outcome>,
): Promise<Ending> {
  return withStore(args, world, async (open) => {
    const asked = askedConversation(args, world)
    if (!open.isThere) return noStore(open.settings.store, world)
    const found = await findConversation(open.store, asked, world)
    if ('exitCode' in found) return found
    await sayWhich(asked, found, args, world)
    return settle(args, world, await use({ ...open, conversation: found, rest: asked.rest }))
  })
}

export async function onHandle(
  args: Arguments,
  world: World,
  use: (found: FoundHandle & OpenEngine) => Promise<Outcome>,
  { unless, ...options }: HandleOptions = {},
): Promise<Ending> {
  const asked = askedConversation(args, world)
  const { store: file } = readSettings(args, world).values
  // Nothing can be done to a conversation where none was ever kept.
  if (!isStoreThere(file)) return noStore(file, world)
  // Loaded here, so that commands that only look do not load it.
  const { withEngine } = await import('./open-engine.ts')
  return withEngine(
    args,
    world,
    async (open) => {
      const ended = (await unless?.(open, asked)) ?? null
      if (ended !== null) return settle(args, world, ended)
      const found = await findConversation(open.store, asked, world)
      if ('exitCode' in found) return found
      await sayWhich(asked, found, args, world)
      const chat = open.tl.conversation(found.id)
      const own = { ...open, chat, conversation: found, rest: asked.rest }
      // Before the engine is closed, which may wait for work in the background.
      return settle(args, world, await use(own))
    },
    options,
  )
}

/** Where it was not named in full, which one was meant. Beside the output, which may go elsewhere. */
async function sayWhich(
  { name }: Asked,
  { id }: Conversation,
  { json }: Arguments,
  { stderr }: World,
): Promise<void> {
  if (json || name === id) return
  const { dim } = styleOf(stderr)
  const how = name === null ? 'last' : `"${safeLine(name)}"`
  await stderr.write(`${dim(`${how}: ${safeLine(id)}`)}\n`)
}
