/**
 * What a person typed in a message, also into a dialog of a tool, and how a person ended a call. A request that hides
 * nothing does not need it.
 */
import { fieldsIn, parsedJson } from './json.ts'
import {
  type KnownCalls,
  type Origin,
  type ToolCallPart,
  type ToolResultPart,
  textsOfOutput,
} from './message.ts'
import { originOf, originPieces, type Spoken } from './origin.ts'
import {
  answersEnding,
  answersOpening,
  approvedPlan,
  clarifiedQuestions,
  editedPlan,
  interruptions,
  planTools,
  questionTools,
  reasonEndings,
  rejectionMarkers,
} from './typed-markers-data.ts'

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
