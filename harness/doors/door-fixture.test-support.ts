/** An engine for the tests of a door: a model of 16K that is counted exactly. */
import { createThroughline, type Message, type Store, type Throughline } from 'throughline'
import { modelName, windowTokens } from './agent.ts'

export function engineOn(store?: Store): Throughline {
  return createThroughline({
    ...(store === undefined ? {} : { store }),
    models: [{ id: modelName, contextWindowTokens: windowTokens, tokenizer: 'o200k_base' }],
  })
}

/** A log in short: who said what. */
export async function drawLog(engine: Throughline, id: string): Promise<readonly string[]> {
  const log = await Array.fromAsync(engine.conversation(id).messages())
  return log.map(drawMessage)
}

function drawMessage({ role, status, parts }: Message): string {
  const cut = status === 'incomplete' ? ' (cut)' : ''
  const said = parts.map((part) => {
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
  return `${role}${cut}: ${said.join(' | ')}`
}
