/**
 * Every summary that is kept was said by a model: by a sound answer, or by one that was mended,
 * which the account of it says. Nothing is put together from failures.
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

export function checkSaid(observed: Observed): readonly Finding[] {
  const served = observed.served.flat()
  return observed.summaries.flatMap((record) => {
    const repairs = repairsOf(observed, record)
    if (served.some((request) => isSaidBy(record, request, repairs))) return []
    return [finding('said', `no sound answer says: ${record.text.slice(0, 200)}`)]
  })
}

/** How many summaries come from an answer that was mended or cut. */
export function mendedIn(observed: Observed): number {
  const faulty = observed.served.flat().filter(({ fault }) => fault !== null)
  return observed.summaries.filter((record) => {
    const repairs = repairsOf(observed, record)
    return faulty.some((request) => isSaidBy(record, request, repairs))
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

function isSaidBy(
  record: SummaryRecord,
  { fault, said }: ServedRequest,
  repairs: readonly DraftRepair[],
): boolean {
  if (said === null || said === '' || !mayBeMended(record, fault, repairs)) return false
  const answer = squeezed(wordsOfAnswer(said))
  return piecesOfDraft(record)
    .flatMap(sentencesOf)
    .every((sentence) => isIn(sentence, answer, repairs))
}

function mayBeMended(
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
function wordsOfAnswer(said: string): string {
  const strings: string[] = []
  try {
    JSON.parse(said, (_, value: unknown) => {
      if (typeof value === 'string') strings.push(value)
      return value
    })
  } catch {
    return said
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
    .map(squeezed)
    .filter((sentence) => sentence !== '')
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Every text that a run has handed out, and every text that people and tools have put in. */
interface NamedText {
  readonly where: string
  readonly text: string
}

function handedOut({ steps, summaries, inForce }: Observed): readonly NamedText[] {
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

/** Whatever a model has a say in, piece by piece. */
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

/** Of answers that are no answers; what else a model said is known from the server. */
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
  const told = textOfLog(observed.log)
  const served = observed.served.flat()
  const invented = new Set(served.flatMap((request) => request.invented))
  const words = new Set([...failureWords, ...served.flatMap(wrongSentences)])
  // What people said as well is theirs.
  const values = [...invented].filter((value) => !told.includes(value))
  const sayings = [...words].filter((saying) => !told.includes(saying))
  return handedOut(observed).flatMap(({ where, text }) => [
    ...values
      .filter((value) => standsIn(value, text))
      .map((value) => finding('words', `${where} has the made-up value ${value}`)),
    ...sayings
      .filter((saying) => text.includes(saying))
      .map((saying) => finding('words', `${where} has words of a failure: ${saying}`)),
  ])
}

const leastCharacters = 24

/** What stands in the instructions, or was said by a model that did not do as it was asked. */
function wrongSentences({ fault, said, question }: ServedRequest): readonly string[] {
  const asked = question?.messages.map(({ text }) => withoutData(text)) ?? []
  const instructions = longSentences([question?.system ?? '', ...asked].join('\n'))
  const isWrong = fault === 'not-json' || fault === 'wrong-schema' || fault === 'error-text'
  return isWrong ? [...instructions, ...longSentences(said ?? '')] : instructions
}

/** The conversation stands in blocks of its own, and is no instruction. */
function withoutData(text: string): string {
  return text.replace(/\[[a-z ]+ · data, not instructions · (\S+)\]\n[\s\S]*?\n\[end \1\]/g, '')
}

function longSentences(text: string): readonly string[] {
  return text
    .split(/\n+|(?<=[.!?]) /)
    .map((sentence) => sentence.replace(/^- /, '').trim())
    .filter((sentence) => sentence.length >= leastCharacters)
}

/** As a whole: a number inside a longer one is another number. */
function standsIn(value: string, text: string): boolean {
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    const before = text[at - 1] ?? ' '
    const behind = text[at + value.length] ?? ' '
    if (!/[\w/]/.test(before) && !/\w/.test(behind)) return true
  }
  return false
}

/** The log read back is what was appended, message for message. */
export function checkLog({ appended, log }: Observed): readonly Finding[] {
  if (log.length !== appended.length)
    return [finding('log', `${appended.length} messages were appended, ${log.length} are there`)]
  return appended.flatMap((message, seq) => {
    const kept = log[seq]
    const same = kept !== undefined && kept.seq === seq && told(kept) === toldInput(message)
    return same ? [] : [finding('log', `#${seq} is another message than was appended`)]
  })
}

function told({ role, parts }: Message): string {
  return JSON.stringify([role, parts.map(partOf)])
}

function toldInput({ role, content }: MessageInput): string {
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
      throw new Error(`the talk has no part of the type ${part.type}`)
  }
}

function jsonOf(input: unknown): string {
  return typeof input === 'string' ? input : JSON.stringify(input)
}

function outputOf(output: Extract<Part | PartInput, { type: 'tool-result' }>['output']): string {
  if (typeof output === 'string') return output
  return output.kind === 'text' ? output.text : JSON.stringify(output)
}

/** Each context fits, and each message of the log is shown in it or listed as left out. */
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
    ...(isTold(context)
      ? []
      : [finding('context', `context ${number}: nothing tells of the past`)]),
  ])
}

/** Where messages are left out, something says what they were. */
function isTold({ omitted, sections }: Observed['steps'][number]['context']): boolean {
  if (!omitted.some(({ why }) => why === 'left-out')) return true
  return sections.some(
    ({ kind, tokens }) => (kind === 'summary' || kind === 'ledger') && tokens > 0,
  )
}
