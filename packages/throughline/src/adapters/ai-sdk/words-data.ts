/** What the problems of prompts of the AI SDK are called. */
import type { Role } from '../../domain/message.ts'

/** What the content of each role must be. */
export const contentKinds: Readonly<Record<Role, string>> = {
  system: 'text',
  user: 'text or an array of parts',
  assistant: 'text or an array of parts',
  tool: 'an array of parts',
}

/** What is wrong with a part that has lost its other half. */
export const looseReasons = {
  'missing-result': 'is a call whose result is missing before the next message of the user',
  'duplicate-call': 'is a call with the id of one that still waits for its result',
  'orphan-result': 'is a result of no call',
  'duplicate-result': 'is a second result of one call',
  'orphan-approval': 'belongs to no call, or to no request for approval',
}
