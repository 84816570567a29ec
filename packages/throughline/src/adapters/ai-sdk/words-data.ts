/** Texts of problems in AI SDK prompts. */
import type { Role } from '../../domain/message.ts'

/** The required content of each role. */
export const contentKinds: Readonly<Record<Role, string>> = {
  system: 'text',
  user: 'text or an array of parts',
  assistant: 'text or an array of parts',
  tool: 'an array of parts',
}

/** Texts for a part without its partner. */
export const unpairedReasons = {
  'missing-result': 'is a call without a result before the next user message',
  'duplicate-call': 'is a call with the id of one that has no result yet',
  'orphan-result': 'is a result without a call',
  'duplicate-result': 'is a second result of the same call',
  'orphan-approval': 'has no call, or no approval request',
}
