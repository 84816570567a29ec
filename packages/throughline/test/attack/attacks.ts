import type { Attack } from './attack.ts'
import { degenerateDrafts } from './degenerate-drafts.ts'
import { foreignFiles } from './foreign-files.ts'
import { hungSummarizer } from './hung-summarizer.ts'
import { lostMessages } from './lost-messages.ts'
import { roleEscalation } from './role-escalation.ts'
import { secrets } from './secrets.ts'

export const attacks: readonly Attack[] = [
  lostMessages,
  degenerateDrafts,
  hungSummarizer,
  foreignFiles,
  roleEscalation,
  secrets,
]
