/**
 * A line of the history that rules have written, by its pieces: what is told in words, what was
 * changed by count and names, and names without more. Lines of rules are written and read here
 * alone, so that a fold of a fold still knows how many there were.
 */
import { byRules, type HistoryLine } from '../domain/turn-record.ts'

export const between = ' · '

const countedKinds = ['created', 'updated', 'deleted', 'failed steps'] as const
type CountedKind = (typeof countedKinds)[number]

export interface Counted {
  readonly kind: CountedKind
  readonly count: number
  /** Of the last of them; those that there was no room for are counted. */
  readonly names: readonly string[]
}

export interface LinePieces {
  readonly told: readonly string[]
  readonly counted: readonly Counted[]
  /** Of what is told in too few words to name it. */
  readonly named: readonly string[]
}

export function turnsPiece(turns: number): readonly string[] {
  return turns > 1 ? [`${turns} turns`] : []
}

export function countedPiece({ kind, count, names }: Counted): string {
  return `${kind} (${count})${names.length === 0 ? '' : `: ${names.join(', ')}`}`
}

export function namedPiece(names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`named: ${names.join(', ')}`]
}

const countedForm = new RegExp(`^(${countedKinds.join('|')}) \\((\\d{1,9})\\)(?:: (.+))?$`, 'u')
const namedForm = /^named: (.+)$/u
const turnsForm = /^\d{1,9} turns$/

/** Words of others, so that none of them reads as a piece of ours. */
export function asTold(words: string): string {
  return words.replaceAll(between, ' - ')
}

export function readPieces({ text, by }: HistoryLine): LinePieces {
  const told: string[] = []
  const counted: Counted[] = []
  const named: string[] = []
  if (by !== byRules) return { told: text.trim() === '' ? [] : [asTold(text)], counted, named }
  for (const piece of text.split(between)) {
    const [, kind, count, names] = countedForm.exec(piece) ?? []
    const known = countedKinds.find((one) => one === kind)
    if (known !== undefined)
      counted.push({ kind: known, count: Number(count), names: names?.split(', ') ?? [] })
    else if (namedForm.test(piece))
      for (const name of piece.replace(namedForm, '$1').split(', ')) named.push(name)
    else if (piece.trim() !== '' && piece !== '…' && !turnsForm.test(piece)) told.push(piece)
  }
  return { told, counted, named }
}

/** Counts are added, and what was named again is named where it was named last. */
export function joinPieces(lines: readonly LinePieces[]): LinePieces {
  const counted = countedKinds.flatMap((kind) => {
    const same = lines.flatMap((line) => line.counted.filter((one) => one.kind === kind))
    const count = same.reduce((sum, one) => sum + one.count, 0)
    return count === 0 ? [] : [{ kind, count, names: lastOfEach(same.flatMap((one) => one.names)) }]
  })
  return {
    told: distinct(lines.flatMap(({ told }) => told)),
    counted,
    named: lastOfEach(lines.flatMap(({ named }) => named)),
  }
}

export function lastOfEach(names: readonly string[]): readonly string[] {
  return [...new Set(names.toReversed())].toReversed()
}

/** What was said again is told once, also where it was cut before. */
function distinct(told: readonly string[]): readonly string[] {
  const said = new Map(told.map((text) => [text.toLowerCase(), text]))
  const cut = [...said.keys()].filter((text) => text.endsWith('…'))
  for (const text of cut) {
    const start = text.slice(0, -1)
    if ([...said.keys()].some((other) => other !== text && other.startsWith(start)))
      said.delete(text)
  }
  return [...said.values()]
}
