/**
 * How many there are of what a sentence may count, though no number says so: items of a list,
 * records of a step, steps. A long list is told by its count, so a count is no invention.
 */
import type { StepDigest, StepStatus } from '../../domain/turn-record.ts'

interface CountedStep extends Pick<StepDigest, 'recordCount'> {
  readonly status: StepStatus
}

export function countsIn(text: string, steps: readonly CountedStep[]): readonly number[] {
  const items = itemsIn(text)
  const { length: headings } = text.match(/^\s{0,3}#{1,6} /gm) ?? []
  const { length: bold } = text.match(/\*\*[^*\n]{1,100}\*\*/g) ?? []
  return [
    ...[items.bullets, items.numbered, headings, bold],
    ...[steps.length, steps.filter(({ status }) => status === 'done').length],
    ...[steps.filter(({ status }) => status === 'failed').length],
    ...steps.flatMap(({ recordCount }) => recordCount ?? []),
  ]
}

function itemsIn(text: string): { readonly bullets: number; readonly numbered: number } {
  return {
    bullets: text.match(/^[ \t]{0,8}[-*+•–] /gm)?.length ?? 0,
    numbered: text.match(/^[ \t]{0,8}\d{1,3}[.)] /gm)?.length ?? 0,
  }
}
