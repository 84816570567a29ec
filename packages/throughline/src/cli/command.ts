/** The help texts of a command, and the arguments it runs with. */
import type { Outcome } from './exit-result.ts'
import { shellWord } from './screen/safe-text.ts'
import type { SettingName } from './settings/setting-fields.ts'
import type { World } from './world.ts'

export interface CommandForm {
  readonly group: string
  readonly summary: string
  /** The words after `throughline`, one line for each form. */
  readonly usage: readonly string[]
  readonly about?: readonly string[]
  readonly options: Readonly<Record<string, CommandOption>>
  /** The settings it reads, each as a flag; the store and the tenant unless set. */
  readonly settings?: readonly SettingName[]
  /** Each works as written, with `throughline` before it. */
  readonly examples: readonly (readonly [command: string, shows: string])[]
}

export interface CommandOption {
  /** The name of the value in the help; left out where the option takes none. */
  readonly value?: string
  readonly short?: string
  readonly says: string
}

export type Run = (args: Arguments, world: World) => Promise<Outcome>

export interface Arguments {
  readonly positionals: readonly string[]
  readonly json: boolean
  has(option: string): boolean
  text(option: string): string | null
  /** Throws `UsageError` if it is not a whole number. */
  number(option: string): number | null
  /** Throws `UsageError` if it is not one of the names. */
  choice<Name extends string>(option: string, names: readonly Name[]): Name | null
}

/** A command for the user to type: with npx if this one was run by npx. */
export function typedCommand(words: string, { env }: Pick<World, 'env'>): string {
  // Older releases of npm set only the second.
  const isByNpx = env['npm_command'] === 'exec' || env['npm_lifecycle_event'] === 'npx'
  return `${isByNpx ? 'npx throughline' : 'throughline'} ${words}`
}

/** The same on a conversation; in a chat, the slash command. `more` starts with a space. */
export function commandOn(id: string, name: string, world: World, more = ''): string {
  return world.isChat ? `/${name}${more}` : typedCommand(`${name} ${shellWord(id)}${more}`, world)
}
