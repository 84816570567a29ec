import type { Attack } from './attack.ts'
import { degenerateDrafts } from './degenerate-drafts.ts'

export const attacks: readonly Attack[] = [degenerateDrafts]
