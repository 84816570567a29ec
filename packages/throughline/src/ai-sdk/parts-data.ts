/** Parts of a call of a model and of its reply, by their types. */

/** The fields of each part, beside its type and its options; the SDK hands on no others. */
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

/** Parts that a stream does not send in pieces. */
export const wholeParts: ReadonlySet<string> = new Set([
  ...['tool-call', 'tool-result', 'tool-approval-request', 'file', 'reasoning-file', 'custom'],
])

/** Parts that come before the model has said anything. */
export const preludes: ReadonlySet<string> = new Set([
  'stream-start',
  'response-metadata',
  'raw',
  'ping',
])
