/**
 * Repairs invented values in a draft. A value that is nearly equal to exactly one source value is
 * replaced by it; otherwise its sentence is removed. The gate refuses drafts that lose too much.
 */
import type { Draft, DraftRepair, Facets } from '../../domain/summary.ts'
import {
  type ExactValue,
  type ExactValueKind,
  exactValuesIn,
} from '../../extract/literals/exact-values.ts'
import { draftText, piecesOf } from './draft-text.ts'
import { type SourceIndex, unsupportedValues } from './source-index.ts'

export interface RepairedDraft {
  readonly draft: Draft
  readonly repairs: readonly DraftRepair[]
  readonly invented: readonly string[]
  /** How many exact values the draft has, including the invented ones. */
  readonly values: number
  /** The removed share of the draft's characters. */
  readonly lostShare: number
  /** How many pieces with words remain. */
  readonly leftPieces: number
}

// A model that makes more mistakes has not used its sources.
export const maxRepairs = 8

export function repairDraft(draft: Draft, index: SourceIndex): RepairedDraft {
  const repairer = new Repairer(index)
  const text = repairer.text(draft.text)
  const keyPoints = repairer.items(draft.keyPoints)
  const facets = draft.facets === null ? null : repairFacets(draft.facets, repairer)
  const { repairs, invented, lost, seen } = repairer
  const values = invented.length === 0 ? 0 : exactValuesIn(draftText(draft)).length
  const leftPieces = piecesOf(text).filter((piece) => /\p{L}/u.test(piece)).length
  return {
    draft: repairs.length === 0 ? draft : { text, keyPoints, facets },
    repairs,
    invented,
    values,
    lostShare: seen === 0 ? 0 : lost / seen,
    leftPieces,
  }
}

function repairFacets(facets: Facets, repairer: Repairer): Facets {
  const itemOrNull = (item: string | null) => (item === null ? null : repairer.item(item))
  return {
    participants: repairer.items(facets.participants),
    decisions: repairer.items(facets.decisions),
    actionItems: facets.actionItems.flatMap((item) => {
      const task = repairer.item(item.task)
      const due = itemOrNull(item.due)
      const owner = itemOrNull(item.owner)
      return task === null ? [] : [{ owner, task, due }]
    }),
    unresolved: repairer.items(facets.unresolved),
    domainEntities: repairer.items(facets.domainEntities),
    tone: itemOrNull(facets.tone),
    userFacts: repairer.items(facets.userFacts),
    references: repairer.items(facets.references),
  }
}

/** A removed sentence leaves its line break; a removed list item leaves nothing. */
function lineBreakOf(piece: string): string {
  return piece.endsWith('\n') && !/^\s{0,20}(?:[-*+•]|\d{1,3}[.)]) /.test(piece) ? '\n' : ''
}

class Repairer {
  readonly repairs: DraftRepair[] = []
  readonly invented: string[] = []
  lost = 0
  seen = 0
  readonly #index: SourceIndex
  readonly #near = new Map<string, string | null>()

  constructor(index: SourceIndex) {
    this.#index = index
  }

  items(items: readonly string[]): readonly string[] {
    return items.flatMap((item) => this.item(item) ?? [])
  }

  item(text: string): string | null {
    this.seen += text.length
    const invented = unsupportedValues(text, this.#index)
    return invented.length === 0 ? text : this.#repaired(text, invented)
  }

  text(text: string): string {
    // Most drafts need no repair, so check the whole text first.
    if (unsupportedValues(text, this.#index).length === 0) {
      this.seen += text.length
      return text
    }
    return piecesOf(text)
      .map((piece) => this.item(piece) ?? lineBreakOf(piece))
      .join('')
      .replace(/[ \t]{1,40}\n/g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  }

  #repaired(text: string, invented: readonly ExactValue[]): string | null {
    const values = invented.map((value) => value.text)
    this.invented.push(...values)
    const replacements = invented.flatMap((value) => {
      const to = this.#nearOf(value)
      return to !== null && text.startsWith(value.text, value.at) ? [{ value, to }] : []
    })
    if (replacements.length < invented.length) {
      this.lost += text.length
      this.repairs.push({ kind: 'passage-removed', values })
      return null
    }
    let fixed = text
    for (const { value, to } of replacements.toReversed()) {
      this.repairs.push({ kind: 'value-replaced', from: value.text, to })
      fixed = fixed.slice(0, value.at) + to + fixed.slice(value.at + value.text.length)
    }
    return fixed
  }

  #nearOf(value: ExactValue): string | null {
    const known = this.#near.get(value.text)
    if (known !== undefined) return known
    // Each search takes time, and a draft with this many repairs is refused anyway.
    const near = this.#near.size >= maxRepairs ? null : nearValue(value, this.#index.values)
    this.#near.set(value.text, near)
    return near
  }
}

// Short values are similar by chance.
const minCharacters = 7
const minForTwoEdits = 12

/** The source value that is meant; null if several are near, or the similarity may be chance. */
function nearValue(
  value: ExactValue,
  sources: ReadonlyMap<ExactValueKind, ReadonlySet<string>>,
): string | null {
  const most = value.text.length < minCharacters ? 0 : value.text.length < minForTwoEdits ? 1 : 2
  if (most === 0) return null
  let near: string | null = null
  for (const kind of interchangeableKinds.includes(value.kind)
    ? interchangeableKinds
    : [value.kind])
    for (const candidate of sources.get(kind) ?? []) {
      if (
        candidate === value.text ||
        candidate === near ||
        !isWithinEdits(value.text, candidate, 2)
      )
        continue
      if (near !== null) return null
      near = candidate
    }
  if (near === null || !isWithinEdits(value.text, near, most)) return null
  const isSlashed = value.kind === 'path' || value.kind === 'url'
  return isSlashed && digitsOf(near) !== digitsOf(value.text) ? null : near
}

const interchangeableKinds: readonly ExactValueKind[] = ['hash', 'id', 'number']

/** `step-1.ts` and `step-2.ts` are similar, but two different files. */
function digitsOf(text: string): string {
  return text.replace(/\D+/g, '')
}

export function isWithinEdits(one: string, other: string, most: number): boolean {
  if (Math.abs(one.length - other.length) > most) return false
  let same = 0
  while (same < one.length && same < other.length && one[same] === other[same]) same += 1
  const [left, right] = [one.slice(same), other.slice(same)]
  if (left === '' || right === '') return Math.max(left.length, right.length) <= most
  return (
    most > 0 &&
    (isWithinEdits(left.slice(1), right.slice(1), most - 1) ||
      isWithinEdits(left.slice(1), right, most - 1) ||
      isWithinEdits(left, right.slice(1), most - 1))
  )
}
