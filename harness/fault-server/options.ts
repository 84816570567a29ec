/** What a fault server is told, and what it tells. */
import type { JsonValue } from 'throughline'
import type { ModelApiName, ModelQuestion, SentHeaders } from './api.ts'
import type { ModelFault } from './faults.ts'

export interface FaultServerOptions {
  /** What the model says: always, in order (the last again and again), or to a question. */
  readonly answers?: string | readonly string[] | ((question: ModelQuestion) => string) | undefined
  readonly faults?: FaultPlan | undefined
  /** The key that is right; `test-key`. */
  readonly apiKey?: string | undefined
  /** The models that exist; all, where nothing is said. */
  readonly models?: readonly string[] | undefined
  /** What is done with a request that brings tools; `taken`. */
  readonly tools?: 'taken' | 'refused' | undefined
  readonly pace?: Partial<FaultPace> | undefined
}

/**
 * Which request gets which fault: in order, where null and the end of the list mean none; by
 * chance, the same for the same seed; or as a function says. Requests that are refused do
 * not count.
 */
export type FaultPlan =
  | readonly (ModelFault | null)[]
  | {
      readonly seed: string
      /** From 0, never, to 1, always. */
      readonly chance: number
      /** All, where nothing is said. */
      readonly among?: readonly ModelFault[] | undefined
    }
  | ((question: ModelQuestion) => ModelFault | null)

/** How slow and how large the faults are. */
export interface FaultPace {
  /** Between two bytes of `slow`. */
  readonly byteEveryMs: number
  /** How long a client has to read the headers before `reset-after-headers`. */
  readonly resetAfterMs: number
  /** What a 429 asks for; in whole seconds, upwards, where its header has no other unit. */
  readonly retryAfterMs: number
  /** Of the body of `huge`, at least. */
  readonly hugeBytes: number
}

export interface ServedRequest {
  readonly method: string
  readonly path: string
  /** Keys and cookies are left out. */
  readonly headers: SentHeaders
  /** Null where it was no JSON. */
  readonly body: JsonValue
  /** Null for a path that is none of theirs. */
  readonly api: ModelApiName | null
  /** Null where the request was refused. */
  readonly question: ModelQuestion | null
  /** Why it was refused. */
  readonly problems: readonly string[]
  readonly fault: ModelFault | null
  /** Null where none was sent. */
  readonly status: number | null
  /** What stood where an answer stands; null where no answer was given whole. */
  readonly said: string | null
  /** Exact values of what it said that stand nowhere in the question: those of `lies`. */
  readonly invented: readonly string[]
  readonly startedAtMs: number
  readonly endedAtMs: number | null
  /** `cut` by the server, `left` by the client, null as long as it goes on. */
  readonly ended: 'whole' | 'cut' | 'left' | null
}

export interface FaultServer {
  /** With `/v1`, as clients want it for their `baseURL`. */
  readonly url: string
  /** All that came, in order, also what was refused. */
  readonly requests: readonly ServedRequest[]
  /** Another plan from here on; null: nothing fails any more. */
  arm(faults: FaultPlan | null): void
  /** Lets go of every connection, also of those that hang. */
  close(): Promise<void>
}
