/** Messages of a log in memory, edited, removed or purged. */
import type { ConversationId } from '../../domain/ids.ts'
import { decodeBody, isRemoved } from '../../domain/sealed-message.ts'
import type { RewriteCommand, RewriteOutcome } from '../../ports/rewrite.ts'
import { sha256 } from '../../system.ts'
import { type RewrittenLog, rewriteLog } from '../rewrite-log.ts'
import type { MemoryLog } from './log.ts'

export function rewrite(
  logs: ReadonlyMap<ConversationId, MemoryLog>,
  command: RewriteCommand,
): RewriteOutcome {
  const log = logs.get(command.id)
  if (log === undefined) return { kind: 'not-found' }
  const outcome = rewriteLog(rewritten(log, logs), structuredClone(command), sha256)
  if (outcome.kind !== 'rewritten') return outcome
  const conversations = outcome.changed.map(({ id }) => id)
  if (command.how === 'purge' && conversations.length === 0)
    return { kind: 'already-purged', erased: true, remains: [] }
  const { conversation } = log
  return { kind: 'rewritten', conversation, conversations, erased: true, remains: [] }
}

function rewritten(log: MemoryLog, logs: ReadonlyMap<ConversationId, MemoryLog>): RewrittenLog {
  const { id, head } = log.current
  return {
    id,
    head,
    source: () => log.source && { log: rewritten(log.source.log, logs), at: log.source.at },
    forks: () =>
      [...logs.values()]
        .filter((other) => other.source?.log === log)
        .map((fork) => rewritten(fork, logs)),
    look: (seq) => {
      const row = log.row(seq)
      const { contentHash, calls, answers, body } = row.message
      const { former = [] } = row
      const { role } = decodeBody(body)
      return { role, removed: isRemoved(row), contentHash, former, calls, answers }
    },
    ownFrom: (seq) => log.ownFrom(seq),
    replace: (seq, change) => log.replace(seq, change),
    replay: (from, calls) => log.replay(from, calls),
    forget: (places, keys) => log.forget(places, keys),
    reindex: (places, pieces) => log.index.reindex(places, pieces),
    moved: (event, at, unpinned) => log.moved(event, at, unpinned),
  }
}
