import type { Attack } from './attack.ts'
import { foreignFiles } from './foreign-files.ts'

export const attacks: readonly Attack[] = [foreignFiles]
