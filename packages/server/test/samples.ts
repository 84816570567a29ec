/** For every operation, a request that succeeds in a sample world. */
import type { Operation } from './operations.ts'
import { canary, otherModel, type SampleFacts, type Sent } from './sample-world.ts'

interface Sample {
  /** Values of the path, without the conversation. */
  readonly at?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
}

type SampleOf = (facts: SampleFacts) => Sample

const nothing: SampleOf = () => ({})
const ofModel: SampleOf = ({ model }) => ({ query: { model } })
const first: SampleOf = () => ({ at: { seq: '0' } })
const context: SampleOf = ({ model }) => ({
  body: { model, system: 'Be brief.', tools: [{ name: 'read' }], replyTokens: 100 },
})
const message = { role: 'user', content: `The port is 47114. ${canary}` }

const samples: Readonly<Record<string, SampleOf>> = {
  listConversations: () => ({ query: { limit: '1' } }),
  createConversation: () => ({
    body: { id: 'new', title: canary, parent: { conversationId: 'talk' } },
  }),
  readConversation: nothing,
  updateConversation: () => ({ body: { title: canary, meta: { a: 1 }, compaction: 'off' } }),
  purgeConversation: nothing,
  forkConversation: () => ({ body: { at: 3, id: 'fork' } }),
  readStatus: nothing,
  listPurges: nothing,
  appendMessages: ({ fingerprint }) => ({
    body: { messages: [message], of: fingerprint, usage: { inputTokens: 900 } },
  }),
  listMessages: () => ({ query: { from: '1', limit: '2' } }),
  readMessage: first,
  editMessage: () => ({ at: { seq: '0' }, body: message }),
  removeMessages: () => ({ at: { seq: '2-3' } }),
  readOrigins: first,
  readOriginal: first,
  readFile: ({ sha256 }) => ({ at: { sha256 } }),
  pinMessage: () => ({ at: { anchor: '3' } }),
  unpinMessage: () => ({ at: { anchor: '3' } }),
  buildContext: context,
  previewCompaction: context,
  compact: () => ({ body: { model: otherModel, instructions: 'Ports first.' } }),
  listReceipts: nothing,
  compactNextRequest: () => ({ body: { instructions: 'Ports first.' } }),
  undoCompaction: () => ({ body: {} }),
  restoreVersion: ({ version }) => ({ body: { version } }),
  listVersions: ofModel,
  reportOverflow: ({ fingerprint }) => ({
    body: { fingerprint, error: { message: 'context_length_exceeded' } },
  }),
  readSummary: ofModel,
  editSummary: ({ model }) => ({ body: { model, text: `They chose port 47113. ${canary}` } }),
  listSummaries: nothing,
  listLedger: () => ({ query: { kind: 'file', limit: '5' } }),
  recall: () => ({ query: { query: 'which port', limit: '3', currentTurn: 'true' } }),
  expand: () => ({ query: { anchor: '0-2' } }),
  listTurns: () => ({ query: { from: '0', to: '6' } }),
  readTurnMemory: nothing,
  listEntities: () => ({ query: { type: 'recipe', state: 'active' } }),
  listTurnRecords: nothing,
  rememberTurn: () => ({
    body: { turn: { userMessage: 'And the invoice?', finalResponse: 'It is paid.' } },
  }),
  readStep: () => ({ at: { turn: '1', step: '0' } }),
  exportConversation: nothing,
  importTranscript: () => ({
    body: { text: '{"role":"user","content":"Hello."}\n', format: 'messages', name: 'old' },
  }),
  reply: () => ({ body: { content: `And the invoice? ${canary}`, system: 'Be brief.' } }),
  streamReply: () => ({ body: { content: `And the invoice? ${canary}` } }),
  listOverview: () => ({ query: { limit: '2', search: 'talk' } }),
  readRequest: ({ fingerprint }) => ({ at: { fingerprint } }),
  readVersion: ({ version }) => ({ at: { version: String(version) } }),
  listCosts: nothing,
  previewUndo: () => ({ body: {} }),
  listEvents: () => ({ query: { after: '1' } }),
  streamEvents: nothing,
  listKeys: nothing,
  createKey: () => ({ body: { name: 'ci', role: 'read', expiresAt: null } }),
  rotateKey: ({ keyId }) => ({ at: { key: keyId } }),
  updateKey: ({ keyId }) => ({ at: { key: keyId }, body: { name: 'reader' } }),
  revokeKey: ({ keyId }) => ({ at: { key: keyId } }),
  listAudit: nothing,
}

/** Throws for an operation without a sample, so that each new one gets one. */
export function sampleOf(operation: Operation, facts: SampleFacts): Sent {
  const sample = samples[operation.id]
  if (sample === undefined) throw new Error(`no sample for the operation ${operation.id}`)
  const { at = {}, query = {}, body } = sample(facts)
  const values: Readonly<Record<string, string>> = { conversation: facts.conversation, ...at }
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  )
  const search = new URLSearchParams(query).toString()
  return {
    method: operation.method,
    path: search === '' ? path : `${path}?${search}`,
    ...(body !== undefined && { text: JSON.stringify(body) }),
  }
}
