/** The conversations of a transcript, in the form that the survival measures need. */
import type { MessageInput } from 'throughline'
import type { TranscriptConversation } from 'throughline/transcripts'
import {
  contentText,
  parsedInput,
  type ScoredMessage,
} from '../../packages/throughline/src/cli/simulation/survival-along.ts'
import type { DatasetItem } from '../datasets/dataset-item.ts'

export interface History {
  readonly id: string
  readonly workingFolder: string
  /** Whether it consists of Claude Code's records, where one answer may fill several. */
  readonly isOfRecords: boolean
  readonly system: string
  readonly messages: readonly HistoryMessage[]
  readonly compactions: readonly RealCompaction[]
}

export interface HistoryMessage extends ScoredMessage {
  readonly input: MessageInput
}

/** The other tool compacted the messages before `at` and continued from `after`. */
interface RealCompaction {
  readonly at: number
  readonly after: number
  readonly summary: string
}

/** Without conversations that a call of another one started. */
export async function readHistories(
  items: AsyncIterable<DatasetItem> | Iterable<DatasetItem>,
): Promise<readonly History[]> {
  const drafts = new Map<string, Draft>()
  for await (const item of items) {
    if (item.kind === 'question' || item.kind === 'problem') continue
    const id = item.kind === 'conversation' ? item.id : item.conversationId
    const draft = drafts.get(id) ?? { conversation: null, inputs: [], summaries: [] }
    drafts.set(id, draft)
    if (item.kind === 'conversation') draft.conversation = item
    if (item.kind === 'message') draft.inputs.push(item.message)
    if (item.kind === 'compaction' && item.summary !== null)
      draft.summaries.push({ at: draft.inputs.length, summary: item.summary })
  }
  return [...drafts].flatMap(([id, draft]) =>
    draft.conversation?.parent ? [] : [historyOf(id, draft)],
  )
}

interface Draft {
  conversation: TranscriptConversation | null
  readonly inputs: MessageInput[]
  readonly summaries: { readonly at: number; readonly summary: string }[]
}

function historyOf(id: string, { conversation, inputs, summaries }: Draft): History {
  // The application's system prompt is always shown, whatever happens to the rest.
  const spoken = inputs.findIndex(({ role }) => role !== 'system')
  const leading = inputs.slice(0, Math.max(0, spoken))
  const messages = inputs.slice(leading.length)
  const systemPrompt = conversation?.meta?.['system']
  const system = [
    ...(typeof systemPrompt === 'string' && leading.length === 0 ? [systemPrompt] : []),
    ...leading.map(({ content }) => contentText(content)),
  ].join('\n\n')
  const folder = conversation?.meta?.['cwd']
  return {
    id,
    workingFolder: typeof folder === 'string' ? folder : '',
    isOfRecords: isClaudeRecord(inputs[0]?.raw),
    system: system || 'You are a careful assistant.',
    messages: messages.map((input) => ({
      input,
      isAssistant: input.role === 'assistant',
      text: contentText(input.content),
    })),
    compactions: summaries.map(({ at, summary }) => {
      const place = Math.max(0, at - leading.length)
      const isMessage = messages[place]?.meta?.['compactSummary'] === true
      return { at: place, after: isMessage ? place + 1 : place, summary }
    }),
  }
}

function isClaudeRecord(raw: MessageInput['raw']): boolean {
  const record = typeof raw === 'string' ? parsedInput(raw) : null
  if (typeof record !== 'object' || record === null) return false
  const { type, message } = record as Readonly<Record<string, unknown>>
  return (type === 'user' || type === 'assistant') && typeof message === 'object'
}
