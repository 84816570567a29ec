/** The line behind an answer: where it stands, how full the request was, what it cost. */
import { grouped } from '../../domain/grouped-number.ts'
import { percent } from '../screen/numbers.ts'
import { signsOf } from '../screen/signs.ts'
import type { Output } from '../world.ts'
import type { Answer } from './answer.ts'
import type { AnswerFigures } from './answer-figures.ts'

export function statusLine(
  { kind, seq, finish }: Answer,
  { tokens, available, costUsd, compacted }: AnswerFigures,
  output: Output,
): string {
  const { dot, arrow } = signsOf(output)
  const notes = [
    ...(seq === null ? [] : [`#${seq}`]),
    ...(kind === 'stopped' ? ['stopped; what came is kept'] : []),
    ...(finish === 'length' ? ['cut off at the limit of the reply'] : []),
    ...(tokens === null || available === null
      ? []
      : [`${grouped(tokens)} of ${grouped(available)} tokens (${percent(tokens / available)})`]),
    ...(costUsd === null ? [] : [`${costUsd.toFixed(4)} USD`]),
    ...(compacted === null ? [] : [compactedText(compacted, arrow)]),
  ]
  return notes.join(` ${dot} `)
}

function compactedText(
  { line, tokensBefore, tokensAfter }: NonNullable<AnswerFigures['compacted']>,
  arrow: string,
): string {
  const before = tokensBefore === null ? '' : `${grouped(tokensBefore)} ${arrow} `
  return `compacted before #${line}, ${before}${grouped(tokensAfter)} tokens`
}
