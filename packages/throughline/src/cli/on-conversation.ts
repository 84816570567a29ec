/** The conversation that a command is asked about, with the store or with the engine. */
import type { ConversationHandle } from '../conversation/handle.ts'
import type { Conversation } from '../domain/conversation.ts'
import type { Arguments } from './command.ts'
import type { Ending } from './ending.ts'
import { askedConversation, findConversation } from './find-conversation.ts'
import type { EngineOptions, OpenEngine } from './open-engine.ts'
import { type OpenStore, withStore } from './open-store.ts'
import type { World } from './world.ts'

export interface Found {
  readonly conversation: Conversation
  /** The words behind its name. */
  readonly rest: readonly string[]
}

export interface FoundHandle extends Found {
  readonly chat: ConversationHandle
}

export function onStored(
  args: Arguments,
  world: World,
  use: (found: Found & OpenStore) => Promise<Ending>,
): Promise<Ending> {
  return withStore(args, world, async (open) => {
    const asked = askedConversation(args)
    const found = await findConversation(open.store, asked)
    if (!found.ok) return found.failure.ending
    return use({ ...open, conversation: found.value, rest: asked.rest })
  })
}

export async function onHandle(
  args: Arguments,
  world: World,
  use: (found: FoundHandle & OpenEngine) => Promise<Ending>,
  options?: EngineOptions,
): Promise<Ending> {
  // Loaded here, so that commands that only look do not load it.
  const { withEngine } = await import('./open-engine.ts')
  return withEngine(
    args,
    world,
    async (open) => {
      const asked = askedConversation(args)
      const found = await findConversation(open.store, asked)
      if (!found.ok) return found.failure.ending
      const chat = open.tl.conversation(found.value.id)
      return use({ ...open, chat, conversation: found.value, rest: asked.rest })
    },
    options,
  )
}
