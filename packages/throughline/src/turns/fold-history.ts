/**
 * The history of turns with one more line, within its limit. Where it would be longer, its
 * oldest lines become one. None is ever cut off: the lines tile the turns before and after.
 */
import { byRules, type HistoryLine } from '../domain/turn-record.ts'
import type { TurnRules } from '../domain/turn-rules.ts'
import { characterCount } from './characters.ts'
import { foldLines } from './fold-lines.ts'

/** `folded` is what a model has told of the lines to fold, in the answer that brought the line. */
export function foldHistory(
  history: readonly HistoryLine[],
  line: HistoryLine,
  rules: TurnRules,
  folded: string | null,
): readonly HistoryLine[] {
  const most = rules.historyCharacters
  const lines = [...history, line]
  if (charactersOf(lines) <= most) return lines
  const count = linesToFold(history, rules).length
  const told =
    folded === null || count === 0
      ? null
      : [lineOver(history.slice(0, count), folded, line.by), ...lines.slice(count)]
  if (told !== null && charactersOf(told) <= most) return told
  return foldedByRules(told ?? lines, Math.max(1, told === null ? count : 1), rules)
}

// Not every turn has to fold again: behind a fold there is room for some lines.
const foldedShare = 0.25
const keptShare = 0.4

/** The most of the line that the oldest become. */
export function foldedCharacters({ historyCharacters }: TurnRules): number {
  return Math.max(1, Math.floor(historyCharacters * foldedShare))
}

/** The oldest, so that what stays leaves room. */
export function linesToFold(
  history: readonly HistoryLine[],
  { historyCharacters }: TurnRules,
): readonly HistoryLine[] {
  let from = history.length
  let kept = 0
  while (from > 0) {
    kept += characterCount(history[from - 1]?.text ?? '')
    if (kept > historyCharacters * keptShare) break
    from -= 1
  }
  return history.slice(0, from)
}

/** At least so many of the oldest, and more where the others leave too little room; perhaps all. */
function foldedByRules(
  lines: readonly HistoryLine[],
  least: number,
  rules: TurnRules,
): readonly HistoryLine[] {
  const enough = foldedCharacters(rules)
  for (let count = least; count < lines.length; count += 1) {
    const kept = lines.slice(count)
    const room = rules.historyCharacters - charactersOf(kept)
    // The newest line stays as it is wherever it can.
    if (room >= (kept.length === 1 ? 1 : enough))
      return [foldedLine(lines.slice(0, count), Math.min(room, enough)), ...kept]
  }
  return [foldedLine(lines, rules.historyCharacters)]
}

function foldedLine(lines: readonly HistoryLine[], mostCharacters: number): HistoryLine {
  return lineOver(lines, foldLines(lines, mostCharacters), byRules)
}

function lineOver(lines: readonly HistoryLine[], text: string, by: string): HistoryLine {
  return { from: lines[0]?.from ?? 0, to: lines.at(-1)?.to ?? 0, text, by }
}

export function charactersOf(lines: readonly HistoryLine[]): number {
  return lines.reduce((sum, { text }) => sum + characterCount(text), 0)
}
