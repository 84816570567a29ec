/**
 * A request of ours as a call of a model of the AI SDK. Tools are passed only where they are
 * the conversation's own, as a part of what it has sent; nobody runs them.
 */
import type { ModelRequest } from '../ports/language-model.ts'
import type { AiSdkCall, AiSdkPromptMessage, ConversationCall } from './language-model-shape.ts'

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

/** All that the conversation would send stands first, byte for byte, and what we ask stands behind it. */
export function continuing(conversation: ConversationCall, call: AiSdkCall): AiSdkCall {
  const { prompt, ...beside } = conversation
  // A border: what the conversation sends is in the SDK's own form, of which we know no more.
  const before = prompt as unknown as AiSdkPromptMessage[]
  return { ...beside, ...call, prompt: [...before, ...call.prompt] }
}
