/** Answers of chat completions: the first choice is stored. */
import { type AnswerForm, type Fields, fieldsOf, listOf, objectsIn, textOf } from './answer.ts'

export const openaiChatAnswer: AnswerForm = {
  whole: (body) => {
    const choice = firstChoice(body)
    const message = fieldsOf(choice['message'])
    return {
      messages: message === null ? [] : [message],
      isComplete: typeof choice['finish_reason'] === 'string',
      usage: fieldsOf(body['usage']),
      ids: [textOf(body['id']), ...callIds(message ?? {})].filter((id) => id !== ''),
    }
  },
  collector: () => {
    const calls: Call[] = []
    const texts = { content: '', refusal: '' }
    let usage: Fields | null = null
    let isComplete = false
    let id = ''
    return {
      take: (data) => {
        id = id || textOf(data['id'])
        usage = fieldsOf(data['usage']) ?? usage
        const choice = firstChoice(data)
        const delta = fieldsOf(choice['delta']) ?? {}
        texts.content += textOf(delta['content'])
        texts.refusal += textOf(delta['refusal'])
        for (const call of listOf(delta['tool_calls'])) addCall(calls, fieldsOf(call) ?? {})
        if (typeof choice['finish_reason'] === 'string') isComplete = true
        // The figures follow in an event of their own; `[DONE]` ends the stream.
        return false
      },
      answer: () => {
        const whole = calls.filter((call) => call.name !== '' && isJson(call.input))
        const isEmpty = texts.content === '' && texts.refusal === '' && whole.length === 0
        const message = {
          role: 'assistant',
          content: texts.content === '' ? null : texts.content,
          ...(texts.refusal !== '' && { refusal: texts.refusal }),
          ...(whole.length > 0 && { tool_calls: whole.map(callJson) }),
        }
        const ids = [id, ...whole.map((call) => call.id)].filter((each) => each !== '')
        return { messages: isEmpty ? [] : [message], isComplete, usage, ids }
      },
    }
  },
}

interface Call {
  id: string
  name: string
  input: string
  readonly isCustom: boolean
}

/** Services that are like OpenAI's leave the index out, and send a call whole. */
function addCall(calls: Call[], delta: Fields): void {
  const index = typeof delta['index'] === 'number' ? delta['index'] : calls.length
  const isCustom = delta['type'] === 'custom' || (calls[index]?.isCustom ?? false)
  const body = fieldsOf(delta[isCustom ? 'custom' : 'function']) ?? {}
  const call = calls[index] ?? { id: '', name: '', input: '', isCustom }
  calls[index] = call
  call.id = call.id || textOf(delta['id'])
  call.name = call.name || textOf(body['name'])
  call.input += textOf(body[isCustom ? 'input' : 'arguments'])
}

function callJson({ id, name, input, isCustom }: Call): object {
  if (isCustom) return { id, type: 'custom', custom: { name, input } }
  return { id, type: 'function', function: { name, arguments: input } }
}

function isJson(text: string): boolean {
  if (text === '') return true
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function firstChoice(body: Fields): Fields {
  const choices = objectsIn(body['choices'])
  return choices.find(({ index }) => (index ?? 0) === 0) ?? {}
}

function callIds(message: Fields): readonly string[] {
  return listOf(message['tool_calls']).map((call) => textOf(fieldsOf(call)?.['id']))
}
