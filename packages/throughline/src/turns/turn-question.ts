/** What a model may be asked behind a reply, how its answer is judged, and what stands without one. */
import type { ModelAnswer, ModelRequest } from '../ports/language-model.ts'

export interface TurnQuestion {
  readonly kind: 'response' | 'turn' | 'theme'
  readonly request: ModelRequest
  judge(answer: ModelAnswer): ToldJudgement
  /** What stands where no answer passes. */
  readonly fallback: Told
}

export interface Told {
  /** One sentence; by rules it may be the beginning of what was said. */
  readonly text: string
  /** The oldest lines of the history in short, where they were asked for and told well. */
  readonly folded: string | null
}

export type ToldJudgement =
  | { readonly kind: 'ok'; readonly value: Told }
  | { readonly kind: 'refused'; readonly reasons: readonly string[] }
