/** Scores the requests of one conversation: what they still show, whose words, and what they cost. */

import { sentencesOf } from '../../bench/origin.ts'
import { survivalAlong } from '../../packages/throughline/src/cli/simulation/survival-along.ts'
import type { Conversation, Turn } from '../made/turns.ts'
import { type Billed, billing } from './billing.ts'
import type { SentRequest } from './sent-request.ts'

export interface Scored extends SentRequest {
  /** The number of the reply that it asks for; null if it was refused. */
  readonly place: number | null
  readonly turn: Turn
  readonly summary: SummaryCall | null
  readonly refused: boolean
}

/** Requests to the summarizer between two of the agent. */
export interface SummaryCall {
  readonly prompt: string
  readonly answer: string
  readonly before: SummaryCall | null
}

export interface Share {
  found: number
  of: number
}

export interface Scores {
  readonly survival: Share
  readonly edits: Share
  readonly recall: Share
  readonly words: Share
  /** Sentences in the user's role that no person typed and no client inserted. */
  readonly falseWords: Share
  /** Of these, the ones in a message whose beginning does not say that it was inserted. */
  readonly unmarkedWords: Share
  /** Requests that contain a value that a lying summarizer made up. */
  readonly madeUp: Share
  readonly tokens: { sum: number; most: number }
  readonly overWindow: Share
  readonly billed: Billed
  /** Of the newest request, for measures after the end. */
  last: readonly string[]
}

export interface Scoring {
  request(scored: Scored): void
  invented(values: readonly string[]): void
  readonly scores: Scores
}

const share = (): Share => ({ found: 0, of: 0 })

export function scoringOf(conversation: Conversation, windowTokens: number): Scoring {
  const { turns, questions } = conversation
  const texts = scoredTexts(turns)
  const survived = survivalAlong(texts.messages, '')
  const bill = billing()
  const madeUp = new Set<string>()
  const sent = new Map<Turn, number>()
  const sources = userSources(conversation)
  const scores: Scores = {
    ...{ survival: share(), edits: share(), recall: share(), words: share() },
    ...{ falseWords: share(), unmarkedWords: share(), madeUp: share(), overWindow: share() },
    tokens: { sum: 0, most: 0 },
    billed: bill.billed,
    last: [],
  }
  return {
    scores,
    invented: (values) => {
      for (const value of values) madeUp.add(value)
    },
    request: (request) => {
      const { place, turn, items } = request
      const text = items.map((item) => item.text).join('\n')
      const first = !sent.has(turn)
      sent.set(turn, (sent.get(turn) ?? 0) + 1)
      const tokens = bill.add(request)
      add(scores.overWindow, tokens > windowTokens ? 1 : 0, 1)
      scores.tokens.sum += tokens
      scores.tokens.most = Math.max(scores.tokens.most, tokens)
      if (madeUp.size > 0)
        add(scores.madeUp, [...madeUp].some((value) => text.includes(value)) ? 1 : 0, 1)
      // A refused request shows the model nothing.
      const shown = request.refused ? '' : text
      scores.last = shown.split('\n')
      const question = questions.find((each) => each.turn === turn)
      if (question !== undefined) {
        if (first) add(scores.recall, countIn(question.evidence, shown), question.evidence.length)
        return
      }
      const at = place === null ? null : texts.placeOf(place)
      if (at !== null) {
        const found = survived(at, shown)
        if (found !== null) add(scores.survival, found.shown, found.needed)
        scoreEdits(scores.edits, turn, place === null ? 0 : place - texts.firstPlace(turn), shown)
      }
      if (first) scoreWords(scores, { turns, turn, shown, items, sources })
    },
  }
}

function add(to: Share, found: number, of: number): void {
  to.found += found
  to.of += of
}

function countIn(texts: readonly string[], shown: string): number {
  return texts.filter((text) => shown.includes(text)).length
}

/** All messages as texts, and where the reply of each number is among them. */
function scoredTexts(turns: readonly Turn[]) {
  const messages: { isAssistant: boolean; text: string }[] = []
  const replies: number[] = []
  const firsts = new Map<Turn, number>()
  for (const turn of turns) {
    messages.push({ isAssistant: false, text: turn.text })
    firsts.set(turn, replies.length)
    for (const { text, calls } of turn.steps) {
      replies.push(messages.length)
      const inputs = calls.map(({ input }) => Object.values(input).join('\n'))
      messages.push({ isAssistant: true, text: [text, ...inputs].join('\n') })
      for (const { output } of calls) messages.push({ isAssistant: false, text: output })
    }
    replies.push(messages.length)
    messages.push({ isAssistant: true, text: turn.reply })
  }
  return {
    messages,
    placeOf: (reply: number) => replies[reply] ?? null,
    firstPlace: (turn: Turn) => firsts.get(turn) ?? 0,
  }
}

/** An edit needs its old text in the request, unless the same turn has just shown it. */
function scoreEdits(edits: Share, turn: Turn, step: number, shown: string): void {
  const since = turn.steps.slice(0, step).flatMap(({ calls }) => calls.map(({ output }) => output))
  for (const { input } of turn.steps[step]?.calls ?? []) {
    const old = input['old_string'] ?? input['oldText']
    if (typeof old !== 'string' || old === '' || since.some((output) => output.includes(old)))
      continue
    add(edits, shown.includes(old) ? 1 : 0, 1)
  }
}

const turnsScored = 40

interface Words {
  readonly turns: readonly Turn[]
  readonly turn: Turn
  readonly shown: string
  readonly items: SentRequest['items']
  readonly sources: string
}

/** What people typed in the last turns; and what is in the user's role though no user wrote it. */
function scoreWords(scores: Scores, { turns, turn, shown, items, sources }: Words): void {
  const at = turns.indexOf(turn)
  const oneLine = plainLine(shown)
  const typed = turns
    .slice(Math.max(0, at - turnsScored), at)
    .flatMap((each) => each.typed.flatMap(sentencesOf))
  add(scores.words, typed.filter((sentence) => oneLine.includes(sentence)).length, typed.length)
  for (const { role, text } of items) {
    if (role !== 'user') continue
    const sentences = sentencesOf(text)
    const wrong = sentences.filter((sentence) => !sources.includes(sentence)).length
    add(scores.falseWords, wrong, sentences.length)
    add(scores.unmarkedWords, isMarked(text) ? 0 : wrong, sentences.length)
  }
}

/** A label in brackets or tags, or a first line that speaks of a summary or of earlier messages. */
function isMarked(text: string): boolean {
  const [first = ''] = text.trimStart().split('\n')
  return /^[[<]/.test(first) || /summary|earlier|previous|memor|observ/i.test(first)
}

function userSources({ turns, questions }: Conversation): string {
  return plainLine(
    [...turns, ...questions.map(({ turn }) => turn)].map(({ text }) => text).join('\n'),
  )
}

function plainLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}
