/**
 * How much each known line of a file is worth for further edits. Edits go where the
 * task names something, where somebody points, where was looked or edited last, where the
 * same change is still to be made, and to the imports of a file whose turn is still to come.
 * Each reason multiplies: a line for two of them is worth more than two lines for one each.
 */
import type { Seq } from '../../domain/ids.ts'
import type { FileText, TextLine, TextPiece } from './file-text.ts'
import { type NamedPlace, type Names, nameIn, type WorkSignals } from './work-signals.ts'

/** How strong each reason is, as the logarithm of what it multiplies by. Few steps: nothing here is measured finely. */
const strength = {
  asked: 2,
  mentioned: 0.5,
  searched: 2,
  replaced: 1,
  placed: 1,
  placedAhead: 2,
  edited: 1.5,
  read: 1.5,
  imports: 1.5,
} as const
type Reason = keyof typeof strength

/** For each piece of each file, the worth of its lines, seen from the place that the next message will take. */
export function lineWorths(
  files: readonly FileText[],
  signals: WorkSignals,
  head: Seq,
): readonly (readonly Float64Array[])[] {
  const used = usedNames(files, signals)
  return files.map((file) =>
    file.pieces.map((piece) => worthsOf(piece, file, { signals, ...used, head })),
  )
}

interface Weighing {
  readonly signals: WorkSignals
  readonly namesOf: (line: TextLine) => readonly string[]
  readonly rarity: (name: string) => number
  readonly head: Seq
}

function worthsOf(piece: TextPiece, file: FileText, weighing: Weighing): Float64Array {
  const { lines } = piece
  const carried = carriedBetween(lines)
  const sum = new Float64Array(lines.length)
  const values = new Float64Array(lines.length)
  const add = (reason: Reason, of: (line: TextLine, at: number) => number) => {
    let isAny = false
    for (const [at, line] of lines.entries()) {
      const value = of(line, at)
      values[at] = value
      if (value !== 0) isAny = true
    }
    // Most reasons hold for no line of most pieces.
    if (!isAny) return
    spread(values, carried)
    for (let at = 0; at < sum.length; at += 1)
      sum[at] = (sum[at] ?? 0) + strength[reason] * (values[at] ?? 0)
  }
  const { signals, namesOf, rarity, head } = weighing
  const asked = signals.askedOf.get(file.path)
  const addNamed = (reason: Reason, names: Names | undefined) => {
    if (names === undefined || names.size === 0) return
    add(reason, (line) => {
      let sum = 0
      for (const name of namesOf(line)) sum += (names.get(name) ?? 0) * rarity(name)
      return Math.log1p(sum) / 3
    })
  }
  const late = lateness(head)
  const isAhead = file.changedSeq === null
  const placed = placedLines(piece, signals.placesOf.get(file.path) ?? [])
  addNamed('asked', asked)
  addNamed('mentioned', signals.mentioned)
  addNamed('searched', signals.searched)
  addNamed('replaced', signals.replaced)
  add('edited', ({ seq, isChange }) => (isChange ? late(seq) : 0))
  add('read', ({ seq, isChange }) => (isChange ? 0 : late(seq)))
  add('placed', (_, at) => placed[at] ?? 0)
  if (isAhead) add('placedAhead', (_, at) => placed[at] ?? 0)
  const turn = asked !== undefined && isAhead ? 1 : late(file.lastSeq)
  add('imports', ({ text }) => (importing.test(text) ? turn : 0))
  return sum.map((value, at) => (looksLikeOurs.test(lines[at]?.text ?? '') ? 0 : Math.exp(value)))
}

/** Lines of one message are neighbours. */
function lateness(head: Seq): (seq: Seq) => number {
  let [known, late] = [Number.NaN, 0]
  return (seq) => {
    if (seq === known) return late
    known = seq
    late = 2 ** (-(head - seq) / halvingMessages)
    return late
  }
}

const halvingMessages = 20
/** A line of a file that could pass for one of our own is never shown. */
const looksLikeOurs =
  /^\S.{0,300} #\d{1,15}$|^#\d{1,15} (?:user|assistant):|^\[(?:end|what|earlier|lines) |^(?:Said by the user|Decided|Failures not settled):/
/** In many languages; or a line of a list of modules. */
const importing =
  /^\s{0,8}(?:import|from|use|using|#include|require|export \S.{0,200} from)\b|^\s{0,8}(?:[\w.]{1,40} )?["'][\w@./-]{1,200}["'],?$/

/** Of the names in each line, those that somebody uses; and how rare each is: names in few lines count more, plain words less. */
function usedNames(
  files: readonly FileText[],
  { askedOf, mentioned, searched, replaced }: WorkSignals,
): Pick<Weighing, 'namesOf' | 'rarity'> {
  const sources = [...askedOf.values(), mentioned, searched, replaced]
  const used = new Set(sources.flatMap((names) => [...names.keys()]))
  const inLine = new Map<TextLine, readonly string[]>()
  const counts = new Map<string, number>()
  for (const { pieces } of files)
    for (const { lines } of pieces)
      for (const line of lines) {
        const names = new Set(line.text.match(nameIn)?.filter((name) => used.has(name)))
        inLine.set(line, [...names])
        for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
      }
  const rarities = new Map(
    [...counts].map(([name, count]) => [
      name,
      Math.log(inLine.size / count) * (madeUp.test(name) ? 1 : plainShare),
    ]),
  )
  return {
    namesOf: (line) => inLine.get(line) ?? [],
    rarity: (name) => rarities.get(name) ?? 0,
  }
}

const madeUp = /\p{Ll}\p{Lu}|[_$\p{N}]|\p{Lu}{2}\p{Ll}/u
const plainShare = 0.35

function placedLines({ firstLine, lines }: TextPiece, places: readonly NamedPlace[]): Float64Array {
  const placed = new Float64Array(lines.length)
  if (firstLine === null) return placed
  for (const place of places) {
    const to = Math.min(lines.length - 1, place.lastLine - firstLine)
    for (let at = Math.max(0, place.firstLine - firstLine); at <= to; at += 1)
      placed[at] = Math.max(placed[at] ?? 0, place.weight)
  }
  return placed
}

/** How much of a reason holds for the next line too: less after an empty line, and little in the next declaration. */
function carriedBetween(lines: readonly TextLine[]): Float64Array {
  return Float64Array.from(lines, ({ text }, at) => {
    const isAfterEmpty = at > 0 && lines[at - 1]?.text.trim() === ''
    if (text.trim() === '') return carries.line * carries.empty
    return isAfterEmpty && /^\S/.test(text) ? carries.line * carries.declaration : carries.line
  })
}

const carries = { line: 0.9, empty: 0.7, declaration: 0.4 } as const

/** Each line has the most that comes to it from above or below. */
function spread(values: Float64Array, carried: Float64Array): void {
  for (let at = 1; at < values.length; at += 1)
    values[at] = Math.max(values[at] ?? 0, (values[at - 1] ?? 0) * (carried[at] ?? 0))
  for (let at = values.length - 2; at >= 0; at -= 1)
    values[at] = Math.max(values[at] ?? 0, (values[at + 1] ?? 0) * (carried[at + 1] ?? 0))
}
