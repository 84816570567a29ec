/** Planted bugs, and the rule that must find each. */

import type { Context, ContextMessage, TextPart } from 'throughline'
import type { SealedMessage, TenantStore } from 'throughline/stores'
import { commitChanges } from '../../packages/throughline/src/derived/commit.ts'
import { loadConversation, loadState } from '../../packages/throughline/src/derived/state.ts'
import { type ChangeCommit, commitBug, type PlantedBug } from '../kernel/planted.ts'
import { nextEventLoopTurn } from '../races/time.ts'
import { runSeed } from './run-seed.ts'
import { failuresWord } from './sim-model.ts'
import type { Planted } from './sim-store.ts'

interface SimBug {
  readonly bug: string
  readonly rule: string
  /** A seed that has found it: tried first, then others. */
  readonly seed: number
  readonly planted: Planted
}

const simBugs: readonly SimBug[] = [
  {
    bug: 'a store that appends a retried batch again',
    rule: 'doubled',
    seed: 1,
    planted: onAppended((message) => ({ ...message, key: null })),
  },
  {
    bug: 'a store that acknowledges an append without writing it',
    rule: 'lost',
    seed: 1,
    planted: onceInAppends(5, async (tenant, command) => {
      const from = (await loadConversation(tenant, command.id))?.head ?? 0
      const entries = command.messages.map((_, index) => ({
        ...{ seq: from + index, chain: '0'.repeat(64), marks: [], repeated: false },
      }))
      return { kind: 'appended', serial: 0, head: from + entries.length, entries }
    }),
  },
  {
    bug: 'a store that lets other messages between those of an append',
    rule: 'places',
    seed: 5,
    planted: {
      store: (tenant) => ({
        append: async (command) => {
          const [first, ...others] = command.messages
          if (first === undefined || command.expectedHead !== undefined)
            return tenant.append(command)
          let outcome = await tenant.append({ ...command, messages: [first] })
          for (const message of others) {
            if (outcome.kind !== 'appended') return outcome
            const { entries } = outcome
            await nextEventLoopTurn()
            await nextEventLoopTurn()
            const next = await tenant.append({ ...command, messages: [message] })
            outcome =
              next.kind === 'appended' ? { ...next, entries: [...entries, ...next.entries] } : next
          }
          return outcome
        },
      }),
    },
  },
  {
    bug: 'a store that trims texts',
    rule: 'bytes',
    seed: 1,
    planted: onAppended((message) => ({
      ...message,
      body: message.body.replaceAll(' "}', '"}').replaceAll(' ",', '",'),
    })),
  },
  {
    bug: 'a file whose write-ahead log is lost with the process',
    rule: 'lost',
    seed: 19,
    planted: { losesLog: true },
  },
  {
    bug: 'a store that ignores the expected version',
    rule: 'pins',
    seed: 137,
    planted: onCommit(async (command, tenant) => {
      const now = await loadConversation(tenant, command.id)
      return { ...command, expectedVersion: now?.version ?? 0 }
    }),
  },
  {
    bug: 'a failure that becomes a summary',
    rule: 'believed',
    seed: 17,
    planted: onCommit(async (command) => {
      const { summarized } = command.changes
      const record = summarized?.record ?? null
      if (summarized === undefined || record === null) return command
      const failed = { ...record, text: `${failuresWord}: overloaded` }
      return {
        ...command,
        changes: { ...command.changes, summarized: { ...summarized, record: failed } },
      }
    }),
  },
  {
    bug: 'a rewrite that does not update the view',
    rule: 'gone',
    seed: 11,
    planted: {
      store: (tenant) => ({
        rewrite: async (command) => {
          const { id, at } = command
          const models = ['toy/small', 'toy/chat', 'toy/wide']
          const states = await Promise.all(models.map((model) => loadState(tenant, { id, model })))
          const outcome = await tenant.rewrite(command)
          for (const [index, state] of states.entries()) {
            const expectedVersion = (await loadConversation(tenant, id))?.version ?? 0
            const view = { model: models[index] ?? '', view: state?.view ?? null }
            if (view.view !== null)
              await commitChanges(tenant, { id, expectedVersion, changes: { view }, at })
          }
          return outcome
        },
      }),
    },
  },
  {
    bug: 'a purge that leaves the message in forks',
    rule: 'bytes',
    seed: 40,
    planted: {
      store: (tenant) => ({
        rewrite: async (command) => {
          if (command.how !== 'purge' || command.forks !== 'purge') return tenant.rewrite(command)
          const { id, seq, at } = command
          return tenant.rewrite({ id, how: 'remove', span: { from: seq, to: seq + 1 }, at })
        },
      }),
    },
  },
  {
    bug: 'a purge that only claims to have erased',
    rule: 'erased',
    seed: 14,
    planted: {
      store: (tenant) => ({
        purge: async (command) => {
          const outcome = await loadConversation(tenant, command.id)
          if (outcome === null) return { kind: 'not-found' }
          return { kind: 'purged', conversations: [command.id], erased: true, remains: [] }
        },
      }),
    },
  },
  {
    bug: 'a fork that lacks its last message',
    rule: 'lost',
    seed: 1,
    planted: {
      store: (tenant) => ({
        create: (command) => {
          const { forkedFrom } = command
          if (forkedFrom === null) return tenant.create(command)
          return tenant.create({
            ...command,
            forkedFrom: { ...forkedFrom, at: Math.max(0, forkedFrom.at - 1) },
          })
        },
      }),
    },
  },
  {
    bug: 'a search that finds nothing',
    rule: 'recall',
    seed: 1,
    planted: {
      store: (tenant) => ({
        search: async (query) => {
          const found = await tenant.search(query)
          return found === null ? null : { ...found, matches: [] }
        },
      }),
    },
  },
  {
    bug: 'a turn that is remembered twice when it is sent twice',
    rule: 'turns',
    seed: 7,
    planted: onCommit(async (command) => {
      const { remembered } = command.changes
      if (remembered === undefined) return command
      const record = { ...remembered.record, key: null }
      return { ...command, changes: { ...command.changes, remembered: { ...remembered, record } } }
    }),
  },
  {
    bug: 'a command that sometimes never returns',
    rule: 'stuck',
    seed: 1,
    planted: onceInAppends(5, () => new Promise<never>(() => {})),
  },
  {
    bug: 'a context that silently omits a message',
    rule: 'listed',
    seed: 1,
    planted: onMessages((messages) =>
      messages.filter(({ seq }, at) => seq === null || at !== messages.length - 2),
    ),
  },
  {
    bug: 'a context without the results of its calls',
    rule: 'pairs',
    seed: 1,
    planted: onMessages((messages) => messages.filter(({ role }) => role !== 'tool')),
  },
  {
    bug: 'a context that starts with the current time',
    rule: 'prefix',
    seed: 1,
    planted: {
      context: (context) => ({ ...context, system: [clockOf(context), ...context.system] }),
    },
  },
  {
    bug: 'a pin that is shortened',
    rule: 'pin-bytes',
    seed: 8,
    planted: onMessages((messages) =>
      messages.map((message) =>
        message.slot === 'pins' ? { ...message, parts: message.parts.map(cut) } : message,
      ),
    ),
  },
  {
    bug: 'a prefix break with a wrong cause',
    rule: 'cause',
    seed: 2,
    planted: {
      context: (context) => ({
        ...context,
        brokenBy: context.brokenBy === null ? null : 'window-changed',
      }),
    },
  },
]

export interface BugSearch {
  readonly seed: number
  /** How many seeds to try. */
  readonly seeds: number
  readonly steps: number
}

export function plantedBugs({ seed: first, seeds, steps }: BugSearch): readonly PlantedBug[] {
  const others = Array.from({ length: seeds }, (_, index) => first + index)
  return simBugs.map(({ bug, rule, seed: known, planted }) => ({
    bug,
    rule,
    find: async () => {
      for (const seed of new Set([known, ...others])) {
        const { findings } = await runSeed({ seed, steps, planted })
        if (findings.some((finding) => finding.rule === rule)) return findings
      }
      return []
    },
  }))
}

function onAppended(change: (message: SealedMessage) => SealedMessage): Planted {
  return {
    store: (tenant) => ({
      append: (command) =>
        tenant.append({ ...command, messages: command.messages.map((message) => change(message)) }),
    }),
  }
}

function onCommit(change: ChangeCommit): Planted {
  return { store: commitBug(change) }
}

/** Replaces every `times`-th append. */
function onceInAppends(
  times: number,
  instead: (
    tenant: TenantStore,
    ...given: Parameters<TenantStore['append']>
  ) => ReturnType<TenantStore['append']>,
): Planted {
  return {
    store: (tenant) => {
      let appends = 0
      return {
        append: (command) => {
          appends += 1
          return appends % times === 0 ? instead(tenant, command) : tenant.append(command)
        },
      }
    },
  }
}

function onMessages(
  change: (messages: readonly ContextMessage[]) => readonly ContextMessage[],
): Planted {
  return { context: (context) => ({ ...context, messages: change(context.messages) }) }
}

function clockOf({ fingerprint }: Context): TextPart {
  return { type: 'text', text: `It is ${fingerprint.slice(0, 4)} o'clock.`, metadata: null }
}

function cut(part: ContextMessage['parts'][number]): ContextMessage['parts'][number] {
  return part.type === 'text' ? { ...part, text: part.text.replace(/.(?=\n\[end )/su, '') } : part
}
