/**
 * A command as data: what it takes, examples that work, and how it runs. Each is
 * a module of its own that is loaded only when it runs.
 */
import type { Outcome } from './ending.ts'
import type { SettingName } from './settings/setting-fields.ts'
import type { World } from './world.ts'

export interface Command {
  /** What may stand behind `throughline`, one line for each form. */
  readonly usage: readonly string[]
  /** What is to be known beyond the summary, in paragraphs. */
  readonly about?: readonly string[]
  readonly options: Readonly<Record<string, CommandOption>>
  /** The settings that it heeds, each as a flag; the store and the tenant unless set. */
  readonly settings?: readonly SettingName[]
  readonly examples: readonly Example[]
  run(args: Arguments, world: World): Promise<Outcome>
}

export interface CommandOption {
  /** What a value is called in the help; left out where the option takes none. */
  readonly value?: string
  readonly short?: string
  readonly says: string
}

/** With `throughline` before it the command works as it stands. */
type Example = readonly [command: string, shows: string]

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
