/**
 * A summary with additional exact values of its session. Models write too few of them to measure how
 * many wrong ones are caught in a long session.
 */

import type { Random } from '../../harness/kernel/chance.ts'
import { literalsInProse } from '../../packages/throughline/src/extract/literals/prose-literals.ts'
import type { GateSource } from '../../packages/throughline/src/flow/gate/source-index.ts'

const mostOfEach = 8
const textCharacters = 20_000

export function addValues(summary: string, sources: readonly GateSource[], random: Random): string {
  const found = new Map<string, string[]>()
  for (const { text } of sources)
    for (const { kind, text: value } of literalsInProse(text.slice(0, textCharacters)))
      if (isExact(kind, value)) found.set(kind, [...(found.get(kind) ?? []), value])
  const chosen = [...found.values()].flatMap((values) => {
    const each = [...new Set(values)]
    return Array.from(
      { length: Math.min(mostOfEach, each.length) },
      () => each[random(each.length)] ?? '',
    )
  })
  return [summary, ...[...new Set(chosen)].map((value) => `- Also noted: ${value}.`)].join('\n')
}

function isExact(kind: string, value: string): boolean {
  if (/\s/.test(value)) return false
  if (kind === 'number') return value.replace(/\D/g, '').length >= 5
  return (
    kind === 'hash' || kind === 'uuid' || (kind === 'id' && value.length >= 6 && /\d/.test(value))
  )
}
