/**
 * Checks the content of a run. Every stored summary comes from a valid answer, or from a repaired one
 * if its record says so; nothing is assembled from failures.
 */
import type {
  Context,
  Draft,
  DraftRepair,
  Message,
  MessageInput,
  Part,
  PartInput,
  SummaryRecord,
} from 'throughline'
import type { ServedRequest } from '../fault-server.ts'
import { checkListed } from '../prop/check-listed.ts'
import { type Finding, finding, type Observed } from './observed.ts'

export function checkSources(observed: Observed): readonly Finding[] {
  const served = observed.served.flat()
  return observed.summaries.flatMap((record) => {
    const repairs = repairsOf(observed, record)
    if (served.some((request) => isFrom(record, request, repairs))) return []
    return [finding('source', `no valid answer contains: ${record.text.slice(0, 200)}`)]
  })
}

/** How many summaries come from an answer that was repaired or truncated. */
export function repairedIn(observed: Observed): number {
  const faulty = observed.served.flat().filter(({ fault }) => fault !== null)
  return observed.summaries.filter((record) => {
    const repairs = repairsOf(observed, record)
    return faulty.some((request) => isFrom(record, request, repairs))
  }).length
}

function repairsOf({ steps }: Observed, { id }: SummaryRecord): readonly DraftRepair[] {
  return steps.flatMap(({ live }) =>
    live.flatMap((event) =>
      event.kind === 'summarization-finished' && event.summarization.summaryId === id
        ? event.summarization.repairs
        : [],
    ),
  )
}

function isFrom(
  record: SummaryRecord,
  { fault, answer }: ServedRequest,
  repairs: readonly DraftRepair[],
): boolean {
  if (answer === null || answer === '' || !mayBeUsed(record, fault, repairs)) return false
  const words = withSingleSpaces(wordsOfAnswer(answer))
  return piecesOfDraft(record)
    .flatMap(sentencesOf)
    .every((sentence) => isIn(sentence, words, repairs))
}

function mayBeUsed(
  { degraded }: SummaryRecord,
  fault: ServedRequest['fault'],
  repairs: readonly DraftRepair[],
): boolean {
  switch (fault) {
    case null:
      return true
    case 'lies':
      return repairs.length > 0
    case 'cut-off':
    case 'over-limit':
      return degraded
    default:
      return false
  }
}

/** The strings of JSON, or the text. */
function wordsOfAnswer(answer: string): string {
  const strings: string[] = []
  try {
    JSON.parse(answer, (_, value: unknown) => {
      if (typeof value === 'string') strings.push(value)
      return value
    })
  } catch {
    return answer
  }
  return strings.join('\n')
}

function isIn(sentence: string, answer: string, repairs: readonly DraftRepair[]): boolean {
  if (answer.includes(sentence)) return true
  return repairs.some(
    (repair) =>
      repair.kind === 'value-replaced' &&
      sentence.includes(repair.to) &&
      isIn(
        sentence.replace(repair.to, () => repair.from),
        answer,
        repairs.filter((other) => other !== repair),
      ),
  )
}

function sentencesOf(text: string): readonly string[] {
  return text
    .split(/\n+|(?<=[.!?]) /)
    .map(withSingleSpaces)
    .filter((sentence) => sentence !== '')
}

function withSingleSpaces(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Every text that a run returned, and every text that users and tools supplied. */
interface NamedText {
  readonly where: string
  readonly text: string
}

function returnedTexts({ steps, summaries, inForce }: Observed): readonly NamedText[] {
  return [
    ...steps.map(({ number, context }) => ({
      where: `context ${number}`,
      text: textOfContext(context),
    })),
    ...summaries.map((record) => ({ where: `summary ${record.id}`, text: textOfDraft(record) })),
    ...(inForce === null ? [] : [{ where: 'the summary in force', text: inForce.content }]),
  ]
}

export function textOfContext({ system, messages }: Pick<Context, 'system' | 'messages'>): string {
  return [
    ...system.map(({ text }) => text),
    ...messages.flatMap(({ parts }) => parts.map(textOfPart)),
  ].join('\n')
}

export function textOfDraft(draft: Draft): string {
  return piecesOfDraft(draft).join('\n')
}

/** Every text that a model writes, piece by piece. */
function piecesOfDraft({ text, keyPoints, facets }: Draft): readonly string[] {
  if (facets === null) return [text, ...keyPoints]
  const { tone, actionItems, ...lists } = facets
  const done = actionItems.flatMap(({ owner, task, due }) => [owner ?? '', task, due ?? ''])
  return [text, ...keyPoints, ...Object.values(lists).flat(), ...done, tone ?? ''].filter(
    (piece) => piece !== '',
  )
}

function textOfLog(log: readonly Message[]): string {
  return log.flatMap(({ parts }) => parts.map(textOfPart)).join('\n')
}

function textOfPart(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'resource-excerpt':
      return part.text
    case 'tool-call':
      return part.input
    case 'tool-result':
      return part.output.kind === 'text' ? part.output.text : JSON.stringify(part.output)
    case 'opaque':
      return part.json
    default:
      return ''
  }
}

/** Text of failures; other wrong texts are known from the server. */
const failureWords = [
  "can't assist",
  'Let me think about what it could be',
  'The user wants something from me',
  '<think>',
  '<html',
  'One moment',
  'Rate limit',
  'Overloaded',
  'temporarily unavailable',
  'had an error while processing',
  '"unexpected"',
  'in my own words',
  'and so on, and so on',
  '[transcript ·',
] as const

export function checkWords(observed: Observed): readonly Finding[] {
  const log = textOfLog(observed.log)
  const served = observed.served.flat()
  const invented = new Set(served.flatMap((request) => request.invented))
  const words = new Set([...failureWords, ...served.flatMap(wrongSentences)])
  // Values and sentences that the log contains as well are allowed.
  const values = [...invented].filter((value) => !log.includes(value))
  const sentences = [...words].filter((sentence) => !log.includes(sentence))
  return returnedTexts(observed).flatMap(({ where, text }) => [
    ...values
      .filter((value) => isWordIn(value, text))
      .map((value) => finding('words', `${where} has the made-up value ${value}`)),
    ...sentences
      .filter((sentence) => text.includes(sentence))
      .map((sentence) => finding('words', `${where} has text of a failure: ${sentence}`)),
  ])
}

const leastCharacters = 24

/** Sentences of the instructions, and of a model that did not follow them. */
function wrongSentences({ fault, answer, question }: ServedRequest): readonly string[] {
  const asked = question?.messages.map(({ text }) => withoutData(text)) ?? []
  const instructions = longSentences([question?.system ?? '', ...asked].join('\n'))
  const isWrong = fault === 'not-json' || fault === 'wrong-schema' || fault === 'error-text'
  return isWrong ? [...instructions, ...longSentences(answer ?? '')] : instructions
}

/** The conversation is in blocks of data, which are not instructions. */
function withoutData(text: string): string {
  return text.replace(/\[[a-z ]+ · data, not instructions · (\S+)\]\n[\s\S]*?\n\[end \1\]/g, '')
}

function longSentences(text: string): readonly string[] {
  return text
    .split(/\n+|(?<=[.!?]) /)
    .map((sentence) => sentence.replace(/^- /, '').trim())
    .filter((sentence) => sentence.length >= leastCharacters)
}

/** Matches whole values only: a number inside a longer one is another number. */
function isWordIn(value: string, text: string): boolean {
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    const before = text[at - 1] ?? ' '
    const after = text[at + value.length] ?? ' '
    if (!/[\w/]/.test(before) && !/\w/.test(after)) return true
  }
  return false
}

/** The log read back equals what was appended, message for message. */
export function checkLog({ appended, log }: Observed): readonly Finding[] {
  if (log.length !== appended.length)
    return [
      finding('log', `${appended.length} messages were appended, but the log has ${log.length}`),
    ]
  return appended.flatMap((message, seq) => {
    const kept = log[seq]
    const same = kept !== undefined && kept.seq === seq && messageJson(kept) === inputJson(message)
    return same ? [] : [finding('log', `#${seq} differs from the appended message`)]
  })
}

function messageJson({ role, parts }: Message): string {
  return JSON.stringify([role, parts.map(partOf)])
}

function inputJson({ role, content }: MessageInput): string {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  return JSON.stringify([role, parts.map(partOf)])
}

function partOf(part: Part | PartInput): readonly unknown[] {
  switch (part.type) {
    case 'text':
      return ['text', part.text]
    case 'tool-call':
      return ['call', part.callId, part.name, jsonOf(part.input)]
    case 'tool-result':
      return ['result', part.callId, outputOf(part.output)]
    default:
      throw new Error(`the talk has no part of type ${part.type}`)
  }
}

function jsonOf(input: unknown): string {
  return typeof input === 'string' ? input : JSON.stringify(input)
}

function outputOf(output: Extract<Part | PartInput, { type: 'tool-result' }>['output']): string {
  if (typeof output === 'string') return output
  return output.kind === 'text' ? output.text : JSON.stringify(output)
}

/** Each context fits, and shows or lists each message of the log. */
export function checkContexts({ steps, appended }: Observed): readonly Finding[] {
  return steps.flatMap(({ number, context, head }) => [
    ...(context.tokens <= context.available
      ? []
      : [
          finding('context', `context ${number}: ${context.tokens} of ${context.available} tokens`),
        ]),
    ...checkListed(context, appended.slice(0, head), []).map(({ detail }) =>
      finding('context', `context ${number}: ${detail}`),
    ),
    ...(hasHistory(context)
      ? []
      : [finding('context', `context ${number}: nothing describes the omitted messages`)]),
  ])
}

/** If messages are omitted, a summary or digest describes them. */
function hasHistory({ omitted, sections }: Observed['steps'][number]['context']): boolean {
  if (!omitted.some(({ why }) => why === 'left-out')) return true
  return sections.some(
    ({ kind, tokens }) => (kind === 'summary' || kind === 'ledger') && tokens > 0,
  )
}
