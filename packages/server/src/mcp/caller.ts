/** Who calls over MCP, and which conversation a call is about. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Conversation, ConversationHandle, TenantHandle } from 'throughline'
import { fieldsOf } from '../gateway/answer.ts'
import { clientId, headerId, longIdCharacters, passedId } from '../gateway/find-conversation.ts'
import type { GatewayIndex } from '../gateway/gateway-index.ts'
import { Refusal } from '../problem.ts'

/** A caller with its tenant: that of its key. */
export interface Caller {
  readonly tenant: TenantHandle
  readonly tenantName: string
  readonly canWrite: boolean
  /** Null without a gateway: then a call must name its conversation. */
  readonly index: Pick<GatewayIndex, 'find'> | null
  /** The session of the Claude Code that started this process; null over HTTP. */
  readonly session: string | null
  /** Called after a tool has changed a conversation. */
  changed(conversation: string): void
}

export interface Called {
  readonly chat: ConversationHandle
  readonly info: Conversation
}

/**
 * Finds the conversation that a call names; without a name, the one in which the call was made. It never
 * guesses: a call of a client that says nothing gets an error.
 */
export async function calledConversation(
  caller: Caller,
  name: string | undefined,
  meta: unknown,
): Promise<Called> {
  const found =
    name === undefined
      ? await existing(caller, await ownConversation(caller, meta))
      : ((await existing(caller, name)) ?? (await existing(caller, await namedId(caller, name))))
  if (found !== null) return found
  throw new Refusal('NOT_FOUND', name === undefined ? unknownCaller : unknownName(name))
}

const unknownCaller =
  'the conversation of this call is not known: its client does not use the gateway, or does not say who it is. Pass `conversation`, an id from list_conversations'

function unknownName(name: string): string {
  return `there is no conversation ${JSON.stringify(name)}; list_conversations has the ids`
}

async function existing({ tenant }: Caller, id: string | null): Promise<Called | null> {
  if (id === null || id === '') return null
  const chat = tenant.conversation(id)
  const info = await chat.info()
  return info === null ? null : { chat, info }
}

/** The name that a client of the gateway gave in a header. */
async function namedId({ index, tenantName }: Caller, name: string): Promise<string | null> {
  const [first] = (await index?.find(tenantName, [headerId(name)])) ?? []
  return first ?? null
}

/**
 * The id of the tool call is the most exact sign: it separates sub-agents and forks. It counts only inside the
 * session of the client, where that is known, because some services number their calls.
 */
async function ownConversation(caller: Caller, meta: unknown): Promise<string | null> {
  const { index, tenantName } = caller
  if (index === null) return null
  const { clients, callId } = signsIn(caller, meta)
  const ofSession = await index.find(tenantName, clients.map(clientId))
  if (clients.length > 0 && ofSession.length === 0) return null
  if (callId !== null)
    for (let waitedMs = 0; waitedMs <= storedWithinMs; waitedMs += pollMs) {
      const ofCall = await index.find(tenantName, [passedId(callId)])
      if (clients.length === 0 && ofCall.length > 1) return null
      for (const id of ofCall)
        if (clients.length === 0 || (await isWithin(caller, id, ofSession))) return id
      // Clients run a tool while its answer still arrives.
      await wait(pollMs)
    }
  return ofSession[0] ?? null
}

const storedWithinMs = 1_000
const pollMs = 50

interface Signs {
  /** Sessions, as the gateway keys its conversations. */
  readonly clients: readonly string[]
  /** The id of the tool call in the answer of the model. */
  readonly callId: string | null
}

function signsIn({ session }: Caller, meta: unknown): Signs {
  const fields = fieldsOf(meta) ?? {}
  const text = (name: string) => {
    const value = fields[name]
    return typeof value === 'string' && value !== '' && value.length <= maxIdCharacters
      ? value
      : null
  }
  const callId = text('claudecode/toolUseId') ?? text('callId')
  const codex = text('threadId') ?? text('sessionId')
  return {
    // A Codex that runs inside of a Claude Code inherits its environment.
    clients:
      codex !== null ? [`codex ${codex}`] : session !== null ? [`claude-code ${session}`] : [],
    callId: callId !== null && callId.length >= longIdCharacters ? callId : null,
  }
}

const maxIdCharacters = 256

/** Whether it is one of these conversations, or one that a sub-agent of theirs has. */
async function isWithin(
  { tenant }: Caller,
  id: string,
  ofSession: readonly string[],
): Promise<boolean> {
  let next: string | null = id
  for (let depth = 0; next !== null && depth < maxDepth; depth += 1) {
    if (ofSession.includes(next)) return true
    const info: Conversation | null = await tenant.conversation(next).info()
    next = info?.parent?.conversationId ?? null
  }
  return false
}

const maxDepth = 8
