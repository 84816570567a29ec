import type { Attack } from './attack.ts'
import { corruptedPages } from './corrupted-pages.ts'
import { killedPurges } from './killed-purges.ts'

export const attacks: readonly Attack[] = [corruptedPages, killedPurges]
