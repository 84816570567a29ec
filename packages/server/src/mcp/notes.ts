/**
 * Notes of an agent on its conversation. They are messages of a child conversation, because a client of the gateway
 * would not send them back: in the conversation itself they would look like an edited history.
 */
import { createHash } from 'node:crypto'
import type { ConversationHandle, TenantHandle } from 'throughline'
import type { Called } from './caller.ts'

export interface FoundNote {
  readonly at: number | null
  readonly text: string
}

export async function addNote(tenant: TenantHandle, called: Called, text: string): Promise<void> {
  const conversationId = await originOf(tenant, called)
  const id = notesId(conversationId)
  // It fails if the notes exist, which is the usual case.
  await tenant.begin(id, { title: 'Notes', parent: { conversationId } })
  await tenant.conversation(id).append({ role: 'assistant', content: text })
}

/** The notes that match, the best first. */
export async function recallNotes(
  tenant: TenantHandle,
  called: Called,
  query: string,
): Promise<readonly FoundNote[]> {
  const chat = await notesOf(tenant, called)
  if ((await chat.info()) === null) return []
  const { pieces } = await chat.recall(query, { limit: notesAtMost, tokens: noteTokens })
  return pieces.filter(({ kind }) => kind === 'messages').map(({ at, text }) => ({ at, text }))
}

export async function countNotes(tenant: TenantHandle, called: Called): Promise<number> {
  return (await (await notesOf(tenant, called)).info())?.head ?? 0
}

const notesAtMost = 5
const noteTokens = 1_000

async function notesOf(tenant: TenantHandle, called: Called): Promise<ConversationHandle> {
  return tenant.conversation(notesId(await originOf(tenant, called)))
}

/** Forks share the notes of the conversation that they began from. */
async function originOf(tenant: TenantHandle, { info }: Called): Promise<string> {
  let origin = info
  for (let depth = 0; origin.forkedFrom !== null && depth < maxForks; depth += 1) {
    const next = await tenant.conversation(origin.forkedFrom.conversationId).info()
    if (next === null) break
    origin = next
  }
  return origin.id
}

const maxForks = 100

function notesId(conversation: string): string {
  return `notes~${createHash('sha256').update(conversation).digest('base64url')}`
}
