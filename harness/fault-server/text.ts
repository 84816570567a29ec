/** What a model says instead of its answer, for each fault of content. */
import type { ModelAnswer, ModelQuestion } from './api.ts'
import type { ContentFault } from './faults.ts'
import { lieAbout } from './lies.ts'

export interface Said extends Pick<ModelAnswer, 'text' | 'thinking' | 'refusal' | 'finish'> {
  /** Exact values that stand nowhere in the question. */
  readonly invented: readonly string[]
}

/** A service counts with a tokenizer; about so many characters are a token. */
const charactersOfToken = 4

export function tokensOf(text: string): number {
  return Math.ceil(text.length / charactersOfToken)
}

/** The answer, cut where the service would cut it. */
export function soundly(text: string, { maxOutputTokens }: ModelQuestion): Said {
  const most = (maxOutputTokens ?? Number.POSITIVE_INFINITY) * charactersOfToken
  const cut = text.length > most
  return { ...plain(cut ? text.slice(0, most) : text), finish: cut ? 'length' : 'stop' }
}

export function faultily(
  fault: ContentFault,
  answer: string,
  question: ModelQuestion,
  seed: string,
): Said {
  switch (fault) {
    case 'wrong-schema':
      return plain('{"unexpected":{"answer":[1,2,3]}}')
    case 'not-json':
      return plain('Of course! Here is what you asked for, in my own words.')
    case 'empty':
      return plain('')
    case 'whitespace':
      return plain(' \n\t \n')
    case 'refusal':
      return { ...plain(''), refusal: refusalText }
    case 'refusal-text':
      return plain(refusalText)
    case 'echo':
      return plain(lastSaid(question))
    case 'thinking-only':
      return { ...plain(''), thinking: thoughts }
    case 'thinking-text':
      return plain(`<think>\n${thoughts}\n</think>`)
    case 'cut-off':
      return { ...plain(answer.slice(0, Math.ceil(answer.length / 2))), finish: 'length' }
    case 'over-limit':
      return plain(tooMuchOf(answer, question))
    case 'error-text':
      return plain('Error: 429 Rate limit reached for requests. Please try again in 20s.')
    case 'lies':
      return { ...plain(''), ...lieAbout(answer, sourceOf(question), seed) }
  }
}

function plain(text: string): Said {
  return { text, thinking: null, refusal: null, finish: 'stop', invented: [] }
}

const refusalText = "I'm sorry, but I can't assist with that request."
const thoughts = 'The user wants something from me. Let me think about what it could be.'

function lastSaid({ messages }: ModelQuestion): string {
  return messages.findLast(({ role }) => role === 'user')?.text ?? ''
}

function sourceOf({ system, messages }: ModelQuestion): string {
  return [system, ...messages.map(({ text }) => text)].join('\n')
}

function tooMuchOf(answer: string, { maxOutputTokens }: ModelQuestion): string {
  const once = `${answer === '' ? 'And so on.' : answer} `
  const wanted = 2 * charactersOfToken * (maxOutputTokens ?? 4096)
  return once.repeat(Math.ceil(wanted / once.length) + 1)
}

/** Words one by one, as a stream has them. */
export function inPieces(text: string): readonly string[] {
  return text.match(/\S*\s+|\S+/g) ?? []
}
