/** Part types of model calls and of their replies. */

/** The fields of each part besides its type and options; the SDK passes on no others. */
export const partFields: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  reasoning: ['text'],
  custom: ['kind'],
  file: ['data', 'mediaType', 'filename'],
  'reasoning-file': ['data', 'mediaType'],
  'tool-call': ['toolCallId', 'toolName', 'input', 'providerExecuted'],
  'tool-result': ['toolCallId', 'toolName', 'output'],
  'tool-approval-response': ['approvalId', 'approved', 'reason'],
}

/** Parts that a stream sends whole. */
export const wholeParts: ReadonlySet<string> = new Set([
  ...['tool-call', 'tool-result', 'tool-approval-request', 'file', 'reasoning-file', 'custom'],
])

/** Parts that a stream sends before any output of the model. */
export const preludeParts: ReadonlySet<string> = new Set([
  'stream-start',
  'response-metadata',
  'raw',
  'ping',
])
