/** Conversations with questions whose evidence is known, from the transcripts of a folder. */
import type { MessageInput } from 'throughline'
import type { DatasetItem, TranscriptQuestion } from '../datasets/dataset-item.ts'

export interface AskedConversation {
  readonly messages: readonly MessageInput[]
  readonly questions: readonly AskedQuestion[]
}

export interface AskedQuestion {
  readonly question: string
  readonly answer: string | null
  /** Positions of the messages that contain the answer; at least one. */
  readonly evidence: readonly number[]
}

export async function askedConversations(
  items: AsyncIterable<DatasetItem>,
): Promise<readonly AskedConversation[]> {
  const found = new Map<string, { messages: MessageInput[]; questions: AskedQuestion[] }>()
  for await (const item of items) {
    if (item.kind === 'conversation') found.set(item.id, { messages: [], questions: [] })
    else if (item.kind === 'message') found.get(item.conversationId)?.messages.push(item.message)
    else if (item.kind === 'question') {
      const asked = askedQuestion(item)
      if (asked.evidence.length > 0) found.get(item.conversationId)?.questions.push(asked)
    }
  }
  return [...found.values()].filter(({ questions }) => questions.length > 0)
}

function askedQuestion({ question, answer, evidence }: TranscriptQuestion): AskedQuestion {
  const places = evidence.flatMap(({ from, to }) =>
    Array.from({ length: to - from }, (_, index) => from + index),
  )
  return { question, answer, evidence: places }
}
