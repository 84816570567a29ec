/**
 * Runs of mini-swe-agent: plain chat where the model writes a shell command into a fenced block and the
 * next message is its output. They become a call and its result; newer runs have real tool calls. The
 * agent refuses an answer with several commands: that is one call too, and the refusal its failed result.
 */
import type { JsonValue, PartInput } from '../../index.ts'
import { textPart } from '../content-parts.ts'
import { elementMessage, type ParsedElement } from '../json/body-messages.ts'
import { metaOf } from '../json/json-access.ts'
import { formatPath, type JsonElement } from '../json/json-elements.ts'
import { choosePatterns, type JsonNode, noNode, parseRaw } from '../json/raw-json.ts'
import { type ReaderInput, readElements } from '../json/scan-source.ts'
import { UniqueNames } from '../names.ts'
import { timeOf } from '../times.ts'
import { conversationItem, type TranscriptItem } from '../transcript.ts'
import { ChatMessages, chatUsage, type ParsedChatMessage } from './chat-message.ts'

const returnCode = /<returncode>\s*(-?\d+)\s*<\/returncode>/
const timedOut = /^The last command <command>/

interface Run {
  readonly root: number
  readonly chat: ChatMessages
  instanceId?: string | null
  model?: string | null
  exitStatus?: string | null
  conversation?: ReturnType<typeof conversationItem>
  /** The call that the next message answers. */
  openCall?: { readonly callId: string; readonly refused: boolean } | undefined
}

const choose = choosePatterns(
  ...['instance_id', 'model', 'exit_status', 'info'].map((field) => [field]),
  ['messages', '*'],
)

export function readMiniSwe(input: ReaderInput): AsyncGenerator<TranscriptItem> {
  const ids = new UniqueNames()
  let run: Run | null = null
  return readElements(input, choose, function* (element): Generator<TranscriptItem> {
    const { root, path } = element
    const current: Run = run?.root === root ? run : { root, chat: new ChatMessages() }
    run = current
    if (path[0] !== 'messages') {
      readRunField(current, element)
      return
    }
    if (current.conversation === undefined) {
      const id = ids.take(current.instanceId || input.name || 'trajectory')
      current.conversation = conversationOf(current, id)
      yield current.conversation
    }
    const messageId = { conversationId: current.conversation.id, key: formatPath(path) }
    const item = elementMessage(element, messageId, (value) =>
      parseElement(current, value, messageId.key),
    )
    if (item !== null) yield item
  })
}

function readRunField(run: Run, element: JsonElement): void {
  const value = parseRaw(element) ?? noNode
  const [field] = element.path
  if (field === 'instance_id') run.instanceId = value.asText
  if (field === 'model') run.model = value.asText
  if (field === 'exit_status') run.exitStatus = value.asText
  if (field !== 'info') return
  run.model ??= value.field('config').field('model').text('model_name')
  run.exitStatus ??= value.text('exit_status')
}

function conversationOf(run: Run, id: string) {
  const { instanceId, model, exitStatus } = run
  const meta = metaOf({ instanceId, model, exitStatus })
  return conversationItem(id, { title: instanceId ?? null, meta })
}

function parseElement(run: Run, value: JsonNode, key: string): ParsedElement | null {
  const role = value.text('role')
  const read = run.chat.read(value, key, role === 'exit' ? 'user' : role)
  if (read === null) return null
  const { openCall, model } = run
  run.openCall = undefined
  const extra = value.field('extra')
  const createdAt = timeOf(value.get('timestamp')) ?? secondsOrText(extra.get('timestamp'))
  if (read.role === 'assistant') {
    const message = { ...read, content: commandParts(run, read, key), createdAt }
    const answer = (value.get('usage') ?? null) === null ? extra.field('response') : value
    return { message, usage: chatUsage(answer.field('usage')), model: model ?? null }
  }
  if (read.role !== 'user' || openCall === undefined) return { message: { ...read, createdAt } }
  const output = plainText(read)
  const isError = hasFailed(output) ?? openCall.refused
  const { callId } = openCall
  const result = { type: 'tool-result', callId, name: 'bash', output, isError } as const
  return { message: { role: 'tool', content: [result], createdAt } }
}

/** An answer with a real call, or without a command, stays as it is. */
function commandParts(run: Run, read: ParsedChatMessage, key: string) {
  if (typeof read.content === 'string') return read.content
  if (read.content.some((part) => part.type === 'tool-call')) return read.content
  const { commands, words } = fencedCommands(plainText(read))
  if (commands.length === 0) return read.content
  const callId = `${key}.command`
  run.openCall = { callId, refused: commands.length > 1 }
  const input = JSON.stringify({ command: commands.join('\n') })
  const metadata = commands.length > 1 ? { commands: commands.length } : undefined
  const call: PartInput = { type: 'tool-call', callId, name: 'bash', input, metadata }
  return [...read.content.filter(({ type }) => type !== 'text'), ...words.map(textPart), call]
}

function plainText({ content }: ParsedChatMessage): string {
  if (typeof content === 'string') return content
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

/** Null where the output does not say. */
function hasFailed(output: string): boolean | null {
  const code = returnCode.exec(output)
  if (code !== null) return Number(code[1]) !== 0
  return timedOut.test(output) ? true : null
}

function secondsOrText(time: JsonValue | undefined): number | undefined {
  return timeOf(typeof time === 'number' ? time * 1000 : time)
}

const opening = /```(?:bash|mswea_bash_command)[^\S\n]*\n/g
const closing = '\n```'

/** The shell blocks of a text, as the agent itself finds them, and the words around them. */
export function fencedCommands(text: string) {
  const commands: string[] = []
  /** The text without the blocks, in order. */
  const words: string[] = []
  let from = 0
  for (const fence of text.matchAll(opening)) {
    // A fence inside a block is part of its command.
    if (fence.index < from) continue
    const begin = fence.index + fence[0].length
    const end = text.indexOf(closing, begin - 1)
    if (end < 0) break
    commands.push(text.slice(begin, Math.max(begin, end)).trim())
    words.push(text.slice(from, fence.index))
    from = end + closing.length
  }
  words.push(text.slice(from))
  return { commands, words: words.map((piece) => piece.trim()).filter((piece) => piece !== '') }
}
