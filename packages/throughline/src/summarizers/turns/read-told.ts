/**
 * An answer behind a reply as the text that it tells. Asked for is a JSON object, alone, in a
 * fence, or with prose around it; a model that writes nothing but the sentence has told as much.
 */
import type { Answer, ReadAnswer } from '../../ports/summary-style.ts'
import { answerText, refused } from '../answer-text.ts'
import { jsonInText } from '../json-in-text.ts'
import { readProse } from '../read-prose.ts'
import type { TurnSummary } from './outputs.ts'

export type ReadTold =
  | { readonly kind: 'told'; readonly told: TurnSummary }
  | Extract<ReadAnswer, { kind: 'refused' }>

export function readTold(answer: Answer): ReadTold {
  const said = answerText(answer)
  if (said.kind === 'refused') return said
  const json = jsonInText(said.text)
  switch (json.kind) {
    case 'found':
      return toldIn(json.value, answer)
    case 'cut-off':
      return refused('cut-off', 'the object does not end', answer.text)
    case 'ambiguous':
      return refused('ambiguous', 'there is more than one JSON object in it', answer.text)
    case 'missing':
      return plainTold(answer)
  }
}

function toldIn(fields: Readonly<Record<string, unknown>>, answer: Answer): ReadTold {
  const { summary, history } = fields
  if (typeof summary !== 'string' || summary.trim() === '')
    return refused('wrong-schema', 'summary: must be a string that is not empty', answer.text)
  const folded = typeof history === 'string' && history.trim() !== '' ? wellFormed(history) : null
  return { kind: 'told', told: { summary: wellFormed(summary), history: folded } }
}

function plainTold(answer: Answer): ReadTold {
  if (answer.finish === 'length')
    return refused('cut-off', 'it ends before there is an object', answer.text)
  const read = readProse(answer, { mostTokens: Number.POSITIVE_INFINITY, meter: anyLength })
  return read.kind === 'refused'
    ? read
    : { kind: 'told', told: { summary: read.draft.text, history: null } }
}

/** How long it may be is asked of the sentence, not of the answer. */
const anyLength = { count: () => 0, fit: (text: string) => text }

function wellFormed(text: string): string {
  return text.toWellFormed().trim()
}
