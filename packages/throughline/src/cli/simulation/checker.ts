/** The contexts of one conversation, each held against all that must hold for it, from outside. */
import type { Asked } from './ask-context.ts'
import {
  checkFormat,
  checkPairs,
  checkPrefix,
  checkTokens,
  nearlyExact,
  type Report,
} from './checks.ts'
import { formats } from './formats.ts'
import type { Recount } from './recount.ts'

/** Each such request is asked for twice. */
const requestsPerRepetition = 20

/** Each such request is written in every format and counted in one piece; others in one, in turns. */
const requestsPerFullCheck = 50

export interface FitChecker {
  /** Whether a request is one of those that are asked for twice. */
  isAskedTwice(index: number): boolean
  check(asked: Asked, index: number, report: Report): void
  checkAgain(first: Asked, second: Asked | 'impossible' | null, report: Report): void
}

export function createFitChecker(recount: Recount): FitChecker {
  let before: Asked | null = null
  return {
    isAskedTwice: (index) => index % requestsPerRepetition === 0,
    check: (asked, index, report) => {
      const { context, sent } = asked
      checkTokens(context, report)
      checkPairs(context.messages, report)
      checkPrefix(context, before?.sent ?? null, sent, report)
      checkFormats(asked, index, recount, report)
      before = asked
    },
    checkAgain: (first, second, report) => {
      if (second === null || second === 'impossible') return
      const bytes = ({ sent }: Asked) =>
        JSON.stringify([sent.fingerprint, sent.head, sent.messages])
      if (bytes(first) !== bytes(second))
        report('not the same bytes twice', `${first.sent.fingerprint}, ${second.sent.fingerprint}`)
    },
  }
}

function checkFormats({ context }: Asked, index: number, recount: Recount, report: Report): void {
  if (index % requestsPerFullCheck === 0) {
    for (const format of formats) checkFormat(context, format, recount.exact, report)
    return
  }
  const format = formats[index % formats.length]
  if (format !== undefined) checkFormat(context, format, nearlyExact(recount), report)
}
