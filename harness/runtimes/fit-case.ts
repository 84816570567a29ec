/** The program that every runtime runs: `fit` and an adapter, and nothing of Node. */
import {
  type FitInput,
  type FitState,
  fit,
  isThroughlineError,
  type MessageInput,
} from 'throughline'
import { openaiChat } from 'throughline/adapters'

interface JsonCase {
  readonly messages: readonly MessageInput[]
  readonly asked: Omit<FitInput, 'messages' | 'model' | 'models' | 'state'>
  readonly windows: readonly number[]
}

/** Everything that a caller gets, as one text: of the first half of the messages, then of all of them. */
export async function fitCase(json: string, tokenizer: 'bytes' | 'estimate'): Promise<string> {
  const { messages, asked, windows } = JSON.parse(json) as JsonCase
  const results: unknown[] = []
  for (const contextWindowTokens of windows) {
    let state: FitState | null = null
    for (const end of [Math.ceil(messages.length / 2), messages.length]) {
      const models = [{ id: 'any', contextWindowTokens, tokenizer: 'o200k_base' as const }]
      const pins = asked.pins?.filter((seq) => seq < end)
      const input = {
        ...asked,
        pins,
        messages: messages.slice(0, end),
        state,
        model: 'any',
        models,
      }
      try {
        const fitted = await fit({ ...input, tokenizer: tokenizer === 'bytes' ? bytes : tokenizer })
        state = fitted.state
        results.push({ ...fitted, written: openaiChat.write(fitted) })
      } catch (error) {
        if (!isThroughlineError(error)) throw error
        results.push({ code: error.code, message: error.message })
      }
    }
  }
  return JSON.stringify(results)
}

/** As `docs/browser.md` has it: a program that passes it loads no vocabulary. */
const encoder = new TextEncoder()
const bytes = {
  id: 'bytes/1',
  exact: false,
  count: (text: string) => Math.ceil(encoder.encode(text).length / 3),
}

/** With the default tokenizer. */
export async function fitByDefault(): Promise<number> {
  const messages = [{ role: 'user' as const, content: 'How many tokens?' }]
  return (await fit({ messages, model: 'openai/gpt-5-mini' })).tokens
}
