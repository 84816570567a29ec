/** The bugs that are put in, and the rule that must find each. */

import type { Context, ContextMessage, TextPart } from 'throughline'
import type { SealedMessage, TenantStore } from 'throughline/stores'
import { commitChanges } from '../../packages/throughline/src/derived/commit.ts'
import { loadConversation, loadState } from '../../packages/throughline/src/derived/state.ts'
import { type ChangeCommit, commitBug, type PlantedBug } from '../kernel/planted.ts'
import { turnOfEvents } from '../races/time.ts'
import { runSeed } from './run-seed.ts'
import { failuresWord } from './sim-model.ts'
import type { Planted } from './sim-store.ts'

interface SimBug {
  readonly bug: string
  readonly rule: string
  /** One that has found it: tried first, and others where it does so no longer. */
  readonly seed: number
  readonly planted: Planted
}

const simBugs: readonly SimBug[] = [
  {
    bug: 'a store that adds again what is sent again',
    rule: 'doubled',
    seed: 1,
    planted: onAppended((message) => ({ ...message, key: null })),
  },
  {
    bug: 'a store that acknowledges an append and does not write it',
    rule: 'lost',
    seed: 1,
    planted: onceInAppends(5, async (sound, command) => {
      const from = (await loadConversation(sound, command.id))?.head ?? 0
      const entries = command.messages.map((_, index) => ({
        ...{ seq: from + index, chain: '0'.repeat(64), marks: [], repeated: false },
      }))
      return { kind: 'appended', serial: 0, head: from + entries.length, entries }
    }),
  },
  {
    bug: 'a store that lets others come between the messages of an append',
    rule: 'places',
    seed: 5,
    planted: {
      store: (sound) => ({
        append: async (command) => {
          const [first, ...others] = command.messages
          if (first === undefined || command.expectedHead !== undefined)
            return sound.append(command)
          let outcome = await sound.append({ ...command, messages: [first] })
          for (const message of others) {
            if (outcome.kind !== 'appended') return outcome
            const { entries } = outcome
            await turnOfEvents()
            await turnOfEvents()
            const next = await sound.append({ ...command, messages: [message] })
            outcome =
              next.kind === 'appended' ? { ...next, entries: [...entries, ...next.entries] } : next
          }
          return outcome
        },
      }),
    },
  },
  {
    bug: 'a store that trims what was said',
    rule: 'bytes',
    seed: 1,
    planted: onAppended((message) => ({
      ...message,
      body: message.body.replaceAll(' "}', '"}').replaceAll(' ",', '",'),
    })),
  },
  {
    bug: 'a file whose log is lost with the process',
    rule: 'lost',
    seed: 19,
    planted: { losesLog: true },
  },
  {
    bug: 'a store that commits whatever the version is',
    rule: 'pins',
    seed: 88,
    planted: onCommit(async (command, sound) => {
      const now = await loadConversation(sound, command.id)
      return { ...command, expectedVersion: now?.version ?? 0 }
    }),
  },
  {
    bug: 'a failure that becomes a summary',
    rule: 'believed',
    seed: 8,
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
    bug: 'a rewrite that leaves the view as it was',
    rule: 'gone',
    seed: 11,
    planted: {
      store: (sound) => ({
        rewrite: async (command) => {
          const { id, at } = command
          const models = ['toy/small', 'toy/chat', 'toy/wide']
          const states = await Promise.all(models.map((model) => loadState(sound, { id, model })))
          const outcome = await sound.rewrite(command)
          for (const [index, state] of states.entries()) {
            const expectedVersion = (await loadConversation(sound, id))?.version ?? 0
            const view = { model: models[index] ?? '', view: state?.view ?? null }
            if (view.view !== null)
              await commitChanges(sound, { id, expectedVersion, changes: { view }, at })
          }
          return outcome
        },
      }),
    },
  },
  {
    bug: 'a purge that leaves the message in forks',
    rule: 'bytes',
    seed: 46,
    planted: {
      store: (sound) => ({
        rewrite: async (command) => {
          if (command.how !== 'purge' || command.forks !== 'purge') return sound.rewrite(command)
          const { id, seq, at } = command
          return sound.rewrite({ id, how: 'remove', span: { from: seq, to: seq + 1 }, at })
        },
      }),
    },
  },
  {
    bug: 'a purge that only says that it has erased',
    rule: 'erased',
    seed: 3,
    planted: {
      store: (sound) => ({
        purge: async (command) => {
          const outcome = await loadConversation(sound, command.id)
          if (outcome === null) return { kind: 'not-found' }
          return { kind: 'purged', conversations: [command.id], erased: true, remains: [] }
        },
      }),
    },
  },
  {
    bug: 'a fork that is one message short',
    rule: 'lost',
    seed: 1,
    planted: {
      store: (sound) => ({
        create: (command) => {
          const { forkedFrom } = command
          if (forkedFrom === null) return sound.create(command)
          return sound.create({
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
      store: (sound) => ({
        search: async (query) => {
          const found = await sound.search(query)
          return found === null ? null : { ...found, matches: [] }
        },
      }),
    },
  },
  {
    bug: 'a turn that is remembered again when it is handed over again',
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
    bug: 'a command that now and then is never answered',
    rule: 'stuck',
    seed: 1,
    planted: onceInAppends(5, () => new Promise<never>(() => {})),
  },
  {
    bug: 'a context that leaves a message out in silence',
    rule: 'listed',
    seed: 1,
    planted: onMessages((messages) =>
      messages.filter(({ seq }, at) => seq === null || at !== messages.length - 2),
    ),
  },
  {
    bug: 'a context without the results of its calls',
    rule: 'pairs',
    seed: 4,
    planted: onMessages((messages) => messages.filter(({ role }) => role !== 'tool')),
  },
  {
    bug: 'a context that begins with the time of day',
    rule: 'prefix',
    seed: 1,
    planted: {
      context: (context) => ({ ...context, system: [clockOf(context), ...context.system] }),
    },
  },
  {
    bug: 'a pin that is shown in short',
    rule: 'pin-bytes',
    seed: 8,
    planted: onMessages((messages) =>
      messages.map((message) =>
        message.slot === 'pins' ? { ...message, parts: message.parts.map(cut) } : message,
      ),
    ),
  },
  {
    bug: 'a break that is called something else',
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
  /** How many seeds are tried. */
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
    store: (sound) => ({
      append: (command) =>
        sound.append({ ...command, messages: command.messages.map((message) => change(message)) }),
    }),
  }
}

function onCommit(change: ChangeCommit): Planted {
  return { store: commitBug(change) }
}

/** Every so many-th append is another one. */
function onceInAppends(
  times: number,
  instead: (
    sound: TenantStore,
    ...given: Parameters<TenantStore['append']>
  ) => ReturnType<TenantStore['append']>,
): Planted {
  return {
    store: (sound) => {
      let appends = 0
      return {
        append: (command) => {
          appends += 1
          return appends % times === 0 ? instead(sound, command) : sound.append(command)
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
