import type { JsonObject } from '../domain/json.ts'

/** What a model is asked: the texts of its messages, and the JSON schema of the answer, if any. */
export interface SummaryQuestion {
  readonly messages: readonly { readonly text: string }[]
  readonly schema: JsonObject | null
}

/** The options of `truthfulSummary`. */
export interface TruthfulSummaryOptions {
  /** How much it says at most; 120. */
  readonly words?: number | undefined
  /** Whether it takes over what the summary before said; true. */
  readonly remembers?: boolean | undefined
}

/**
 * The answer of a good model to a request for a summary, made from nothing but the conversation in the
 * request: JSON where it gives a schema, else plain text.
 *
 * @example
 * const answer = truthfulSummary({ messages: [{ text: system }], schema: null })
 */
export function truthfulSummary(
  { messages, schema }: SummaryQuestion,
  { words = 120, remembers = true }: TruthfulSummaryOptions = {},
): string {
  const asked = messages.map(({ text }) => text).join('\n')
  const before = remembers ? sentencesIn(blockOf(asked, 'previous summary')) : []
  const said = toldIn(blockOf(asked, 'transcript') || blockOf(asked, 'text segment'))
  const told = within([...before, ...said], words)
  if (schema === null) return told.join(' ')
  const [first = 'Nothing was said that has to be kept.', ...others] = told
  return JSON.stringify({
    summary: first,
    keyPoints: others.slice(0, mostPoints),
    context: {
      participants: [],
      decisions: [],
      actionItems: [],
      unresolved: [],
      domainEntities: [],
    },
  })
}

const mostPoints = 30

/** The text of a block that was set apart as data; the last of its name. */
function blockOf(text: string, label: string): string {
  const begin = text.lastIndexOf(`[${label} ·`)
  if (begin === -1) return ''
  const head = text.indexOf('\n', begin)
  const mark = /· (\S+)\]$/.exec(text.slice(begin, head))?.[1]
  const end = mark === undefined ? -1 : text.indexOf(`\n[end ${mark}]`, head)
  return end === -1 ? '' : text.slice(head + 1, end)
}

/** What a summary says, line by line, without its headings. */
function sentencesIn(text: string): readonly string[] {
  return text
    .split(/\n+|(?<=[.!?]) (?=[A-Z])/)
    .map((line) => line.replace(/^- /, '').trim())
    .filter((line) => line !== '' && !line.endsWith(':'))
}

const mostWords = 14

/** The first sentence of each thing that was said, or its beginning, told in the third person. */
function toldIn(transcript: string): readonly string[] {
  return transcript.split('\n').flatMap((line) => {
    const [, who, said] = /^\[?(user|assistant|segment)\b[^:]{0,40}: (.+)$/i.exec(line) ?? []
    if (who === undefined || said === undefined) return []
    // A segment that was summarized already is repeated.
    const isTold = said.startsWith('The ') && said.includes(' mentioned ')
    if (who.toLowerCase() === 'segment' && isTold) return sentencesIn(said)
    // More than its first sentence would be a copy, and half of the next one no sentence.
    const words = (said.split(/(?<=[.!?])\s/)[0] ?? '').split(/\s+/).filter((word) => word !== '')
    const kept = inOwnWords(words.slice(0, mostWords)).replace(/[.,;:!?]+$/, '')
    return [`The ${who.toLowerCase()} mentioned ${kept}.`]
  })
}

const wordsInARow = 4

/** Nothing is left out or changed; but what is only copied would be no summary. */
function inOwnWords(words: readonly string[]): string {
  return words
    .map((word, at) => (at > 0 && at % wordsInARow === 0 ? `also ${word}` : word))
    .join(' ')
}

/** What was said first and last stays; the middle makes room. */
function within(sentences: readonly string[], words: number): readonly string[] {
  const unique = [...new Set(sentences)]
  const half = Math.floor(words / 2)
  const first = taken(unique, half)
  const last = taken(unique.slice(first.length).toReversed(), words - half).toReversed()
  return [...first, ...last]
}

function taken(sentences: readonly string[], words: number): readonly string[] {
  let left = words
  return sentences.filter((sentence) => {
    left -= sentence.split(' ').length
    return left >= 0
  })
}
