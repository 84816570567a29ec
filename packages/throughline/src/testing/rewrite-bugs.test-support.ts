/** Stores with one bug each in editing, removing or purging messages. */
import type { DerivedKind, DerivedRow } from '../domain/derived-row.ts'
import type { TurnRecord } from '../domain/turn-memory.ts'
import type { RowQuery } from '../ports/store.ts'
import type { Bug } from './row-bugs.test-support.ts'
import { loading, withBody } from './typed-commits.test-support.ts'

/** Loads rows of a kind as they were before a rewrite. */
const stale =
  (kind: DerivedKind, isAsked: (query: RowQuery) => boolean = () => true): Bug =>
  (tenant) => {
    const answers = new Map<string, readonly DerivedRow[]>()
    return loading(tenant, kind, (rows, query, id) => {
      if (!isAsked(query)) return rows
      const key = JSON.stringify([id, query])
      const known = answers.get(key)
      const isLess = JSON.stringify(rows).length < JSON.stringify(known ?? []).length
      if (!isLess) answers.set(key, rows)
      return answers.get(key) ?? rows
    })
  }

const isWaiting = ({ boundTo }: RowQuery) => boundTo !== undefined

/** Keeps fields of each turn as they were loaded first. */
function keepsOfTurns(what: (record: TurnRecord) => Partial<TurnRecord>): Bug {
  return (tenant) => {
    const known = new Map<string, Partial<TurnRecord>>()
    return loading(tenant, 'turn', (rows, _query, id) =>
      rows.map((row) =>
        withBody('turn', row, (record) => {
          const key = JSON.stringify([id, record.turn])
          known.set(key, known.get(key) ?? what(record))
          return { ...record, ...known.get(key) }
        }),
      ),
    )
  }
}

export const rewriteBugs: Readonly<Record<string, Bug>> = {
  'keeps the title of a message that has changed': (tenant) => {
    const titles = new Map<string, string>()
    return {
      load: async (query) => {
        const loaded = await tenant.load(query)
        const title = loaded?.conversation.title
        if (title) titles.set(query.id, titles.get(query.id) ?? title)
        const kept = titles.get(query.id) ?? null
        return loaded && { ...loaded, conversation: { ...loaded.conversation, title: kept } }
      },
    }
  },
  'treats a title of a caller as a derived one': (tenant) => ({
    commit: (command) =>
      tenant.commit(
        command.fields?.title === undefined
          ? command
          : { ...command, fields: { ...command.fields, titleFrom: command.fields.titleFrom ?? 0 } },
      ),
  }),
  'keeps the facts of a message that has changed': stale('facts'),
  'keeps the ledger of a history that has changed': stale('ledger'),
  'keeps a summary of messages that have changed': stale('summary'),
  'keeps the digest of a message that has changed': stale('digest'),
  'keeps the words of a turn that has changed': keepsOfTurns(({ user }) => ({ user })),
  'keeps the knowledge of a turn that has changed': keepsOfTurns(({ knows }) => ({ knows })),
  'keeps the key of a turn that is purged': keepsOfTurns(({ key }) => ({ key })),
  'keeps the step results of a turn that has changed': stale('step'),
  'keeps the words of a receipt': stale('receipt', (query) => !isWaiting(query)),
  'keeps the texts of a compaction for its follow-up': stale('receipt', isWaiting),
  'keeps a view of messages that have changed': stale('view'),
  'keeps recalled text of a message that has changed': stale('insert'),
  'moves no version with an edit': (tenant) => ({
    rewrite: async (command) => {
      const outcome = await tenant.rewrite(command)
      if (outcome.kind !== 'rewritten') return outcome
      const { version } = outcome.conversation
      return { ...outcome, conversation: { ...outcome.conversation, version: version - 1 } }
    },
  }),
  'removes by shortening the log': (tenant) => ({
    read: async (query) =>
      (await tenant.read(query))?.filter(({ marks }) => marks[0]?.kind !== 'removed') ?? null,
  }),
  'purges by removing': (tenant) => ({
    rewrite: (command) =>
      command.how === 'purge'
        ? tenant.rewrite({
            ...command,
            how: 'remove',
            span: { from: command.seq, to: command.seq + 1 },
          })
        : tenant.rewrite(command),
  }),
  'purges messages that forks share without permission': (tenant) => ({
    rewrite: (command) =>
      tenant.rewrite(command.how === 'purge' ? { ...command, forks: 'purge' } : command),
  }),
  'edits whatever the role': (tenant) => ({
    rewrite: async (command) => {
      const outcome = await tenant.rewrite(command)
      if (outcome.kind !== 'other-role' || command.how !== 'edit') return outcome
      const body = command.message.body.replace(/"role":"\w+"/, `"role":"${outcome.role}"`)
      return tenant.rewrite({ ...command, message: { ...command.message, body } })
    },
  }),
  'edits a shared message everywhere': (tenant) => ({
    rewrite: async (command) => {
      const outcome = await tenant.rewrite(command)
      if (command.how === 'purge' || outcome.kind !== 'rewritten') return outcome
      const all = await tenant.list({ by: 'id', after: null, limit: 100, parent: null })
      for (const { id, forkedFrom } of all.map(({ conversation }) => conversation))
        if (forkedFrom !== null && id !== command.id) await tenant.rewrite({ ...command, id })
      return outcome
    },
  }),
  'takes follow-up of a history that has changed': (tenant) => ({
    load: async (query) => {
      const loaded = await tenant.load(query)
      return loaded && { ...loaded, conversation: { ...loaded.conversation, rewrites: 0 } }
    },
    record: ({ onlyIf: _, ...command }) => tenant.record(command),
  }),
  'lists no purges': (tenant) => ({
    events: async (query) => (query.id === null ? [] : tenant.events(query)),
  }),
  'names the conversation in the lines of purges': (tenant) => ({
    events: async (query) =>
      (await tenant.events(query))?.map((event) =>
        event.kind === 'purged' ? { ...event, subject: '"c"' } : event,
      ) ?? null,
  }),
}
