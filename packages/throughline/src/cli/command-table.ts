/**
 * The commands, in the order of the help: their summaries, and where each is. Nothing is loaded here:
 * `--help` loads none of them, and a command loads no other.
 */
import type { Command } from './command.ts'

/** Summaries, by group and name. */
export const commandGroups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Bring: {
    import: 'bring in conversations of other tools',
  },
  Look: {
    list: 'the conversations of the store, newest first',
    show: 'the messages of a conversation',
    status: 'how full the last request was, and what was not shown',
    context: 'what a model would see now, and how full that is',
    receipt: 'what compactions did, and what of it was needed again',
  },
  Ask: {
    chat: 'talks with a model, in as long a conversation as you like',
    recall: 'finds what was said on something, and where',
    expand: 'opens what stands behind an anchor, word for word',
  },
  Change: {
    compact: 'compacts now, or shows with --preview what that would do',
    undo: 'shows again what stood before the last compaction',
    pin: 'shows a message in every context, word for word',
    unpin: 'lets a message go that was pinned',
    purge: 'removes a conversation or a message for good',
  },
  Measure: {
    replay: 'lives through a transcript again, call by call, in a window',
  },
  Care: {
    export: 'writes conversations as JSON lines or Markdown',
    doctor: 'looks whether Node, the store, keys and models are well',
    config: 'the settings, where each comes from, and how to change them',
  },
}

const loaders: Readonly<Record<string, () => Promise<Command>>> = {
  import: async () => (await import('./commands/import.ts')).importCommand,
  list: async () => (await import('./commands/list.ts')).list,
  show: async () => (await import('./commands/show.ts')).show,
  status: async () => (await import('./commands/status.ts')).status,
  context: async () => (await import('./commands/context.ts')).context,
  receipt: async () => (await import('./commands/receipt.ts')).receipt,
  chat: async () => (await import('./commands/chat.ts')).chat,
  recall: async () => (await import('./commands/recall.ts')).recall,
  expand: async () => (await import('./commands/recall.ts')).expand,
  compact: async () => (await import('./commands/compact.ts')).compact,
  undo: async () => (await import('./commands/compact.ts')).undo,
  pin: async () => (await import('./commands/pin.ts')).pin,
  unpin: async () => (await import('./commands/pin.ts')).unpin,
  purge: async () => (await import('./commands/purge.ts')).purge,
  replay: async () => (await import('./commands/replay.ts')).replay,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  config: async () => (await import('./commands/config.ts')).config,
}

export const commandNames: readonly string[] = Object.keys(loaders)

/** Null where there is no such command. */
export async function loadCommand(name: string): Promise<Command | null> {
  return Object.hasOwn(loaders, name) ? ((await loaders[name]?.()) ?? null) : null
}
