import type { ModelPrices } from '../domain/usage.ts'
import type { LanguageModel, ModelOutcome, ModelRequest } from '../ports/language-model.ts'

/** The options of `scriptedModel`. */
export interface ScriptedModelOptions {
  /** `scripted/model` by default. */
  readonly id?: string | undefined
  readonly windowTokens?: number | undefined
  readonly prices?: ModelPrices | undefined
}

/** A text is a complete answer; other outcomes are possible too. */
export type ScriptedAnswer = string | ModelOutcome

/** A model that answers from a script, and records its requests. */
export interface ScriptedModel extends LanguageModel {
  readonly asked: readonly ModelRequest[]
}

/**
 * Answers from a script, and records its requests. It rejects requests that providers would reject.
 *
 * @example
 * const model = scriptedModel(({ schema }) => schema === null ? 'All is well.' : '{"summary":"All is well."}')
 */
export function scriptedModel(
  script: (request: ModelRequest) => ScriptedAnswer | Promise<ScriptedAnswer>,
  { id = 'scripted/model', windowTokens = 128_000, prices }: ScriptedModelOptions = {},
): ScriptedModel {
  const asked: ModelRequest[] = []
  return {
    id,
    card: { id, contextWindowTokens: windowTokens },
    ...(prices !== undefined && { prices }),
    asked,
    generate: async (request, { signal }) => {
      if (signal.aborted) return failed('aborted', 'aborted')
      const wrong = problemOf(request)
      if (wrong !== null) return failed('refused', wrong)
      asked.push(request)
      const answer = await script(request)
      if (signal.aborted) return failed('aborted', 'aborted')
      if (typeof answer !== 'string') return answer
      return { kind: 'answered', text: answer, finish: 'stop', usage: null, model: id }
    },
  }
}

function problemOf({ messages, maxOutputTokens }: ModelRequest): string | null {
  if (messages.length === 0) return 'a request needs a message'
  if (messages[0]?.role !== 'user') return 'the first message must have the role user'
  if (messages.at(-1)?.role !== 'user') return 'the last message must have the role user'
  if (messages.some(({ content }) => content === '')) return 'a message cannot be empty'
  if (messages.some(({ content }) => !content.isWellFormed()))
    return 'a message is not well-formed text'
  return Number.isSafeInteger(maxOutputTokens) && maxOutputTokens > 0
    ? null
    : 'maxOutputTokens must be a whole number from 1'
}

function failed(cause: 'aborted' | 'refused', message: string): ModelOutcome {
  return { kind: 'failed', failure: { cause, status: null, retryAfterMs: null, message } }
}
