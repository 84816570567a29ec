/** The conversation that a chat goes on with, or the name of the one that it begins. */
import { type ConversationId, conversationId } from '../../domain/ids.ts'
import { fail, ok, type Result } from '../../domain/result.ts'
import type { TenantStore } from '../../ports/store.ts'
import type { Arguments } from '../command.ts'
import { notDone, WrongUsage } from '../ending.ts'
import { type FindFailure, findConversation } from '../find-conversation.ts'
import type { World } from '../world.ts'

export interface ChosenConversation {
  readonly id: ConversationId
  /** Nothing was said in it yet. */
  readonly isNew: boolean
}

export async function chooseConversation(
  args: Arguments,
  store: TenantStore,
  world: World,
): Promise<Result<ChosenConversation, FindFailure>> {
  const [name, extra] = args.positionals
  if (extra !== undefined) throw new WrongUsage('one conversation; what is said stands behind -m')
  if (args.has('last') && name !== undefined) throw new WrongUsage(`--last or "${name}", not both`)
  if (args.has('last')) return known(await findConversation(store, { name: null, rest: [] }, world))
  if (name === undefined) return ok({ id: await freshId(store, world.now()), isNew: true })
  if (args.has('new')) return begun(store, name)
  const found = await findConversation(store, { name, rest: [] }, world)
  const isUnknown = !found.ok && found.failure.ending.problem?.code === 'NOT_FOUND'
  return isUnknown ? ok({ id: conversationId(name), isNew: true }) : known(found)
}

function known(
  found: Awaited<ReturnType<typeof findConversation>>,
): Result<ChosenConversation, FindFailure> {
  return found.ok ? ok({ id: found.value.id, isNew: false }) : found
}

async function begun(
  store: TenantStore,
  name: string,
): Promise<Result<ChosenConversation, FindFailure>> {
  const id = conversationId(name)
  if ((await store.conversation(id)) === null) return ok({ id, isNew: true })
  const ending = notDone('REFUSED', `there is a conversation "${name}"; without --new it goes on`)
  return fail({ kind: 'ended', ending })
}

/** `chat-20260102-150405`, told by the time of day. */
async function freshId(store: TenantStore, now: number): Promise<ConversationId> {
  const time = new Date(now).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')
  for (let number = 1; ; number += 1) {
    const id = conversationId(`chat-${time}${number === 1 ? '' : `-${number}`}`)
    if ((await store.conversation(id)) === null) return id
  }
}
