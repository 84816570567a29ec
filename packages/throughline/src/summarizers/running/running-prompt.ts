/** The words of a running summary: what never changes, and where the conversation stands in them. */
import type { Asked } from '../plan-steps.ts'

export interface RunningPrompt {
  /** One more with each change of the words. */
  readonly version: number
  /** The most words that are asked for; fewer where there is room for fewer. */
  readonly mostWords: number
  readonly system: (words: number) => string
  readonly content: (asked: Pick<Asked, 'previous' | 'transcript'>) => string
}
