/** Answers of responses: the items of the last event, or those that were whole before the stream was cut. */
import {
  type AnswerForm,
  type CollectedAnswer,
  type Fields,
  fieldsOf,
  listOf,
  objectsIn,
  textOf,
} from './answer.ts'

export const openaiResponsesAnswer: AnswerForm = {
  whole: (body) => answerOf(body, listOf(body['output'])),
  collector: () => {
    const items: unknown[] = []
    const cut = new Map<number, string>()
    let last: Fields = {}
    return {
      take: (data) => {
        const index = Number(data['output_index'] ?? 0)
        const response = fieldsOf(data['response'])
        if (response !== null) last = response
        switch (data['type']) {
          case 'response.output_text.delta':
            cut.set(index, (cut.get(index) ?? '') + textOf(data['delta']))
            return false
          case 'response.output_item.done':
            items[index] = data['item']
            cut.delete(index)
            return false
          case 'response.completed':
          case 'response.incomplete':
          case 'response.failed':
            return true
        }
        return false
      },
      answer: () => {
        const output = listOf(last['output'])
        if (output.length > 0 || last['status'] === 'completed') return answerOf(last, output)
        const texts = [...cut.values()].filter((text) => text.trim() !== '')
        const halves = texts.map((text) => ({
          ...{ type: 'message', role: 'assistant', status: 'incomplete' },
          content: [{ type: 'output_text', text, annotations: [] }],
        }))
        return answerOf(last, [...items.filter((item) => item !== undefined), ...halves])
      },
    }
  },
}

function answerOf(response: Fields, output: readonly unknown[]): CollectedAnswer {
  const items = objectsIn(output)
  const ids = items.flatMap((item) => [textOf(item['id']), textOf(item['call_id'])])
  const { status } = response
  return {
    messages: items,
    isComplete: status === 'completed' || status === 'incomplete',
    usage: fieldsOf(response['usage']),
    ids: [textOf(response['id']), ...ids].filter((id) => id !== ''),
  }
}
