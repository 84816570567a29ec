/** What an answer says, without the thinking that some models write before it. */

import type { Answer, ReadAnswer, RefusedReason } from '../ports/summary-style.ts'
import { logSample } from './log-sample.ts'

type Refused = Extract<ReadAnswer, { kind: 'refused' }>

export type AnswerText = { readonly kind: 'text'; readonly text: string } | Refused

export function answerText(answer: Answer): AnswerText {
  const text = answer.text.toWellFormed().trim()
  if (answer.finish === 'filter') return refused('filtered', 'the provider held it back', text)
  if (text === '') return refused('empty', 'there is nothing in it', text)
  const opened = thinking.exec(text)
  if (opened === null) return { kind: 'text', text }
  const close = text.indexOf(`</${opened[1]}>`)
  const rest = close === -1 ? '' : text.slice(close + `</${opened[1]}>`.length).trim()
  return rest === ''
    ? refused('thinking-only', 'there is nothing behind the thinking', text)
    : { kind: 'text', text: rest }
}

const thinking = /^<(think|thinking|reasoning|thought)>/

export function refused(reason: RefusedReason, message: string, answer: string): Refused {
  return { kind: 'refused', reason, message, sample: logSample(answer) }
}
