/** A command as its help describes it, what it is run with, and how others are told to type one. */
import type { Outcome } from './ending.ts'
import type { SettingName } from './settings/setting-fields.ts'
import type { World } from './world.ts'

export interface CommandForm {
  /** The title above it in the list of commands. */
  readonly group: string
  readonly summary: string
  /** What may stand behind `throughline`, one line for each form. */
  readonly usage: readonly string[]
  /** What is to be known beyond the summary, in paragraphs. */
  readonly about?: readonly string[]
  readonly options: Readonly<Record<string, CommandOption>>
  /** The settings that it heeds, each as a flag; the store and the tenant unless set. */
  readonly settings?: readonly SettingName[]
  readonly examples: readonly Example[]
}

export interface CommandOption {
  /** What a value is called in the help; left out where the option takes none. */
  readonly value?: string
  readonly short?: string
  readonly says: string
}

/** With `throughline` before it the command works as it stands. */
type Example = readonly [command: string, shows: string]

export type Run = (args: Arguments, world: World) => Promise<Outcome>

export interface Arguments {
  readonly positionals: readonly string[]
  readonly json: boolean
  has(option: string): boolean
  text(option: string): string | null
  /** Throws `WrongUsage` where it is no whole number. */
  number(option: string): number | null
}

/** A command that somebody is told to type, begun as they have begun this one: by npx, or by its name. */
export function typedCommand(words: string, { env }: Pick<World, 'env'>): string {
  // The second is what older releases of npm say.
  const isByNpx = env['npm_command'] === 'exec' || env['npm_lifecycle_event'] === 'npx'
  return `${isByNpx ? 'npx throughline' : 'throughline'} ${words}`
}
