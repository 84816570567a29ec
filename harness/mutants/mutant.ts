/** Bugs as changes to our source, which tests must notice: `npm run mutants -- turns`. */
import { attackMutants } from './attack-data.ts'
import { presetsMutants } from './presets-data.ts'
import { turnsMutants } from './turns-data.ts'

export interface Mutant {
  /** What is wrong, and the requirement it breaks. */
  readonly name: string
  /** Relative to the repository root. */
  readonly file: string
  /** Must occur exactly once in the file. */
  readonly find: string
  readonly replace: string
  /** Test files or folders, relative to the root: one of them must fail. */
  readonly tests: readonly string[]
}

/** Changes to one file that the same tests must notice. */
export interface MutantGroup extends Pick<Mutant, 'file' | 'tests'> {
  readonly changes: readonly (readonly [name: string, find: string, replace: string])[]
}

/** Written by hand, one list per module. */
export const mutantLists: Readonly<Record<string, readonly Mutant[]>> = {
  attack: mutantsIn(attackMutants),
  presets: mutantsIn(presetsMutants),
  turns: mutantsIn(turnsMutants),
}

function mutantsIn(groups: readonly MutantGroup[]): readonly Mutant[] {
  return groups.flatMap(({ file, tests, changes }) =>
    changes.map(([name, find, replace]) => ({ name, file, find, replace, tests })),
  )
}

/** The text with the bug; null if the quoted text does not occur exactly once. */
export function mutated(
  text: string,
  { find, replace }: Pick<Mutant, 'find' | 'replace'>,
): string | null {
  const at = text.indexOf(find)
  if (at < 0 || text.indexOf(find, at + 1) >= 0 || find === replace) return null
  return text.slice(0, at) + replace + text.slice(at + find.length)
}
