/**
 * The port for background work. Jobs are plain JSON, because another process may run them. The next
 * request that finds a lost job due adds it again, so a queue may forget jobs.
 */
import type { ToolSchema } from '../domain/context.ts'
import type { Seq } from '../domain/ids.ts'
import type { TextPart } from '../domain/message.ts'

/** Background work, as plain JSON. */
export type Job = SummarizeJob | DigestJob

interface OfConversation {
  readonly tenant: string
  readonly conversation: string
  /** Of the chat. */
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
  /** What the chat sends besides its messages. */
  readonly system: readonly TextPart[]
  readonly tools: readonly ToolSchema[]
  readonly replyTokens: number | null
}

/** Runs jobs after the request, in this process or in another. */
export interface Queue {
  /** Called once, before anything is added. `signal`: end soon. */
  start(run: (job: Job, signal: AbortSignal) => Promise<void>): void
  /** One of the same key that waits already is enough; one that runs is run once more. */
  add(job: Job): void
  /** Resolves when all jobs are done. */
  settled(): Promise<void>
  /** Takes no more jobs, and resolves when those that run have ended; after a while it aborts them. */
  close(): Promise<void>
}

/**
 * What a queue tells jobs apart by: it must not run two of a key at once.
 *
 * @example
 * const waiting = new Map([[jobKey(job), job]])
 */
export function jobKey(job: Job): string {
  const { kind, tenant, conversation } = job
  return JSON.stringify([kind, tenant, conversation, kind === 'digest' ? job.seq : null])
}
