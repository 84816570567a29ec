import { describe, nearest } from '../../domain/text.ts'
import { ThroughlineError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'

export function invalidOption(message: string): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', message)
}

export function checkOptions<Options extends object>(
  options: Options,
  known: readonly (keyof Options & string)[],
  where: string,
  /** Extra text for the error about an unknown name. */
  advice: (name: string) => string = () => '',
): Options {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw invalidOption(`${where} takes an object of options, got ${describe(options)}`)
  const names: readonly string[] = known
  for (const name of Object.keys(options))
    if (!names.includes(name)) {
      const similar = nearest(name, names)
      const hint = similar === null ? '' : `; did you mean "${similar}"?`
      const list = `${names.join(', ')}${advice(name)}`
      throw invalidOption(`${where} has no option "${name}"; it takes ${list}${hint}`)
    }
  return options
}

/** The caller supplies the clock; stores need whole milliseconds. */
export function timeOf(clock: Clock): number {
  const time = clock.now()
  if (!Number.isSafeInteger(time))
    throw invalidOption(`the clock must give whole milliseconds, got ${describe(time)}`)
  return time
}
