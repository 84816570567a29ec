/** Messages of LangChain as ours and back, typed by their shape, so that the package is no dependency. */
import { imageFile } from '../adapters/openai/content.ts'
import { type Fields, fieldsOf, isFilled, listOf } from '../adapters/unknown-json.ts'
import { type Atom, atomsOf } from '../calls/match.ts'
import type { ReadMessage } from '../calls/read-messages.ts'
import type { ContextMessage, Deliverable } from '../domain/context.ts'
import { contentOf, type MessageInput, type PartInput, type Role } from '../domain/message.ts'
import { describe } from '../domain/text.ts'
import { invalidOption } from '../flow/check/check-options.ts'

/** A `BaseMessage`. */
export interface LangchainMessage {
  readonly content: unknown
  getType(): string
}

const roles: Readonly<Record<string, Role>> = {
  human: 'user',
  ai: 'assistant',
  system: 'system',
  developer: 'system',
  tool: 'tool',
  function: 'tool',
}

export function readLangchainMessage(message: LangchainMessage): MessageInput {
  if (typeof message?.getType !== 'function')
    throw invalidOption(`langchain: a message must be a BaseMessage, got ${describe(message)}`)
  const type = message.getType()
  const fields = message as unknown as Fields
  const role = roles[type] ?? roles[`${fields['role']}`] ?? 'user'
  const { content, tool_calls, tool_call_id: callId, name, status } = fields
  const parts = readContent(content)
  if (role === 'assistant')
    return { role, content: [...parts, ...listOf(tool_calls).flatMap(readCall)] }
  if (role !== 'tool' || !isFilled(callId)) return { role, content: parts }
  const [first] = parts
  const output =
    parts.length === 1 && first?.type === 'text' ? first.text : ({ kind: 'parts', parts } as const)
  const result = { type: 'tool-result', callId, output, isError: status === 'error' } as const
  return { role, content: [isFilled(name) ? { ...result, name } : result] }
}

type LeafPart = Extract<PartInput, { type: 'text' | 'file' | 'opaque' }>

/** Blocks of calls are in `tool_calls` too. */
const callBlocks = new Set(['tool_use', 'tool_call', 'function_call', 'input_json_delta'])

function readContent(content: unknown): readonly LeafPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return listOf(content).flatMap((value): readonly LeafPart[] => {
    const block = fieldsOf(value) ?? {}
    const { type, text } = block
    if (callBlocks.has(`${type}`)) return []
    if (type === 'text' && typeof text === 'string') return [{ type, text }]
    const picture = imageUrl(block)
    const file = picture === null ? null : imageFile(picture, undefined)
    return [file ?? { type: 'opaque', kind: `langchain/${type}`, json: JSON.stringify(block) }]
  })
}

function imageUrl({ type, url, image_url: image }: Fields): string | null {
  if (type === 'image' && isFilled(url)) return url
  if (type !== 'image_url') return null
  const address = isFilled(image) ? image : fieldsOf(image)?.['url']
  return isFilled(address) ? address : null
}

function readCall(value: unknown): readonly PartInput[] {
  const { id, name, args } = fieldsOf(value) ?? {}
  if (!isFilled(id) || !isFilled(name)) return []
  return [{ type: 'tool-call', callId: id, name, input: JSON.stringify(args ?? {}) }]
}

/**
 * The messages of a context: the program's own objects where they are shown whole, otherwise plain ones, which
 * models of LangChain accept.
 */
export function writeLangchainMessages<Given extends LangchainMessage>(
  { messages }: Deliverable,
  given: readonly Given[],
  read: readonly ReadMessage[],
): readonly Given[] {
  const byContent = new Map<string, Given[]>()
  for (const [index, { input, atoms }] of read.entries()) {
    const message = given[index]
    const key = contentKey(input.role, atoms)
    if (message !== undefined && atoms.length > 0)
      byContent.set(key, [...(byContent.get(key) ?? []), message])
  }
  return messages.flatMap((message) => {
    const whole = byContent.get(contentKey(message.role, atomsOf(message, false)))
    // Equal messages are taken in their order; the last one again, if a context shows one more.
    const own = (whole?.length ?? 0) > 1 ? whole?.shift() : whole?.[0]
    const written = own ?? writeMessage(message)
    return written === null ? [] : [written as Given]
  })
}

function contentKey(role: Role, atoms: readonly Atom[]): string {
  return [role, ...atoms.map(({ key }) => key)].join()
}

/** A `BaseMessageLike`. */
function writeMessage({ role, parts }: ContextMessage): object | null {
  const [first] = parts
  const content = parts
    .flatMap((part) => (part.type === 'tool-call' ? [] : contentOf(part)))
    .join('\n')
  const calls = parts.flatMap((part) =>
    part.type === 'tool-call'
      ? [{ type: 'tool_call', id: part.callId, name: part.name, args: argumentsOf(part.input) }]
      : [],
  )
  if (first === undefined) return null
  if (first.type === 'tool-result')
    return { role: 'tool', content, tool_call_id: first.callId, name: first.name ?? undefined }
  if (role === 'tool') return { role: 'system', content }
  return calls.length === 0 ? { role, content } : { role, content, tool_calls: calls }
}

function argumentsOf(input: string): object {
  return fieldsOf(JSON.parse(input === '' ? '{}' : input)) ?? {}
}
