/**
 * History lines by rules (no LLM). They are written and parsed only here, so that a repeated fold
 * keeps its counts.
 */
import { changedTurn } from '../domain/forget-turns.ts'
import { byRules, type HistoryLine, type TurnRecord } from '../domain/turn-memory.ts'
import { sentenceCharacters } from '../summarizers/turns/prompts.ts'
import { limits } from './limits-data.ts'
import { historyVerbs } from './sentences-data.ts'
import { characterCount, safeLine } from './turn-text.ts'

export const separator = ' · '

const countedKinds = ['created', 'updated', 'deleted', 'failed steps'] as const
type CountedKind = (typeof countedKinds)[number]

export interface Counted {
  readonly kind: CountedKind
  readonly count: number
  /** The newest names; `count` includes those that have no room. */
  readonly names: readonly string[]
}

export interface LinePieces {
  readonly phrases: readonly string[]
  readonly counted: readonly Counted[]
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

/** Text of a conversation must not be parsed as a piece of a line. */
function withoutSeparator(text: string): string {
  return text.replaceAll(separator, ' - ')
}

export function readPieces({ text, by }: HistoryLine): LinePieces {
  const phrases: string[] = []
  const counted: Counted[] = []
  const named: string[] = []
  if (by !== byRules)
    return { phrases: text.trim() === '' ? [] : [withoutSeparator(text)], counted, named }
  for (const piece of text.split(separator)) {
    const [, kind, count, names] = countedForm.exec(piece) ?? []
    const known = countedKinds.find((one) => one === kind)
    if (known !== undefined)
      counted.push({ kind: known, count: Number(count), names: names?.split(', ') ?? [] })
    else if (namedForm.test(piece))
      for (const name of piece.replace(namedForm, '$1').split(', ')) named.push(name)
    else if (piece.trim() !== '' && piece !== '…' && !turnsForm.test(piece)) phrases.push(piece)
  }
  return { phrases, counted, named }
}

/** Adds the counts. A repeated name keeps its last place. */
export function joinPieces(lines: readonly LinePieces[]): LinePieces {
  const counted = countedKinds.flatMap((kind) => {
    const same = lines.flatMap((line) => line.counted.filter((one) => one.kind === kind))
    const count = same.reduce((sum, one) => sum + one.count, 0)
    return count === 0 ? [] : [{ kind, count, names: lastOfEach(same.flatMap((one) => one.names)) }]
  })
  return {
    phrases: distinct(lines.flatMap(({ phrases }) => phrases)),
    counted,
    named: lastOfEach(lines.flatMap(({ named }) => named)),
  }
}

export function lastOfEach(names: readonly string[]): readonly string[] {
  return [...new Set(names.toReversed())].toReversed()
}

/** Keeps each phrase once, and drops a shortened copy of a longer one. */
function distinct(phrases: readonly string[]): readonly string[] {
  const known = new Map(phrases.map((text) => [text.toLowerCase(), text]))
  const shortened = [...known.keys()].filter((text) => text.endsWith('…'))
  for (const text of shortened) {
    const start = text.slice(0, -1)
    if ([...known.keys()].some((other) => other !== text && other.startsWith(start)))
      known.delete(text)
  }
  return [...known.values()]
}

export function turnByRules(record: TurnRecord): string {
  if (record.forgotten) return changedTurn(record.turn, record.messages)
  const asked = askedIn(record)
  const counts = [...changedIn(record), ...failedIn(record)]
  const otherCharacters = [asked, ...counts].reduce(
    (sum, part) => sum + characterCount(part) + separator.length,
    0,
  )
  const answer = answerIn(record, sentenceCharacters - otherCharacters)
  const texts = [asked, answer].filter((part) => part !== '').join('; ')
  return [texts, ...counts].filter((part) => part !== '').join(separator)
}

/** Prefers the user's own words: a router's goal may omit what the user forbids. */
function askedIn({ routing, user }: TurnRecord): string {
  const asked = safeLine(user.trim() === '' ? (routing?.goal ?? '') : user, limits.askedCharacters)
  return asked === '' ? '' : `User asked: ${withoutSeparator(withoutFullStop(asked))}`
}

function answerIn({ decision, assistant, digest }: TurnRecord, maxCharacters: number): string {
  const verb = historyVerbs[decision ?? 'plan_direct']
  // The digest of a proposal says only that there was one.
  const isOpen = decision === 'propose' || decision === 'clarify'
  const answer = isOpen ? assistant : (digest?.text ?? assistant)
  const answered = safeLine(answer, maxCharacters - characterCount(verb))
  return answered === '' ? '' : `${verb}${withoutSeparator(withoutFullStop(answered))}`
}

function withoutFullStop(text: string): string {
  return text.replace(/[.;。；]{1,9}$/, '')
}

function changedIn({ audit, knows }: TurnRecord): readonly string[] {
  const labels = new Map(knows.entities.map(({ id, label }) => [id, label]))
  let freeCharacters = limits.changedCharacters
  return (['created', 'updated', 'deleted'] as const).flatMap((kind) => {
    const count = audit[kind].length
    if (count === 0) return []
    const names: string[] = []
    const changed = audit[kind].flatMap((id) => labels.get(id) ?? [])
    for (const label of changed.slice(0, limits.maxLabels)) {
      const name = withoutSeparator(
        safeLine(label, Math.max(limits.minLabelCharacters, freeCharacters)),
      )
      freeCharacters -= characterCount(name)
      if (names.length === 0 || freeCharacters >= 0) names.push(name)
    }
    return [countedPiece({ kind, count, names })]
  })
}

function failedIn({ steps }: TurnRecord): readonly string[] {
  const count = steps.filter(({ status }) => status === 'failed').length
  return count === 0 ? [] : [countedPiece({ kind: 'failed steps', count, names: [] })]
}
