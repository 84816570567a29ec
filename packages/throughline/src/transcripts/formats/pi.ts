/**
 * Sessions of the pi coding agent: JSONL, a `session` record and then entries. Newer entries form a tree;
 * all are kept in file order, so the summary of an abandoned branch is skipped: the branch itself is in
 * the log.
 */
import type { MessageInput, PartInput } from '../../index.ts'
import {
  base64File,
  contentParts,
  opaquePart,
  type PlainPart,
  textPart,
  toolOutput,
} from '../content-parts.ts'
import { metaOf } from '../json/json-access.ts'
import type { JsonNode } from '../json/raw-json.ts'
import type { ReaderInput } from '../json/scan-source.ts'
import { readHeadedRecords, type TranscriptRecord } from '../records.ts'
import { timeOf } from '../times.ts'
import {
  type ConversationFields,
  messageItem,
  problemItem,
  type TranscriptItem,
  usageIn,
} from '../transcript.ts'

const itemTypes = ['message', 'custom_message', 'compaction']

export function readPi(input: ReaderInput): AsyncGenerator<TranscriptItem> {
  return readHeadedRecords(input, {
    fallbackName: 'session',
    isHeader: (value) => value.text('type') === 'session',
    isItem: (value) => itemTypes.includes(value.text('type') ?? ''),
    conversationFields,
    itemOf,
  })
}

function conversationFields(session: JsonNode): ConversationFields {
  const meta = metaOf({
    cwd: session.text('cwd'),
    provider: session.text('provider'),
    model: session.text('modelId'),
    branchedFrom: session.text('branchedFrom') ?? session.text('parentSession'),
  })
  return { meta }
}

function itemOf({ value, text, line }: TranscriptRecord, conversationId: string): TranscriptItem {
  if (value.text('type') === 'compaction') {
    const [summary, tokensBefore] = [value.text('summary'), value.count('tokensBefore')]
    return { kind: 'compaction', conversationId, summary, tokensBefore, trigger: null, line }
  }
  const isInjected = value.text('type') === 'custom_message'
  const inner = isInjected ? value : value.field('message')
  const parsed = parseMessage(inner, isInjected ? 'custom' : inner.text('role'))
  if (parsed === null) return problemItem(line, 'the record holds no message of a known role')
  const message: MessageInput = {
    ...parsed,
    createdAt: timeOf(inner.get('timestamp')) ?? timeOf(value.get('timestamp')),
    key: value.filled('id') ?? `line:${line}`,
    raw: text,
  }
  const usage = parsed.role === 'assistant' ? usageIn(inner.field('usage'), 'pi') : null
  return messageItem(message, { conversationId, line, usage, model: inner.text('model') })
}

/** Null for an unknown role. */
function parseMessage(
  inner: JsonNode,
  role: string | null,
): Pick<MessageInput, 'role' | 'origin' | 'content' | 'meta' | 'status'> | null {
  const content = inner.field('content')
  switch (role) {
    case 'user':
      return { role: 'user', content: contentParts(content, plainPart) }
    case 'assistant':
      return {
        role: 'assistant',
        content: contentParts(content, assistantPart),
        status: statusOf(inner),
      }
    case 'toolResult':
      return { role: 'tool', content: [resultPart(inner)] }
    case 'bashExecution':
      return {
        role: 'user',
        content: shellParts(inner),
        meta: metaOf({ bashExecution: true, exitCode: inner.number('exitCode') }),
      }
    case 'custom':
    case 'hookMessage':
      return {
        role: 'user',
        origin: 'application',
        content: contentParts(content, plainPart),
        meta: metaOf({ customType: inner.text('customType') ?? 'unknown' }),
      }
    case 'branchSummary':
    case 'compactionSummary':
      return {
        role: 'user',
        origin: 'summary',
        content: inner.text('summary') ?? '',
        meta: { [role]: true },
      }
    default:
      return null
  }
}

function statusOf(inner: JsonNode): 'incomplete' | undefined {
  const reason = inner.text('stopReason')
  return reason === 'aborted' || reason === 'error' ? 'incomplete' : undefined
}

/** A command that the user typed, then its output, which no person typed. */
function shellParts(inner: JsonNode): readonly PartInput[] {
  const command = {
    type: 'text',
    text: `$ ${inner.text('command') ?? ''}`,
    origin: 'person',
  } as const
  const output = inner.text('output') ?? ''
  return output === '' ? [command] : [command, { type: 'text', text: output, origin: 'tool' }]
}

function plainPart(block: JsonNode): PlainPart {
  const type = block.text('type')
  const text = block.text('text')
  if (type === 'text' && text !== null) return textPart(text)
  const data = type === 'image' ? block.text('data') : null
  const file = data === null ? null : base64File(block.text('mimeType') ?? '', data)
  return file ?? opaquePart(`pi/${type ?? 'unknown'}`, block)
}

function assistantPart(block: JsonNode): PartInput {
  const type = block.text('type')
  const thinking = block.text('thinking')
  const callId = block.filled('id')
  const name = block.filled('name')
  if (type === 'thinking' && thinking !== null) {
    const signature = block.filled('thinkingSignature') ?? undefined
    return { type: 'reasoning', text: thinking, signature }
  }
  if (type === 'toolCall' && callId !== null && name !== null) {
    return { type: 'tool-call', callId, name, input: block.field('arguments').exact('{}') }
  }
  return plainPart(block)
}

function resultPart(inner: JsonNode): PartInput {
  return {
    type: 'tool-result',
    callId: inner.filled('toolCallId') ?? 'unknown',
    name: inner.filled('toolName') ?? undefined,
    output: toolOutput(contentParts(inner.field('content'), plainPart)),
    isError: inner.get('isError') === true,
  }
}
