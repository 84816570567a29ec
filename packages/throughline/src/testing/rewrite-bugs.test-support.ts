/** Stores with one bug each in what they do with messages that are edited, removed or purged. */
import type { ConversationId } from '../domain/ids.ts'
import type { TurnRecord } from '../domain/turn-record.ts'
import type { TenantStore } from '../ports/store.ts'
import type { Bug } from './derived-bugs.test-support.ts'

/** Answers a question as it was answered first, whatever was rewritten since. */
function stale<Name extends keyof TenantStore>(name: Name): Bug {
  return (tenant) => {
    const answers = new Map<string, unknown>()
    const ask = tenant[name] as (query: unknown) => Promise<unknown>
    return {
      [name]: async (query: unknown) => {
        const key = JSON.stringify(query)
        const answer = await ask(query)
        const isLess = JSON.stringify(answer).length < JSON.stringify(answers.get(key) ?? '').length
        if (!isLess) answers.set(key, answer)
        return structuredClone(answers.get(key))
      },
    } as Partial<TenantStore>
  }
}

/** Of each turn as it was read first. */
function keepsOfTurns(what: (record: TurnRecord) => Partial<TurnRecord>): Bug {
  return (tenant) => {
    const known = new Map<string, Partial<TurnRecord>>()
    return {
      turns: async (query) =>
        (await tenant.turns(query))?.map((record) => {
          const key = JSON.stringify([query.id, record.turn])
          known.set(key, known.get(key) ?? what(record))
          return { ...record, ...known.get(key) }
        }) ?? null,
    }
  }
}

export const rewriteBugs: Readonly<Record<string, Bug>> = {
  'keeps the title of a message that has changed': (tenant) => {
    const titles = new Map<string, string>()
    return {
      conversation: async (id) => {
        const found = await tenant.conversation(id)
        if (found?.title) titles.set(id, titles.get(id) ?? found.title)
        return found && { ...found, title: titles.get(id) ?? null }
      },
    }
  },
  'takes the title of a caller for one of ours': (tenant) => ({
    commit: (command) =>
      tenant.commit(
        command.changes.title === undefined
          ? command
          : { ...command, changes: { titleFrom: 0, ...command.changes } },
      ),
  }),
  'keeps the facts of a message that has changed': stale('facts'),
  'keeps the ledger of a history that has changed': stale('ledger'),
  'keeps a summary of what has changed': stale('summaries'),
  'keeps the digest of a message that has changed': stale('digests'),
  'keeps the words of a turn that has changed': keepsOfTurns(({ user }) => ({ user })),
  'keeps what is known of a turn that has changed': keepsOfTurns(({ knows }) => ({ knows })),
  'keeps what steps of a turn brought that has changed': stale('steps'),
  'keeps the words of a receipt': stale('receipts'),
  'keeps what a compaction left until hindsight comes': stale('waiting'),
  'keeps a view of what has changed': (tenant) => {
    const views = new Map<string, Awaited<ReturnType<TenantStore['state']>>>()
    return {
      state: async (query) => {
        const state = await tenant.state(query)
        const key = JSON.stringify([query.id, query.model])
        if (state?.view) views.set(key, state)
        const view = views.get(key)?.view ?? null
        return state && { ...state, view: state.view ?? view }
      },
    }
  },
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
  'purges what forks share without asking': (tenant) => ({
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
      const all = await tenant.list({ after: null, limit: 100, parent: null })
      for (const { id, forkedFrom } of all)
        if (forkedFrom !== null && id !== command.id) await tenant.rewrite({ ...command, id })
      return outcome
    },
  }),
  'takes hindsight of a history that has changed': (tenant) => ({
    complete: async (command) => {
      const rewrites = (await tenant.conversation(command.id))?.rewrites ?? 0
      return tenant.complete({ ...command, rewrites })
    },
  }),
  'tells nobody what was purged': () => ({ purges: async () => [] }),
  'names in the lines of purges whose they were': (tenant) => ({
    purges: async (query) =>
      (await tenant.purges(query)).map((line) => ({ ...line, subject: `"c"` as ConversationId })),
  }),
}
