/**
 * Sessions of the pi coding agent: JSONL, a `session` record and then entries.
 *
 * Entries of newer versions form a tree; we keep all of them in the order in which
 * they happened. The summary of a branch that was left is therefore passed over: the
 * branch itself stands in the log.
 */

import type { JsonObject, JsonValue, MessageInput, PartInput } from '../../index.ts'
import {
  base64File,
  contentParts,
  opaquePart,
  type PlainPart,
  textPart,
  toolOutput,
} from '../content-parts.ts'
import { countOf, fieldOf, filledTextOf, metaOf, numberOf, textOf } from '../json/json-access.ts'
import { type ExactText, exactTexts, textsAt } from '../json/raw-json.ts'
import type { ReaderInput } from '../json/scan-source.ts'
import type { UniqueNames } from '../names.ts'
import { readHeadedRecords, type TranscriptRecord } from '../records.ts'
import { timeOf } from '../times.ts'
import {
  conversationItem,
  messageItem,
  problemItem,
  type ReportedUsage,
  type TranscriptConversation,
  type TranscriptItem,
} from '../transcript.ts'

const talk = ['message', 'custom_message', 'compaction']

export function readPi(input: ReaderInput): AsyncGenerator<TranscriptItem> {
  return readHeadedRecords(input, {
    fallbackName: 'session',
    isHeader: (value) => textOf(value, 'type') === 'session',
    isItem: (value) => talk.includes(textOf(value, 'type') ?? ''),
    conversationOf,
    itemOf,
  })
}

function conversationOf(
  session: JsonObject,
  ids: UniqueNames,
  name: string,
): TranscriptConversation {
  const meta = metaOf({
    cwd: textOf(session, 'cwd'),
    provider: textOf(session, 'provider'),
    model: textOf(session, 'modelId'),
    branchedFrom: textOf(session, 'branchedFrom') ?? textOf(session, 'parentSession'),
  })
  const id = ids.take(filledTextOf(session, 'id') ?? name)
  return conversationItem(id, { meta })
}

function itemOf(record: TranscriptRecord, conversationId: string): TranscriptItem {
  const { value, line } = record
  if (textOf(value, 'type') === 'compaction')
    return {
      kind: 'compaction',
      conversationId,
      summary: textOf(value, 'summary'),
      tokensBefore: countOf(value, 'tokensBefore'),
      trigger: null,
      line,
    }
  return messageOf(record, conversationId)
}

function messageOf(
  { value, text, line }: TranscriptRecord,
  conversationId: string,
): TranscriptItem {
  const injected = textOf(value, 'type') === 'custom_message'
  const inner = injected ? value : fieldOf(value, 'message')
  const path = injected ? ['content'] : ['message', 'content']
  const spoken = speech(
    inner,
    injected ? 'custom' : textOf(inner, 'role'),
    exactTexts(() => text, path),
  )
  if (spoken === null) return problemItem(line, 'the record holds no message of a known role')
  const message: MessageInput = {
    ...spoken,
    createdAt: timeOf(fieldOf(inner, 'timestamp')) ?? timeOf(fieldOf(value, 'timestamp')),
    key: filledTextOf(value, 'id') ?? `line:${line}`,
    raw: text,
  }
  const usage = spoken.role === 'assistant' ? usageOf(inner) : null
  return messageItem(message, { conversationId, line, usage, model: textOf(inner, 'model') })
}

/** What a message says and who says it; null for a role that we do not know. */
function speech(
  inner: JsonValue | undefined,
  role: string | null,
  exact: ExactText,
): Pick<MessageInput, 'role' | 'content' | 'meta' | 'status'> | null {
  const content = fieldOf(inner, 'content')
  switch (role) {
    case 'user':
      return { role: 'user', content: contentParts(content, exact, plainPart) }
    case 'assistant':
      return {
        role: 'assistant',
        content: contentParts(content, exact, assistantPart),
        status: statusOf(inner),
      }
    case 'toolResult':
      return { role: 'tool', content: [resultPart(inner, exact)] }
    case 'bashExecution':
      return { role: 'user', content: shellText(inner), meta: shellMeta(inner) }
    case 'custom':
    case 'hookMessage':
      return {
        role: 'user',
        content: contentParts(content, exact, plainPart),
        meta: metaOf({ customType: textOf(inner, 'customType') ?? 'unknown' }),
      }
    case 'branchSummary':
    case 'compactionSummary':
      return { role: 'user', content: textOf(inner, 'summary') ?? '', meta: { [role]: true } }
    default:
      return null
  }
}

function statusOf(inner: JsonValue | undefined): 'incomplete' | undefined {
  const reason = textOf(inner, 'stopReason')
  return reason === 'aborted' || reason === 'error' ? 'incomplete' : undefined
}

/** A command that the user ran: what was typed, then what it printed. */
function shellText(inner: JsonValue | undefined): string {
  const output = textOf(inner, 'output') ?? ''
  const command = `$ ${textOf(inner, 'command') ?? ''}`
  return output === '' ? command : `${command}\n${output}`
}

function shellMeta(inner: JsonValue | undefined): JsonObject | undefined {
  return metaOf({ bashExecution: true, exitCode: numberOf(inner, 'exitCode') })
}

function usageOf(inner: JsonValue | undefined): ReportedUsage | null {
  const usage = fieldOf(inner, 'usage')
  const input = countOf(usage, 'input') ?? 0
  const cacheReadTokens = countOf(usage, 'cacheRead')
  const cacheWriteTokens = countOf(usage, 'cacheWrite')
  const inputTokens = input + (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0)
  // All zeros is how pi writes down that the provider reported nothing.
  if (inputTokens === 0) return null
  return { inputTokens, outputTokens: countOf(usage, 'output'), cacheReadTokens, cacheWriteTokens }
}

/** Content blocks of pi messages (text, thinking, toolCall, image) as our parts. */
function plainPart(block: JsonValue, exact: () => string): PlainPart {
  const type = textOf(block, 'type')
  const text = textOf(block, 'text')
  if (type === 'text' && text !== null) return textPart(text)
  const file =
    type === 'image'
      ? base64File(textOf(block, 'mimeType') ?? '', textOf(block, 'data') ?? '')
      : null
  return file ?? opaquePart(`pi/${type ?? 'unknown'}`, exact())
}

function assistantPart(block: JsonValue, exact: () => string): PartInput {
  const type = textOf(block, 'type')
  const thinking = textOf(block, 'thinking')
  const callId = filledTextOf(block, 'id')
  const name = filledTextOf(block, 'name')
  if (type === 'thinking' && thinking !== null) {
    const signature = filledTextOf(block, 'thinkingSignature') ?? undefined
    return { type: 'reasoning', text: thinking, signature }
  }
  if (type === 'toolCall' && callId !== null && name !== null) {
    const input = textsAt(exact(), ['arguments']).get('arguments') ?? '{}'
    return { type: 'tool-call', callId, name, input }
  }
  return plainPart(block, exact)
}

function resultPart(inner: JsonValue | undefined, exact: ExactText): PartInput {
  return {
    type: 'tool-result',
    callId: filledTextOf(inner, 'toolCallId') ?? 'unknown',
    name: filledTextOf(inner, 'toolName') ?? undefined,
    output: toolOutput(contentParts(fieldOf(inner, 'content'), exact, plainPart)),
    isError: fieldOf(inner, 'isError') === true,
  }
}
