/**
 * The port for background jobs. They are plain JSON, because another process may run them. A queue
 * may lose jobs: the next request that finds one due adds it again.
 */
import type { ToolSchema } from '../domain/context.ts'
import type { Seq } from '../domain/ids.ts'
import type { TextPart } from '../domain/message.ts'

/** Background work, as plain JSON. */
export type Job = SummarizeJob | DigestJob

interface OfConversation {
  readonly tenant: string
  readonly conversation: string
  /** The model of the conversation, not the summarizer. */
  readonly model: string
}

/** Asks for a digest of a message that is too large to be shown. */
export interface DigestJob extends OfConversation {
  readonly kind: 'digest'
  readonly seq: Seq
}

/** Asks for a summary of older messages. */
export interface SummarizeJob extends OfConversation {
  readonly kind: 'summarize'
  /** The system prompt and tools that the conversation sends with its messages. */
  readonly system: readonly TextPart[]
  readonly tools: readonly ToolSchema[]
  readonly replyTokens: number | null
}

/** Runs jobs after the request, in this process or in another. */
export interface Queue {
  /** Called once, before jobs are added. `signal` aborts when the queue closes. */
  start(run: (job: Job, signal: AbortSignal) => Promise<void>): void
  /** Ignores the job if one with the same key waits. If one is running, it runs once more. */
  add(job: Job): void
  /** Resolves when all jobs are done. */
  settled(): Promise<void>
  /** Accepts no more jobs, waits for running ones, and after a while aborts them. */
  close(): Promise<void>
}

/**
 * The key of a job: a queue must not run two jobs of one key at the same time.
 *
 * @example
 * const waiting = new Map([[jobKey(job), job]])
 */
export function jobKey(job: Job): string {
  const { kind, tenant, conversation } = job
  return JSON.stringify([kind, tenant, conversation, kind === 'digest' ? job.seq : null])
}
