import { adviceForUnknown, problemIn } from '../policies/schema.ts'
import { settingsSchema } from '../policies/settings-schema.ts'

/**
 * Checks a setting of a settings file. Returns the problem, with the path first; null if it is valid.
 *
 * @example
 * const wrong = settingProblem('compaction', 'maybe') // 'compaction must be on, off or shadow, got "maybe"'
 */
export function settingProblem(name: string, value: unknown): string | null {
  const { entries } = settingsSchema
  if (Object.hasOwn(entries, name))
    return problemIn(entries[name as keyof typeof entries], value, name)
  const names = Object.keys(entries).filter((each) => each !== '$schema')
  return `unknown setting "${name}"; ${adviceForUnknown(name, names)}`
}
