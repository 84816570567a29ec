/**
 * Conversations with questions whose evidence is known, from the transcripts of a folder. A question
 * may be in another file than its conversation; if it has no evidence but names a day ("on May 2nd"),
 * the messages of that day are its evidence.
 */
import type { MessageInput } from 'throughline'
import type { TranscriptQuestion } from '../datasets/dataset-item.ts'
import type { TranscriptFile } from '../transcript-files.ts'

export interface AskedConversation {
  /** Of the file with its messages. */
  readonly source: string
  readonly messages: readonly MessageInput[]
  readonly questions: readonly AskedQuestion[]
}

export interface AskedQuestion {
  readonly question: string
  readonly answer: string | null
  /** Positions of the messages that contain the answer; at least one. */
  readonly evidence: readonly number[]
}

interface OpenConversation {
  readonly source: string
  readonly messages: MessageInput[]
  readonly questions: TranscriptQuestion[]
}

export async function askedConversations(
  files: readonly Pick<TranscriptFile, 'source' | 'items'>[],
): Promise<readonly AskedConversation[]> {
  const found: OpenConversation[] = []
  const byName = new Map<string, OpenConversation>()
  const elsewhere: TranscriptQuestion[] = []
  for (const { source, items } of files) {
    // Conversations of two files may have the same id.
    const inFile = new Map<string, OpenConversation>()
    for await (const item of items()) {
      if (item.kind === 'conversation') {
        const open: OpenConversation = { source, messages: [], questions: [] }
        inFile.set(item.id, open)
        byName.set(item.id.trim(), open)
        found.push(open)
      } else if (item.kind === 'message')
        inFile.get(item.conversationId)?.messages.push(item.message)
      else if (item.kind === 'question') {
        const { questions = elsewhere } = inFile.get(item.conversationId) ?? {}
        questions.push(item)
      }
    }
  }
  for (const question of elsewhere)
    byName.get(question.conversationId.trim())?.questions.push(question)
  return found
    .map(({ source, messages, questions }) => ({
      source,
      messages,
      questions: questions
        .map((question) => askedQuestion(question, messages))
        .filter(({ evidence }) => evidence.length > 0),
    }))
    .filter(({ questions }) => questions.length > 0)
}

function askedQuestion(
  { question, answer, evidence }: TranscriptQuestion,
  messages: readonly MessageInput[],
): AskedQuestion {
  const places = evidence.flatMap(({ from, to }) =>
    Array.from({ length: to - from }, (_, index) => from + index),
  )
  return { question, answer, evidence: places.length > 0 ? places : ofDay(question, messages) }
}

function ofDay(question: string, messages: readonly MessageInput[]): readonly number[] {
  const day = dayIn(question)
  if (day === null) return []
  return messages.flatMap(({ meta }, place) =>
    String(meta?.['date'] ?? '').endsWith(day) ? [place] : [],
  )
}

const months =
  'January|February|March|April|May|June|July|August|September|October|November|December'
const englishDay = new RegExp(`\\b(${months}) (\\d{1,2})(?:st|nd|rd|th)?\\b`)
const chineseDay = /(\d{1,2})月(\d{1,2})[日号]/

/** The end of an ISO date, such as `-05-02`; null if the question names no day, or several. */
function dayIn(question: string): string | null {
  const days = [englishDay, chineseDay].flatMap((pattern) => [
    ...question.matchAll(new RegExp(pattern, 'g')),
  ])
  const [, month = '', day = ''] = days[0] ?? []
  if (days.length !== 1) return null
  const number = months.split('|').indexOf(month) + 1 || Number(month)
  return `-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`
}
