/** A request of ours as a call of a model of the AI SDK. Tools are never passed. */
import type { ModelRequest } from '../ports/language-model.ts'
import type { AiSdkCall, AiSdkPromptMessage } from './language-model-shape.ts'

export function callOf(request: ModelRequest, signal: AbortSignal): AiSdkCall {
  const { system, messages, maxOutputTokens, temperature, schema } = request
  const said = messages.map(
    ({ role, content }): AiSdkPromptMessage => ({
      role,
      content: [{ type: 'text', text: content }],
    }),
  )
  return {
    prompt: system === null ? said : [{ role: 'system', content: system }, ...said],
    maxOutputTokens,
    temperature,
    responseFormat: schema === null ? { type: 'text' } : { type: 'json', schema, name: 'summary' },
    abortSignal: signal,
  }
}
