/** What a reader of transcripts yields, in the order of the file and as a stream. */
import type { JsonObject, MessageInput } from '../index.ts'
import { usageFields } from './formats-data.ts'
import type { JsonNode } from './json/raw-json.ts'

/** What a reader yields: a conversation, a message, a compaction, a branch or a problem. */
export type TranscriptItem =
  | TranscriptConversation
  | TranscriptMessage
  | TranscriptCompaction
  | TranscriptBranch
  | TranscriptProblem

/** A conversation of a transcript, and where it comes from. */
export interface TranscriptConversation {
  readonly kind: 'conversation'
  /** Unique within the file, and the same whenever the file is read again. */
  readonly id: string
  readonly title: string | null
  /** The call of the parent conversation that started this one, where it is known. */
  readonly parent: { readonly conversationId: string; readonly callId: string | null } | null
  readonly meta: JsonObject | null
}

/** A message of a transcript. */
export interface TranscriptMessage {
  readonly kind: 'message'
  readonly conversationId: string
  readonly message: MessageInput
  /** What the provider reported for the request that this message answers. */
  readonly usage: ReportedUsage | null
  readonly model: string | null
  /** Line of the file, from 1, where the record begins; null for a message from several records. */
  readonly line: number | null
}

/** Token figures as a provider reported them; null where it did not say. */
export interface ReportedUsage {
  /** The whole prompt, including cache reads and writes. */
  readonly inputTokens: number
  readonly outputTokens: number | null
  readonly cacheReadTokens: number | null
  readonly cacheWriteTokens: number | null
}

/** Null for zeros, which clients write where the provider reported nothing. */
export function usageIn(usage: JsonNode, form: keyof typeof usageFields): ReportedUsage | null {
  const [input = null, outputTokens = null, cacheReadTokens = null, cacheWriteTokens = null] =
    usageFields[form].map((path: string | null) => {
      const [field = '', inner] = path?.split('.') ?? []
      return inner === undefined ? usage.count(field) : usage.field(field).count(inner)
    })
  const isBeside = usageFields[form].at(3) !== null
  const besideInput = isBeside ? (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0) : 0
  // Without the rest of the input, the cached tokens alone would be too few.
  const inputTokens = input === null ? 0 : input + besideInput
  return inputTokens === 0 ? null : { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }
}

/** The other tool replaced its history at this point. */
export interface TranscriptCompaction {
  readonly kind: 'compaction'
  readonly conversationId: string
  readonly summary: string | null
  readonly tokensBefore: number | null
  readonly trigger: string | null
  readonly line: number | null
}

/** A branch that the conversation did not take: only the number of its messages is kept. */
interface TranscriptBranch {
  readonly kind: 'branch'
  readonly conversationId: string
  readonly messages: number
  readonly line: number | null
}

/** A line or record that could not be read; reading continues after it. */
export interface TranscriptProblem {
  readonly kind: 'problem'
  readonly line: number | null
  readonly reason: string
}

export function problemItem(line: number | null, reason: string): TranscriptProblem {
  return { kind: 'problem', line, reason }
}

export interface ConversationFields {
  readonly title?: string | null
  readonly parent?: TranscriptConversation['parent']
  readonly meta?: JsonObject | null | undefined
}

export function conversationItem(
  id: string,
  { title = null, parent = null, meta = null }: ConversationFields = {},
): TranscriptConversation {
  return { kind: 'conversation', id, title, parent, meta }
}

interface MessagePlace {
  readonly conversationId: string
  readonly line: number | null
  readonly usage?: ReportedUsage | null | undefined
  readonly model?: string | null | undefined
}

export function messageItem(
  message: MessageInput,
  { conversationId, line, usage = null, model = null }: MessagePlace,
): TranscriptMessage {
  return { kind: 'message', conversationId, message, usage, model, line }
}
