/** Answers of the Messages API. Unknown events and deltas pass; they are no part of what is stored. */
import {
  type AnswerForm,
  type CollectedAnswer,
  type Fields,
  fieldsOf,
  fieldsOfText,
  listOf,
  objectsIn,
  textOf,
} from './answer.ts'

export const anthropicAnswer: AnswerForm = {
  whole: (body) =>
    answerOf({
      content: objectsIn(body['content']),
      isComplete: typeof body['stop_reason'] === 'string',
      usage: fieldsOf(body['usage']),
      id: textOf(body['id']),
    }),
  collector: () => {
    const blocks: (OpenBlock | undefined)[] = []
    let usage: Fields | null = null
    let isComplete = false
    let id = ''
    return {
      take: (data) => {
        const index = Number(data['index'] ?? 0)
        const delta = fieldsOf(data['delta']) ?? {}
        switch (data['type']) {
          case 'message_start': {
            const message = fieldsOf(data['message']) ?? {}
            id = textOf(message['id'])
            usage = fieldsOf(message['usage'])
            break
          }
          case 'content_block_start':
            blocks[index] = {
              block: { ...fieldsOf(data['content_block']) },
              json: '',
              isOpen: true,
            }
            break
          case 'content_block_delta':
            addDelta(blocks[index], delta)
            break
          case 'content_block_stop': {
            const open = blocks[index]
            if (open !== undefined) blocks[index] = { ...open, isOpen: false }
            break
          }
          case 'message_delta':
            // Later figures replace earlier ones; those of the input may come only once.
            usage = { ...usage, ...fieldsOf(data['usage']) }
            isComplete = typeof delta['stop_reason'] === 'string'
            break
          case 'message_stop':
            return true
        }
        return false
      },
      answer: () => {
        const content = blocks.flatMap((open) => (open === undefined ? [] : wholeBlock(open)))
        return answerOf({ content, isComplete, usage, id })
      },
    }
  },
}

interface OpenBlock {
  readonly block: Record<string, unknown>
  readonly isOpen: boolean
  json: string
}

function addDelta(open: OpenBlock | undefined, delta: Fields): void {
  if (open === undefined) return
  const { block } = open
  const append = (field: string) => {
    block[field] = textOf(block[field]) + textOf(delta[field])
  }
  if (delta['type'] === 'text_delta') append('text')
  else if (delta['type'] === 'thinking_delta') append('thinking')
  else if (delta['type'] === 'signature_delta') append('signature')
  else if (delta['type'] === 'input_json_delta') open.json += textOf(delta['partial_json'])
  else if (delta['type'] === 'citations_delta')
    block['citations'] = [...listOf(block['citations']), delta['citation']]
}

/** Of a block that was cut off, only text is of use: half a call or half a signature is neither. */
function wholeBlock({ block, json, isOpen }: OpenBlock): readonly Fields[] {
  if (isOpen && block['type'] !== 'text') return []
  if (block['type'] === 'text' && textOf(block['text']).trim() === '') return []
  if (json === '') return [block]
  const input = fieldsOfText(json)
  return input === null ? [] : [{ ...block, input }]
}

function answerOf({
  content,
  isComplete,
  usage,
  id,
}: {
  readonly content: readonly Fields[]
  readonly isComplete: boolean
  readonly usage: object | null
  readonly id: string
}): CollectedAnswer {
  const ids = content.flatMap((block) => [textOf(block['id']), textOf(block['signature'])])
  return {
    messages: content.length === 0 ? [] : [{ role: 'assistant', content }],
    isComplete,
    usage,
    ids: [id, ...ids].filter((each) => each !== ''),
  }
}
