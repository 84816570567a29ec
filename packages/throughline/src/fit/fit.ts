/** The entry point `fit`: the implementation is loaded with the first call. */
import { checkRuntime } from '../system.ts'
import type { Fitted } from './fit-messages.ts'
import type { FitInput } from './read-input.ts'

/**
 * Fits a conversation that you keep yourself into a model's window.
 *
 * @example
 * const fitted = await fit({ messages: inputs, state, model: 'openai/gpt-5-mini' })
 * state = fitted.state
 */
export async function fit(input: FitInput): Promise<Fitted> {
  checkRuntime()
  const { fitMessages } = await import('./fit-messages.ts')
  return fitMessages(input)
}
