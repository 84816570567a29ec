/** The reply of OpenAI's responses: a message for each output item. */
import { openaiResponses } from '../adapters/http-adapters.ts'
import { type Fields, fieldsOf, isFilled, listOf } from '../adapters/unknown-json.ts'
import { type ReplyReader, usageOf, withStatus } from './reply-reader.ts'

export function responsesReply(): ReplyReader {
  let response: Fields = {}
  // Items and texts by the place of their item, until the response is there as a whole.
  const items: Fields[] = []
  const texts: string[] = []
  return {
    whole(body) {
      response = body
    },
    event({ type, response: whole, output_index: index, item, delta }) {
      if (endings.has(`${type}`)) response = fieldsOf(whole) ?? {}
      if (typeof index !== 'number') return
      if (type === 'response.output_item.done') items[index] = fieldsOf(item) ?? {}
      if (type === 'response.output_text.delta') texts[index] = `${texts[index] ?? ''}${delta}`
    },
    end() {
      const { output, status } = response
      const whole = listOf(output)
      const input = whole.length > 0 ? whole : partialItems(items, texts)
      const { messages } = openaiResponses.read({ input: input as readonly object[] })
      const isWhole = status === 'completed' || status === undefined
      const isComplete = whole.length > 0 && isWhole
      return {
        messages: withStatus(messages, isComplete ? 'complete' : 'incomplete'),
        usage: usageOf(response),
      }
    },
  }
}

const endings = new Set(['response.completed', 'response.incomplete', 'response.failed'])

function partialItems(items: readonly Fields[], texts: readonly string[]): readonly Fields[] {
  const length = Math.max(items.length, texts.length)
  return Array.from({ length }, (_, index) => {
    const text = texts[index]
    if (items[index] !== undefined) return [items[index]]
    if (!isFilled(text)) return []
    return [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }]
  }).flat()
}
