import type { Attack } from './attack.ts'
import { hungSummarizer } from './hung-summarizer.ts'
import { lostMessages } from './lost-messages.ts'

export const attacks: readonly Attack[] = [hungSummarizer, lostMessages]
