/** Replacements without an engine: the end of the text, and a list of names. */
import type { Study } from './study.ts'

export const baselines = {
  tail: (text: string, _: Study, characters: number) => tailOf(text, characters),
  list: (_: string, study: Study, characters: number) => listOf(study, characters),
  'tail+list': (text: string, study: Study, characters: number) =>
    tailOf(text, Math.ceil((characters * 3) / 4)) + listOf(study, Math.floor(characters / 4)),
} as const satisfies Record<string, (text: string, study: Study, characters: number) => string>

export function tailOf(text: string, characters: number): string {
  return text.slice(Math.max(0, text.length - characters))
}

/** The names in order; skips one that is too long for the remaining room. */
function listOf({ ranked }: Study, characters: number): string {
  const listed: string[] = []
  let length = 0
  for (const name of ranked) {
    if (length + name.length + 1 > characters) continue
    listed.push(name)
    length += name.length + 1
  }
  return listed.join(' ')
}
