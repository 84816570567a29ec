/** Runs a command of the command line on the conversation of a chat, with the settings of the chat. */
import type { Arguments, Command } from '../command.ts'
import type { Ending } from '../ending.ts'
import { endingOf } from '../ending-of.ts'
import { parseArguments } from '../parse-arguments.ts'
import { type CliSettings, settingFields, settingNames } from '../settings/setting-fields.ts'
import type { World } from '../world.ts'
import type { Talk } from './talk.ts'

export async function runInside(
  talk: Talk,
  command: Command,
  words: readonly string[],
  world: World,
): Promise<Ending> {
  try {
    return await command.run(argumentsOf(talk, parseArguments(command, words, world)), world)
  } catch (error) {
    return endingOf(error, world)
  }
}

/** The conversation stands first, and what the chat was begun with stands for what is not said. */
function argumentsOf({ chat, settings, system }: Talk, said: Arguments): Arguments {
  const texts = settingTexts(settings)
  return {
    ...said,
    positionals: [chat.id, ...said.positionals],
    has: (option) => option !== 'last' && said.has(option),
    text: (option) => {
      const text = said.text(option)
      if (text !== null) return text
      // A prompt is a text by now, and no file, whatever it begins with.
      if (option === 'system') return system?.startsWith('@') ? ` ${system}` : system
      return texts.get(option) ?? null
    },
  }
}

function settingTexts(settings: CliSettings): ReadonlyMap<string, string> {
  return new Map(
    settingNames.map((name) => {
      // What is none here is none there too, whatever a file or the environment says.
      const value = settings[name] ?? 'none'
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return [settingFields[name].flag, text] as const
    }),
  )
}
