/** An engine for AI SDK tests, with a 16K model whose tokens are counted exactly. */
import { createThroughline, type Message, type Store, type Throughline } from 'throughline'
import { modelName, windowTokens } from './agent.ts'

export function engineOn(store?: Store): Throughline {
  return createThroughline({
    ...(store === undefined ? {} : { store }),
    models: [{ id: modelName, contextWindowTokens: windowTokens, tokenizer: 'o200k_base' }],
  })
}

/** The log in short: role and text of each message. */
export async function drawLog(engine: Throughline, id: string): Promise<readonly string[]> {
  const log = await Array.fromAsync(engine.conversation(id).messages())
  return log.map(drawMessage)
}

function drawMessage({ role, status, parts }: Message): string {
  const cut = status === 'incomplete' ? ' (cut)' : ''
  const texts = parts.map((part) => {
    switch (part.type) {
      case 'text':
        return part.text
      case 'tool-call':
        return `→ ${part.name} ${part.callId}`
      case 'tool-result':
        return `← ${part.callId}`
      default:
        return part.type
    }
  })
  return `${role}${cut}: ${texts.join(' | ')}`
}
