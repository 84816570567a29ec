/**
 * The commands by name, in the order of the help. Only names and summaries stand here: `--help`
 * loads none of them, and a command loads no other.
 */
import type { Command } from './command.ts'

export interface CommandEntry {
  readonly summary: string
  load(): Promise<Command>
}

export interface CommandGroup {
  readonly title: string
  readonly commands: Readonly<Record<string, CommandEntry>>
}

export const commandGroups: readonly CommandGroup[] = [
  {
    title: 'Bring',
    commands: {
      import: {
        summary: 'bring in conversations of other tools',
        load: async () => (await import('./commands/import.ts')).importCommand,
      },
    },
  },
  {
    title: 'Look',
    commands: {
      list: {
        summary: 'the conversations of the store, newest first',
        load: async () => (await import('./commands/list.ts')).list,
      },
      show: {
        summary: 'the messages of a conversation',
        load: async () => (await import('./commands/show.ts')).show,
      },
      status: {
        summary: 'how full the last request was, and what was not shown',
        load: async () => (await import('./commands/status.ts')).status,
      },
      context: {
        summary: 'what a model would see now, and how full that is',
        load: async () => (await import('./commands/context.ts')).context,
      },
      receipt: {
        summary: 'what compactions did, and what of it was needed again',
        load: async () => (await import('./commands/receipt.ts')).receipt,
      },
    },
  },
  {
    title: 'Ask',
    commands: {
      chat: {
        summary: 'talks with a model, in as long a conversation as you like',
        load: async () => (await import('./commands/chat.ts')).chat,
      },
      recall: {
        summary: 'finds what was said on something, and where',
        load: async () => (await import('./commands/recall.ts')).recall,
      },
      expand: {
        summary: 'opens what stands behind an anchor, word for word',
        load: async () => (await import('./commands/expand.ts')).expand,
      },
    },
  },
  {
    title: 'Change',
    commands: {
      compact: {
        summary: 'compacts now, or shows with --preview what that would do',
        load: async () => (await import('./commands/compact.ts')).compact,
      },
      undo: {
        summary: 'shows again what stood before the last compaction',
        load: async () => (await import('./commands/undo.ts')).undo,
      },
      pin: {
        summary: 'shows a message in every context, word for word',
        load: async () => (await import('./commands/pin.ts')).pin,
      },
      unpin: {
        summary: 'lets a message go that was pinned',
        load: async () => (await import('./commands/pin.ts')).unpin,
      },
      purge: {
        summary: 'removes a conversation or a message for good',
        load: async () => (await import('./commands/purge.ts')).purge,
      },
    },
  },
  {
    title: 'Measure',
    commands: {
      replay: {
        summary: 'lives through a transcript again, call by call, in a window',
        load: async () => (await import('./commands/replay.ts')).replay,
      },
    },
  },
  {
    title: 'Care',
    commands: {
      export: {
        summary: 'writes conversations as JSON lines or Markdown',
        load: async () => (await import('./commands/export.ts')).exportCommand,
      },
      doctor: {
        summary: 'looks whether Node, the store, keys and models are well',
        load: async () => (await import('./commands/doctor.ts')).doctor,
      },
      config: {
        summary: 'the settings, where each comes from, and how to change them',
        load: async () => (await import('./commands/config.ts')).config,
      },
    },
  },
]

export function findCommand(name: string): CommandEntry | null {
  for (const { commands } of commandGroups) {
    const entry = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (entry !== undefined) return entry
  }
  return null
}

export const commandNames: readonly string[] = commandGroups.flatMap(({ commands }) =>
  Object.keys(commands),
)
