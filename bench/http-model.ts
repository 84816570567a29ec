/** A model on a server that speaks OpenAI's chat completions, called with plain fetch. */
import type { LanguageModel } from 'throughline'
import type { ModelOutcome } from 'throughline/models'

const id = 'bench/writer'

export function httpModel(url: string): LanguageModel {
  return {
    id,
    card: { id, contextWindowTokens: 128_000 },
    generate: async ({ system, messages, maxOutputTokens }, { signal }) => {
      try {
        const response = await fetch(`${url}/chat/completions`, {
          method: 'POST',
          headers: { authorization: 'Bearer test-key', 'content-type': 'application/json' },
          body: JSON.stringify({
            model: 'writer',
            max_completion_tokens: maxOutputTokens,
            messages: [
              ...(system === null ? [] : [{ role: 'system', content: system }]),
              ...messages,
            ],
          }),
          signal,
        })
        if (!response.ok) return failed('transport', response.status)
        return answered((await response.json()) as ChatCompletion)
      } catch {
        return failed(signal.aborted ? 'aborted' : 'transport', null)
      }
    },
  }
}

/** The fields of an answer that are read. */
interface ChatCompletion {
  readonly choices: readonly { readonly message: { readonly content: string } }[]
}

function answered({ choices }: ChatCompletion): ModelOutcome {
  const text = choices[0]?.message.content ?? ''
  return { kind: 'answered', text, finish: 'stop', usage: null, model: id }
}

function failed(cause: 'transport' | 'aborted', status: number | null): ModelOutcome {
  const message = 'the model did not answer'
  return { kind: 'failed', failure: { cause, status, retryAfterMs: null, message } }
}
