/** The reply of Anthropic's messages as a message. */
import { anthropicMessages } from '../adapters/http-adapters.ts'
import { type Fields, fieldsOf, isFilled, listOf, parsedJson } from '../adapters/unknown-json.ts'
import { type ReplyReader, usageOf, withStatus } from './reply-reader.ts'

export function anthropicReply(): ReplyReader {
  let usage: object | null = null
  let isFinished = false
  const blocks: OpenBlock[] = []
  return {
    whole(body) {
      usage = usageOf(body)
      isFinished = true
      for (const block of listOf(body['content']))
        blocks.push({ fields: fieldsOf(block) ?? {}, input: '', isDone: true })
    },
    event(event) {
      const { type, message, index, content_block, delta } = event
      if (type === 'message_start') usage = usageOf(fieldsOf(message) ?? {})
      // The figures at the end replace those at the start.
      if (type === 'message_delta') usage = { ...usage, ...usageOf(event) }
      if (type === 'message_stop') isFinished = true
      if (typeof index !== 'number') return
      if (type === 'content_block_start')
        blocks[index] = { fields: fieldsOf(content_block) ?? {}, input: '', isDone: false }
      const block = blocks[index]
      if (block === undefined) return
      if (type === 'content_block_delta') takeDelta(block, fieldsOf(delta) ?? {})
      if (type === 'content_block_stop') block.isDone = true
    },
    end() {
      const content = blocks.flatMap(finishedBlock)
      if (content.length === 0) return { messages: [], usage }
      const { messages } = anthropicMessages.read({ messages: [{ role: 'assistant', content }] })
      return { messages: withStatus(messages, isFinished ? 'complete' : 'incomplete'), usage }
    },
  }
}

interface OpenBlock {
  fields: Fields
  /** JSON text, which arrives in pieces. */
  input: string
  isDone: boolean
}

const joinedFields: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
}

function takeDelta(block: OpenBlock, { type, ...delta }: Fields): void {
  const { fields } = block
  if (type === 'input_json_delta') block.input += `${delta['partial_json']}`
  else if (type === 'citations_delta') {
    const citations = [...listOf(fields['citations']), delta['citation']]
    block.fields = { ...fields, citations }
  } else {
    const joined = joinedFields[`${type}`]
    // Other deltas, such as signatures and compactions, have the whole value.
    block.fields =
      joined === undefined
        ? { ...fields, ...delta }
        : { ...fields, [joined]: `${fields[joined] ?? ''}${delta[joined]}` }
  }
}

/** Of a block that was cut off only text is kept: arguments and thinking are of no use without their end. */
function finishedBlock({ fields, input, isDone }: OpenBlock): readonly Fields[] {
  if (fields['type'] === 'text') return isFilled(fields['text']) ? [fields] : []
  if (!isDone) return []
  return [input === '' ? fields : { ...fields, input: parsedJson(input) ?? {} }]
}
