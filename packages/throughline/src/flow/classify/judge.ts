/** What the rules of a policy make of messages: looked at once, however often we select from them. */
import type { Seq } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import type { TrimRules } from '../../domain/policy.ts'
import { type Classified, classifyMessages } from './classify.ts'
import { type TrackedFiles, trackFiles } from './track-files.ts'
import { type TrimOrder, trimOrder } from './trim-order.ts'

export interface Judged {
  /** One for each message. */
  readonly classified: readonly Classified[]
  readonly order: TrimOrder
  readonly tracked: TrackedFiles
}

/** A summary stands for the messages before `summarizedTo`. */
export function judge(
  messages: readonly Message[],
  rules: TrimRules,
  summarizedTo: Seq = 0,
): Judged {
  const tracked = trackFiles(messages)
  const classified = classifyMessages(messages, { rules, tracked, summarizedTo })
  return { classified, order: trimOrder(classified, rules), tracked }
}
