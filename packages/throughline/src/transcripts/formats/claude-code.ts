/**
 * Claude Code sessions: JSONL, where every user or assistant record is one message. An answer of the model
 * is split over several records with the same `message.id`; its usage is reported once, with the first of
 * them. Records of other types (snapshots, queue operations, progress) are not messages.
 */
import type { MessageInput } from '../../index.ts'
import { metaOf } from '../json/json-access.ts'
import { JsonNode } from '../json/raw-json.ts'
import type { ReaderInput } from '../json/scan-source.ts'
import { limits } from '../limits-data.ts'
import { RecentNames } from '../names.ts'
import { readRecords, type TranscriptRecord } from '../records.ts'
import { timeOf } from '../times.ts'
import { messageItem, problemItem, type TranscriptItem, usageIn } from '../transcript.ts'
import { anthropicParts, userRole } from './anthropic-content.ts'
import { type Chain, Chains } from './claude-code-chains.ts'

export async function* readClaudeCode(input: ReaderInput): AsyncGenerator<TranscriptItem> {
  const chains = new Chains(input.name ?? 'session')
  const answers = new RecentNames<true>(limits.answersKept)
  for await (const record of readRecords(input)) {
    if (record.kind === 'problem') {
      yield record
      continue
    }
    chains.follow(record.value)
    yield* itemsOf(record, chains, answers)
  }
  for (const chain of chains.end()) {
    yield* chains.deliver(chain, compactionWithout(chain))
    yield* chains.release(chain)
  }
}

function* itemsOf(record: TranscriptRecord, chains: Chains, answers: RecentNames<true>) {
  const { value, line } = record
  switch (value.text('type')) {
    case 'user':
    case 'assistant': {
      if (!value.field('message').isObject) {
        yield problemItem(line, 'the record holds no message')
        return
      }
      const chain = chains.chainOf(value, line)
      yield* chains.deliver(chain, [
        ...compactionOf(record, chain),
        messageOf(chain.held === null ? record : copyOf(record), chain, answers),
      ])
      yield* chains.learnCalls(value, chain)
      return
    }
    case 'system': {
      if (value.text('subtype') !== 'compact_boundary') return
      const chain = chains.chainOf(value, line)
      yield* chains.deliver(chain, compactionWithout(chain))
      chain.announced = announcedIn(value, line)
      return
    }
    default:
      yield* chains.learnCalls(value, null)
  }
}

/** Copies a kept record: engines cut strings without copying, so it would hold its chunk of the file. */
function copyOf(record: TranscriptRecord): TranscriptRecord {
  const text = ` ${record.text}`.slice(1)
  return { ...record, text, value: new JsonNode(record.value.value, () => text) }
}

function messageOf(
  { value, text, line }: TranscriptRecord,
  chain: Chain,
  answers: RecentNames<true>,
): TranscriptItem {
  const inner = value.field('message')
  const responseId = inner.filled('id') ?? value.filled('requestId')
  const isAssistant = value.text('type') === 'assistant'
  const content = anthropicParts(inner.field('content'))
  const firstOfAnswer = responseId === null || answers.get(responseId) === undefined
  if (responseId !== null) answers.set(responseId, true)
  const role = isAssistant ? 'assistant' : userRole(content)
  return messageItem(
    {
      role,
      origin: role === 'user' ? statedOrigin(value) : undefined,
      content,
      createdAt: timeOf(value.get('timestamp')),
      meta: metaOf({
        responseId: isAssistant ? responseId : null,
        compactSummary: trueOrNull(value, 'isCompactSummary'),
        isMeta: trueOrNull(value, 'isMeta'),
        apiError: trueOrNull(value, 'isApiErrorMessage'),
      }),
      key: value.filled('uuid') ?? `line:${line}`,
      raw: text,
    },
    {
      conversationId: chain.id,
      line,
      usage: isAssistant && firstOfAnswer ? usageIn(inner.field('usage'), 'anthropic') : null,
      model: inner.filled('model'),
    },
  )
}

/** From the flags of a record; without one, the text decides. */
function statedOrigin(record: JsonNode): MessageInput['origin'] {
  if (record.get('isCompactSummary') === true) return 'summary'
  if (record.get('isMeta') === true) return 'application'
  return record.get('isSidechain') === true ? 'agent' : undefined
}

function trueOrNull(record: JsonNode, key: string): true | null {
  return record.get(key) === true ? true : null
}

function announcedIn(record: JsonNode, line: number): Chain['announced'] {
  const metadata = record.field('compactMetadata')
  return { trigger: metadata.filled('trigger'), tokensBefore: metadata.count('preTokens'), line }
}

/** The compaction before this record, with its summary if the record is that. */
function compactionOf({ value, line }: TranscriptRecord, chain: Chain): TranscriptItem[] {
  if (value.get('isCompactSummary') !== true) return compactionWithout(chain)
  const announced = chain.announced ?? { trigger: null, tokensBefore: null, line }
  chain.announced = null
  return [compaction(chain, announced, summaryText(value))]
}

function compactionWithout(chain: Chain): TranscriptItem[] {
  const announced = chain.announced
  chain.announced = null
  return announced === null ? [] : [compaction(chain, announced, null)]
}

function compaction(
  chain: Chain,
  announced: NonNullable<Chain['announced']>,
  summary: string | null,
): TranscriptItem {
  return { kind: 'compaction', conversationId: chain.id, summary, ...announced }
}

function summaryText(record: JsonNode): string {
  const content = record.field('message').field('content')
  return content.asText ?? content.items.map((block) => block.text('text') ?? '').join('\n')
}
