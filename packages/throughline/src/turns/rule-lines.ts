/**
 * History lines by rules, written and parsed only here, so that a fold of a fold still knows its
 * counts.
 */
import { changedTurn } from '../domain/forget-turns.ts'
import { byRules, type HistoryLine, type TurnRecord } from '../domain/turn-memory.ts'
import { sentenceCharacters } from '../summarizers/turns/prompts.ts'
import { limits } from './limits-data.ts'
import { historyVerbs } from './sentences-data.ts'
import { characterCount, safeLine } from './turn-text.ts'

export const between = ' · '

const countedKinds = ['created', 'updated', 'deleted', 'failed steps'] as const
type CountedKind = (typeof countedKinds)[number]

export interface Counted {
  readonly kind: CountedKind
  readonly count: number
  /** The last ones; those without room are counted. */
  readonly names: readonly string[]
}

export interface LinePieces {
  readonly told: readonly string[]
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

/** Quoted so that no foreign words read as a piece of ours. */
function asTold(words: string): string {
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

/** Repeated words are kept once, also where they were cut before. */
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

export function turnByRules(record: TurnRecord): string {
  if (record.forgotten) return changedTurn(record.turn, record.messages)
  const asked = askedIn(record)
  const behind = [...changedIn(record), ...failedIn(record)]
  const others = [asked, ...behind].reduce(
    (sum, part) => sum + characterCount(part) + between.length,
    0,
  )
  const answer = answerIn(record, sentenceCharacters - others)
  const words = [asked, answer].filter((part) => part !== '').join('; ')
  return [words, ...behind].filter((part) => part !== '').join(between)
}

/** In their own words: a goal says what a router made of them, and not what they must not do. */
function askedIn({ routing, user }: TurnRecord): string {
  const asked = safeLine(user.trim() === '' ? (routing?.goal ?? '') : user, limits.askedCharacters)
  return asked === '' ? '' : `User asked: ${asTold(bare(asked))}`
}

function answerIn({ decision, assistant, digest }: TurnRecord, mostCharacters: number): string {
  const verb = historyVerbs[decision ?? 'plan_direct']
  // The digest of a proposal says only that there was one.
  const isOpen = decision === 'propose' || decision === 'clarify'
  const words = isOpen ? assistant : (digest?.text ?? assistant)
  const answered = safeLine(words, mostCharacters - characterCount(verb))
  return answered === '' ? '' : `${verb}${asTold(bare(answered))}`
}

function bare(text: string): string {
  return text.replace(/[.;。；]{1,9}$/, '')
}

function changedIn({ audit, knows }: TurnRecord): readonly string[] {
  const labels = new Map(knows.entities.map(({ id, label }) => [id, label]))
  let room = limits.changedCharacters
  return (['created', 'updated', 'deleted'] as const).flatMap((kind) => {
    const count = audit[kind].length
    if (count === 0) return []
    const names: string[] = []
    const changed = audit[kind].flatMap((id) => labels.get(id) ?? [])
    for (const label of changed.slice(0, limits.mostLabels)) {
      const name = asTold(safeLine(label, Math.max(limits.leastLabelCharacters, room)))
      room -= characterCount(name)
      if (names.length === 0 || room >= 0) names.push(name)
    }
    return [countedPiece({ kind, count, names })]
  })
}

function failedIn({ steps }: TurnRecord): readonly string[] {
  const count = steps.filter(({ status }) => status === 'failed').length
  return count === 0 ? [] : [countedPiece({ kind: 'failed steps', count, names: [] })]
}
