/** Bugs that the attacks must find, each listed beside its attack. */
import { attacks } from '../attack/attacks.ts'
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = attacks.flatMap((attack) => attack.mutants)
