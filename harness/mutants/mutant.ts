/** Bugs as changes of our code, which tests must notice: `npm run mutants -- turns`. */
import { attackMutants } from './attack-data.ts'
import { presetsMutants } from './presets-data.ts'
import { turnsMutants } from './turns-data.ts'

export interface Mutant {
  /** What is wrong with it, and of which requirement. */
  readonly name: string
  /** From the root. */
  readonly file: string
  /** Stands there exactly once. */
  readonly find: string
  readonly replace: string
  /** Files of tests, or folders of them, from the root: one of them must fail. */
  readonly tests: readonly string[]
}

/** Changes of one file that the same tests must notice. */
export interface MutantGroup extends Pick<Mutant, 'file' | 'tests'> {
  readonly changes: readonly (readonly [name: string, find: string, replace: string])[]
}

/** Picked by hand, one list for each module. */
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

/** The text with the bug in it; null where what it changes does not stand there exactly once. */
export function mutated(
  text: string,
  { find, replace }: Pick<Mutant, 'find' | 'replace'>,
): string | null {
  const at = text.indexOf(find)
  if (at < 0 || text.indexOf(find, at + 1) >= 0 || find === replace) return null
  return text.slice(0, at) + replace + text.slice(at + find.length)
}
