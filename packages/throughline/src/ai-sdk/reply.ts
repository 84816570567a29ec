/** The reply of a model as messages of the log: from a whole result, or collected from a stream. */
import { aiSdk } from '../adapters/ai-sdk.ts'
import { type Fields, otherFields, parsedJson } from '../adapters/unknown-json.ts'
import type { MessageInput, MessageStatus } from '../domain/message.ts'
import { fieldsOfPart, type ReplyPart } from './call.ts'
import { wholeParts } from './parts-data.ts'

/** Empty where nothing of the reply is kept. */
export function replyMessages(
  content: readonly ReplyPart[],
  status: MessageStatus,
): readonly MessageInput[] {
  const kept = content.map(fieldsOfPart).filter(isKept)
  if (kept.length === 0) return []
  const promptMessage = { role: 'assistant', content: kept.map(promptPart) }
  const [message] = aiSdk.read({ messages: [promptMessage] }).messages
  if (message === undefined || typeof message.content === 'string') return []
  const parts = message.content.map((part, index) => {
    const { input } = kept[index] ?? {}
    // Keep the original text of the arguments; serializing a parsed value could change it.
    return part.type === 'tool-call' && typeof input === 'string' ? { ...part, input } : part
  })
  return [{ ...message, content: parts, status }]
}

/** Omits sources, which models do not need, and preliminary results, which the final one replaces. */
function isKept({ type, text, providerMetadata, preliminary }: Fields): boolean {
  if (type === 'source' || preliminary === true) return false
  return type !== 'text' || text !== '' || providerMetadata !== undefined
}

/** A part of a reply as the SDK would put it into the next prompt. */
function promptPart(part: Fields): Fields {
  const { providerMetadata, ...fields } = part
  const options = providerMetadata === undefined ? {} : { providerOptions: providerMetadata }
  const { type, toolCallId, toolName, providerExecuted, result } = part
  const names = { type, toolCallId, toolName }
  switch (type) {
    case 'tool-call': {
      const executed = providerExecuted === undefined ? {} : { providerExecuted }
      return { ...names, input: inputOf(part['input']), ...executed, ...options }
    }
    case 'tool-result':
      return { ...names, output: outputOf(result, part['isError'] === true), ...options }
    default:
      return { ...fields, ...options }
  }
}

function inputOf(input: unknown): unknown {
  const value = typeof input === 'string' ? parsedJson(input) : input
  return value === undefined && typeof input === 'string' ? {} : value
}

function outputOf(result: unknown, isError: boolean): Fields {
  const type = typeof result === 'string' ? 'text' : 'json'
  return { type: isError ? 'error-json' : type, value: result ?? null }
}

interface StreamedBlock {
  readonly type: string
  text: string
  providerMetadata: unknown
}

/** Collects the parts of a stream into a reply. */
export function collectReply() {
  // In the order in which blocks started.
  const content: (StreamedBlock | ReplyPart)[] = []
  const blocks = new Map<string, StreamedBlock>()
  // Null until the stream has ended.
  let usage: object | null = null
  return {
    take(part: ReplyPart): void {
      const { id, delta, providerMetadata, usage: reported } = fieldsOfPart(part)
      const [, type, step] = /^(text|reasoning)-(start|delta|end)$/.exec(part.type) ?? []
      if (wholeParts.has(part.type)) content.push(part)
      if (part.type === 'finish') usage = { ...(reported as object) }
      if (type === undefined) return
      const key = `${type} ${id}`
      let block = step === 'start' ? undefined : blocks.get(key)
      if (block === undefined) {
        block = { type, text: '', providerMetadata: undefined }
        content.push(block)
        blocks.set(key, block)
      }
      if (typeof delta === 'string') block.text += delta
      // The newest metadata replaces older: signatures arrive with the end of a block.
      block.providerMetadata = providerMetadata ?? block.providerMetadata
    },
    reply: () => ({
      content: content.map((part) => ({ ...otherFields({ ...part }, []), type: part.type })),
      usage,
    }),
  }
}
