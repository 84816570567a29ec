/**
 * Whose words a message contains, from what the caller states, from its role, and from markers that
 * clients insert into text. Linear in the text.
 */
import { fieldsIn, parsedJson } from './json.ts'
import {
  contentOf,
  type KnownCalls,
  type Message,
  type Origin,
  type Part,
  statedOrigin,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
  textsOfOutput,
} from './message.ts'
import {
  answersEnding,
  answersOpening,
  approvedPlan,
  clarifiedQuestions,
  editedPlan,
  expandedCommandTag,
  interruptions,
  launchedSkill,
  openingMarkers,
  planTools,
  questionTools,
  reasonEndings,
  rejectionMarkers,
  summaryTags,
  tagMarkers,
} from './origin-markers-data.ts'

/** A text of one origin. See `originPieces`. */
export interface OriginPiece {
  readonly origin: Origin
  readonly text: string
}

type Spoken = Pick<Message, 'role' | 'parts'> & {
  /** Stated by the caller; null if the text decides. */
  readonly origin?: Origin | null | undefined
}

/**
 * The strongest origin in a message: a person's, if the person typed anything in it.
 *
 * @example
 * for await (const message of chat.messages()) console.log(message.seq, originOf(message))
 */
export function originOf(message: Spoken): Origin {
  const { role, parts, origin } = message
  const stated = parts.map(statedOrigin).filter((each) => each !== null)
  if (stated.length === 0) {
    if (origin) return origin
    if (role === 'system') return 'developer'
    if (role === 'assistant') return 'model'
    if (role === 'tool' || parts.some(({ type }) => type === 'tool-result')) return 'tool'
  }
  const found = new Set([...stated, ...originPieces(message).map((piece) => piece.origin)])
  return strongestFirst.find((each) => found.has(each)) ?? 'person'
}

const strongestFirst: readonly Origin[] = [
  ...(['person', 'summary', 'agent', 'developer', 'model', 'tool', 'application'] as const),
]

/**
 * The text parts of a message, split at the markers of clients.
 *
 * @example
 * for await (const message of chat.messages())
 *   for (const { origin, text } of originPieces(message)) console.log(origin, text)
 */
export function originPieces({ role, parts, origin }: Spoken): readonly OriginPiece[] {
  if (origin || role !== 'user') {
    const whole = origin || (role === 'assistant' ? 'model' : 'developer')
    return parts.flatMap((part) =>
      part.type === 'text' ? [{ origin: part.origin ?? whole, text: part.text }] : [],
    )
  }
  const known = knownPieces.get(parts)
  if (known !== undefined) return known
  const pieces = parts.flatMap((part, index) =>
    part.type === 'text' ? piecesOfPart(part, parts[index - 1]) : [],
  )
  const isMarkup = pieces.every((piece) => piece.origin !== 'person' || isOnlyTags(piece.text))
  const isStated = parts.some((part) => statedOrigin(part) !== null)
  const found = isMarkup && !isStated ? pieces.map(typedOnlyInMarkers) : pieces
  knownPieces.set(parts, found)
  return found
}

function piecesOfPart(
  { text, origin }: TextPart,
  before: Part | undefined,
): readonly OriginPiece[] {
  if (origin) return [{ origin, text }]
  const split = splitAtMarkers(text)
  const isTyped = split.every((piece) => piece.origin === 'person' && piece.text === text)
  return isTyped && isExpanded(before) ? [{ origin: 'application', text }] : split
}

/**
 * Whether the client adds the text of a command or a skill after this part, as the next part or as
 * the next message.
 */
export function isExpanded(part: Part | undefined): boolean {
  if (part?.type === 'text') return part.text.trimStart().startsWith(expandedCommandTag)
  if (part?.type !== 'tool-result') return false
  return textsOfOutput(part.output).some((text) => text.startsWith(launchedSkill))
}

/** A message is asked for its origin by several stages of each request. */
const knownPieces = new WeakMap<readonly Part[], readonly OriginPiece[]>()

/** Unknown tags and nothing else: no person types that. */
function typedOnlyInMarkers(piece: OriginPiece): OriginPiece {
  const start = piece.text.trimStart()
  if (piece.origin !== 'person' || !start.startsWith('<')) return piece
  const isSummary = summaryTags.some((tag) => start.startsWith(tag))
  return { ...piece, origin: isSummary ? 'summary' : 'application' }
}

const tagNames = tagMarkers.map(({ tag }) => tag).join('|')
/** At the start of a line, or directly after another one. */
const tagPattern = new RegExp(
  `(?:^[ \\t]*|(?<=</(?:${tagNames})>))<(${tagNames})(?: [^<>\\n]{0,200})?>`,
  'gm',
)
/** The line ends, or another marker follows on it. */
const afterTag = new RegExp(`^(?:[ \\t]*(?:\\r?\\n|$)|<(?:${tagNames})(?: [^<>\\n]{0,200})?>)`)
// More than the longest tag with its attributes.
const lookAhead = 300
const originOfTag = new Map(tagMarkers.map(({ tag, origin }) => [tag, origin]))

/**
 * A text without the reminders that clients append to it: the end of a file that was read is then the
 * end of the file.
 */
export function withoutReminders(text: string): string {
  let kept = ''
  let at = 0
  for (let from = text.indexOf(reminder); from >= 0; from = text.indexOf(reminder, at)) {
    const to = text.indexOf(reminderEnd, from)
    if (to < 0) break
    kept += text.slice(at, from)
    at = to + reminderEnd.length
  }
  const rest = kept + text.slice(at)
  return at === 0 || rest.trim() === '' ? text : rest.trimEnd()
}

const reminder = '<system-reminder>'
const reminderEnd = '</system-reminder>'

export function hasReminder({ parts }: Pick<Message, 'parts'>): boolean {
  return parts.some((part) => contentOf(part).some((text) => text.includes(reminder)))
}

function splitAtMarkers(text: string): readonly OriginPiece[] {
  const start = text.trimStart()
  const opening = openingMarkers.find((marker) => start.startsWith(marker.opening))
  const typedFrom = opening?.until === undefined ? -1 : text.indexOf(opening.until)
  if (opening?.until !== undefined && typedFrom >= 0) {
    const end = typedFrom + opening.until.length
    return [{ origin: opening.origin, text: text.slice(0, end) }, ...typed(text.slice(end))]
  }
  if (opening?.extent === 'part') return [{ origin: opening.origin, text }]
  if (opening !== undefined) {
    const end = text.length - start.length + opening.opening.length
    const isLine = /^[ \t]*(?:\n|$)/.test(text.slice(end))
    if (isLine)
      return [{ origin: opening.origin, text: text.slice(0, end) }, ...typed(text.slice(end))]
  }
  const pieces: OriginPiece[] = []
  const unclosed = new Set<string>()
  let at = 0
  for (const found of text.matchAll(tagPattern)) {
    const [opened, tag = ''] = found
    if (found.index < at || unclosed.has(tag)) continue
    const from = found.index + opened.length
    const to = text.indexOf(`</${tag}>`, from)
    if (to < 0) {
      unclosed.add(tag)
      continue
    }
    const end = to + tag.length + 3
    // More words on the line: a person writes about the tag.
    if (!afterTag.test(text.slice(end, end + lookAhead))) continue
    pieces.push(...typed(text.slice(at, found.index)))
    const origin = originOfTag.get(tag) ?? 'application'
    const inner = text.slice(from, to)
    if (origin !== 'person') pieces.push({ origin, text: text.slice(found.index, end) })
    else pieces.push(...typed(inner))
    at = end
  }
  return [...pieces, ...typed(text.slice(at))]
}

function typed(text: string): readonly OriginPiece[] {
  return text.trim() === '' ? [] : [{ origin: 'person', text }]
}

function isOnlyTags(text: string): boolean {
  let at = 0
  const open = /\s*<([A-Za-z][\w.:-]*)(?:\s[^<>]*)?>/y
  while (at < text.length) {
    open.lastIndex = at
    const [opened, tag] = open.exec(text) ?? []
    if (opened === undefined) return text.slice(at).trim() === '' && at > 0
    const close = text.indexOf(`</${tag}>`, at + opened.length)
    if (close < 0) return false
    at = close + (tag?.length ?? 0) + 3
  }
  return true
}

/** What a person typed, and where. */
export interface TypedText {
  readonly kind: 'message' | 'rejection' | 'answer' | 'plan'
  readonly text: string
  /** The question that an answer belongs to. */
  readonly question: string | null
}

/** All origins in a message; a person's also where they typed into a dialog of a tool. */
export function originsOf(message: Spoken): ReadonlySet<Origin> {
  const found = new Set([originOf(message), ...originPieces(message).map(({ origin }) => origin)])
  return typedIn(message, new Map()).length > 0 ? found.add('person') : found
}

export function typedIn(message: Spoken, calls: KnownCalls): readonly TypedText[] {
  const inResults = message.parts.flatMap((part) =>
    part.type === 'tool-result' ? typedInResult(part, calls) : [],
  )
  const text = originPieces(message)
    .flatMap((piece) => (piece.origin === 'person' ? [piece.text.trim()] : []))
    .join('\n')
  return text === '' ? inResults : [...inResults, { kind: 'message', text, question: null }]
}

function typedInResult(result: ToolResultPart, calls: KnownCalls): readonly TypedText[] {
  if (result.origin === 'person') {
    const text = textsOfOutput(result.output).join('\n').trim()
    return text === '' ? [] : [{ kind: 'answer', text, question: null }]
  }
  // Another origin than a tool: whatever the text says, no person typed it.
  if (result.origin && result.origin !== 'tool') return []
  const { reason = null, isMarked = false } = personEnding(result) ?? {}
  // A tool that prints these words gains no trust: only a failed result quotes a person.
  if (reason !== null && !isMarked) return []
  if (reason?.startsWith(clarifiedQuestions)) return answersBefore(reason)
  if (reason !== null) return [{ kind: 'rejection', text: reason, question: null }]
  const plan = changedPlanLines(result, calls)
  if (plan !== '') return [{ kind: 'plan', text: plan, question: null }]
  return answersIn(result, calls).map(({ question, answer }) => ({
    kind: 'answer',
    text: answer,
    question,
  }))
}

/** The answers that the user chose before asking to talk about the questions. */
function answersBefore(reason: string): readonly TypedText[] {
  return [...reason.matchAll(/^- "(.*)"\n {2}Answer: (.+)$/gm)].map(
    ([, question = '', answer = '']) => ({ kind: 'answer', text: answer, question }),
  )
}

/** How a person ended a call; null if it ran. */
export interface PersonEnding {
  readonly status: 'rejected' | 'interrupted'
  /** What follows the client's words; a person typed it only if the result is marked. */
  readonly reason: string | null
  /** The client marked the result as failed. Some formats cannot, and then only the text says so. */
  readonly isMarked: boolean
}

export function personEnding({
  output,
  isError,
}: Pick<ToolResultPart, 'output' | 'isError'>): PersonEnding | null {
  const texts = textsOfOutput(output)
  const start = (texts.find((text) => text.trim() !== '') ?? '').trimStart()
  const marker = rejectionMarkers.find(({ opening }) => start.startsWith(opening))
  if (marker !== undefined) {
    const reason = reasonIn(texts.join('\n').trimStart(), marker)
    return { status: 'rejected', reason, isMarked: isError }
  }
  // The openings are short: of a result that is not marked as failed, there must be nothing else.
  const isAlone = isError || !start.trimEnd().includes('\n')
  const isStopped = isAlone && interruptions.some(({ opening }) => start.startsWith(opening))
  return isStopped ? { status: 'interrupted', reason: null, isMarked: isError } : null
}

function reasonIn(text: string, { opening, reasonAfter }: (typeof rejectionMarkers)[number]) {
  const at = reasonAfter === null ? -1 : text.indexOf(reasonAfter, opening.length)
  if (at < 0 || reasonAfter === null) return null
  const rest = text.slice(at + reasonAfter.length)
  const ends = reasonEndings.map((ending) => rest.indexOf(ending)).filter((end) => end >= 0)
  return rest.slice(0, Math.min(rest.length, ...ends)).trim() || null
}

/** The lines that the user changed in a plan or added to it; empty where the model's plan is not known. */
function changedPlanLines(result: ToolResultPart, calls: KnownCalls): string {
  const call = calls.get(result.callId)
  if (result.isError || call === undefined || !planTools.includes(call.name)) return ''
  const text = textsOfOutput(result.output).join('\n')
  const at = text.startsWith(approvedPlan) ? text.indexOf(editedPlan) : -1
  const { plan } = fieldsIn(parsedJson(call.input))
  if (at < 0 || typeof plan !== 'string') return ''
  const lines = (each: string) => each.split('\n').map((line) => line.trim())
  const before = new Set(lines(plan))
  return lines(text.slice(at + editedPlan.length))
    .filter((line) => !before.has(line))
    .join('\n')
}

interface Answer {
  readonly question: string
  readonly answer: string
}

function answersIn(result: ToolResultPart, calls: KnownCalls): readonly Answer[] {
  const call = calls.get(result.callId)
  const name = call?.name ?? result.name
  if (result.isError || name === null || name === undefined || !questionTools.includes(name))
    return []
  const text = textsOfOutput(result.output).join('\n')
  const start = text.indexOf(answersOpening)
  if (start < 0) return answersInJson(text, call)
  const end = text.lastIndexOf(answersEnding)
  const body = text.slice(start + answersOpening.length, end < start ? undefined : end)
  const known = questionsIn(call && parsedJson(call.input))
  return (known.length > 0 ? answersTo(known, body) : answersQuoted(body)).filter(
    ({ answer }) => answer !== '' && answer !== 'Unanswered',
  )
}

/** Codex and Gemini CLI: `{"answers":{…}}` by the id or the number of the question. */
function answersInJson(text: string, call: ToolCallPart | undefined): readonly Answer[] {
  const { answers } = fieldsIn(text.startsWith('{') ? parsedJson(text) : null)
  const { questions } = fieldsIn(call && parsedJson(call.input))
  const asked: readonly unknown[] = Array.isArray(questions) ? questions : []
  return Object.entries(fieldsIn(answers)).flatMap(([key, value]) => {
    const found = asked.find((each) => fieldsIn(each)['id'] === key) ?? asked[Number(key)]
    const given = fieldsIn(value)['answers'] ?? value
    const texts = (Array.isArray(given) ? given : [given]).filter(
      (each) => typeof each === 'string',
    )
    const answer = texts
      .map((each) => each.replace(/^user_note: /, ''))
      .join('\n')
      .trim()
    const { question } = fieldsIn(found)
    return answer === ''
      ? []
      : [{ question: typeof question === 'string' ? question : key, answer }]
  })
}

function questionsIn(input: unknown): readonly string[] {
  const { questions } = fieldsIn(input)
  if (!Array.isArray(questions)) return []
  return questions
    .map((each) => fieldsIn(each)['question'])
    .filter((each) => typeof each === 'string')
}

/** Questions and answers may contain quotes, so the known questions say where each answer ends. */
function answersTo(questions: readonly string[], body: string): readonly Answer[] {
  const places = questions
    .map((question) => ({ question, at: body.indexOf(`"${question}"=`) }))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => one.at - other.at)
  return places.map(({ question, at }, index) => {
    const value = body.slice(at + question.length + 3, places[index + 1]?.at).trim()
    return { question, answer: answerIn(value.replace(/,$/, '')) }
  })
}

function answersQuoted(body: string): readonly Answer[] {
  return [...body.matchAll(/"([^"]*)"="([^"]*)"/g)].map(([, question = '', answer = '']) => ({
    question,
    answer,
  }))
}

/** `"chosen"`, perhaps with a preview that the model wrote and notes that the user typed. */
function answerIn(value: string): string {
  const [, chosen, , notes] =
    /^"([\s\S]*?)"( selected preview:[\s\S]*?)?(?: (?:user )?notes: ([\s\S]*))?$/.exec(value) ?? []
  if (chosen === undefined) return value.startsWith('(no option') ? '' : value
  return notes === undefined ? chosen : `${chosen}\n${notes}`
}
