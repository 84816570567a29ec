/** What the first record of a Codex file says of its session, and of those that it goes on from. */
import type { JsonObject, JsonValue } from '../../index.ts'
import { fieldOf, filledTextOf, metaOf } from '../json/json-access.ts'
import type { TranscriptConversation } from '../transcript.ts'

export function codexConversation(session: JsonObject, id: string): TranscriptConversation {
  const parent = parentOf(session)
  return {
    kind: 'conversation',
    id,
    title: null,
    // Which call of the parent began it is not written down.
    parent: parent === null ? null : { conversationId: parent, callId: null },
    meta: sessionMeta(session),
  }
}

function sessionMeta(session: JsonObject): JsonObject | null {
  const told = filledTextOf(fieldOf(session, 'base_instructions'), 'text')
  const meta = metaOf({
    cwd: filledTextOf(session, 'cwd'),
    gitBranch: filledTextOf(fieldOf(session, 'git'), 'branch'),
    version: filledTextOf(session, 'cli_version'),
    forkedFrom: parentOf(session) === null ? filledTextOf(session, 'forked_from_id') : null,
    agent: filledTextOf(session, 'agent_nickname') ?? filledTextOf(session, 'agent_role'),
    system: told ?? filledTextOf(session, 'instructions'),
  })
  return meta ?? null
}

/** The session whose agent this one is. */
function parentOf(session: JsonObject): string | null {
  const spawned = spawnOf(session)
  if (spawned !== null) return spawned
  const agent = filledTextOf(session, 'thread_source') === 'subagent'
  return agent ? filledTextOf(session, 'parent_thread_id') : null
}

function spawnOf(session: JsonObject): string | null {
  const agent: JsonValue | undefined = fieldOf(fieldOf(session, 'source'), 'subagent')
  return filledTextOf(fieldOf(agent, 'thread_spawn'), 'parent_thread_id')
}

/** Sessions whose history may stand at the beginning of this one's file. */
export function forebearsOf(session: JsonObject): readonly string[] {
  return [
    filledTextOf(session, 'forked_from_id'),
    filledTextOf(session, 'parent_thread_id'),
    spawnOf(session),
  ].filter((id) => id !== null)
}
