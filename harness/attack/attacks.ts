import type { Attack } from './attack.ts'
import { corruptedPages } from './corrupted-pages.ts'
import { degenerateDrafts } from './degenerate-drafts.ts'
import { foreignFiles } from './foreign-files.ts'
import { hungSummarizer } from './hung-summarizer.ts'
import { killedPurges } from './killed-purges.ts'
import { lostMessages } from './lost-messages.ts'
import { roleEscalation } from './role-escalation.ts'
import { secrets } from './secrets.ts'

export const attacks: readonly Attack[] = [
  lostMessages,
  degenerateDrafts,
  hungSummarizer,
  foreignFiles,
  killedPurges,
  corruptedPages,
  roleEscalation,
  secrets,
]
