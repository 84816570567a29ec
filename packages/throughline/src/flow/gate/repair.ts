/**
 * Repairs invented values in a draft. A value that is nearly equal to exactly one source value is
 * replaced by it; otherwise its sentence is removed. The gate refuses drafts that lose too much.
 */
import type { Draft, DraftRepair, Facets } from '../../domain/summary.ts'
import { type ExactValue, exactValuesIn } from '../../extract/literals/exact-values.ts'
import { getOrMake } from '../text/bounded-cache.ts'
import { draftText, piecesOf } from './draft-text.ts'
import { type SourceIndex, unsupportedValues } from './source-index.ts'

export interface RepairedDraft {
  readonly draft: Draft
  readonly repairs: readonly DraftRepair[]
  readonly invented: readonly string[]
  /** How many exact values the draft has, including the invented ones. */
  readonly valueCount: number
  /** The removed share of the draft's characters. */
  readonly lostShare: number
  /** How many pieces with words remain. */
  readonly remainingPieces: number
}

// A model that makes more mistakes has not used its sources.
export const maxRepairs = 8

export function repairDraft(draft: Draft, index: SourceIndex): RepairedDraft {
  const repairer = new Repairer(index)
  const text = repairer.text(draft.text)
  const keyPoints = repairer.items(draft.keyPoints)
  const facets = draft.facets === null ? null : repairFacets(draft.facets, repairer)
  const { repairs, invented, lostCharacters, seenCharacters } = repairer
  return {
    draft: repairs.length === 0 ? draft : { text, keyPoints, facets },
    repairs,
    invented,
    valueCount: invented.length === 0 ? 0 : exactValuesIn(draftText(draft)).length,
    lostShare: seenCharacters === 0 ? 0 : lostCharacters / seenCharacters,
    remainingPieces: piecesOf(text).filter((piece) => /\p{L}/u.test(piece)).length,
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
  lostCharacters = 0
  seenCharacters = 0
  readonly #index: SourceIndex
  readonly #nearValues = new Map<string, string | null>()

  constructor(index: SourceIndex) {
    this.#index = index
  }

  items(items: readonly string[]): readonly string[] {
    return items.flatMap((item) => this.item(item) ?? [])
  }

  item(text: string): string | null {
    this.seenCharacters += text.length
    const invented = unsupportedValues(text, this.#index)
    return invented.length === 0 ? text : this.#replaceOrRemove(text, invented)
  }

  text(text: string): string {
    // Most drafts need no repair, so check the whole text first.
    if (unsupportedValues(text, this.#index).length === 0) {
      this.seenCharacters += text.length
      return text
    }
    return piecesOf(text)
      .map((piece) => this.item(piece) ?? lineBreakOf(piece))
      .join('')
      .replace(/[ \t]{1,40}\n/g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  }

  #replaceOrRemove(text: string, invented: readonly ExactValue[]): string | null {
    const values = invented.map((value) => value.text)
    this.invented.push(...values)
    const replacements = invented.flatMap((value) => {
      const to = this.#nearValueOf(value)
      return to !== null && text.startsWith(value.text, value.at) ? [{ value, to }] : []
    })
    if (replacements.length < invented.length) {
      this.lostCharacters += text.length
      this.repairs.push({ kind: 'passage-removed', values })
      return null
    }
    let repaired = text
    // Backwards, so that the offsets of the values before stay valid.
    for (const { value, to } of replacements.toReversed()) {
      this.repairs.push({ kind: 'value-replaced', from: value.text, to })
      repaired = repaired.slice(0, value.at) + to + repaired.slice(value.at + value.text.length)
    }
    return repaired
  }

  #nearValueOf(value: ExactValue): string | null {
    return getOrMake(this.#nearValues, value.text, () =>
      // Each search takes time, and a draft with this many repairs is refused anyway.
      this.#nearValues.size >= maxRepairs ? null : nearValue(value, this.#index),
    )
  }
}

// Short values are similar by chance.
const minCharacters = 7
const minCharactersForTwoEdits = 12

/** The source value that is meant; null if several are near, or the similarity may be chance. */
function nearValue({ kind, text }: ExactValue, index: SourceIndex): string | null {
  if (text.length < minCharacters) return null
  const kinds = interchangeableKinds.includes(kind) ? interchangeableKinds : [kind]
  let near: string | null = null
  for (const sourceKind of kinds)
    for (const candidate of index.values.get(sourceKind) ?? []) {
      if (!isWithinEdits(text, candidate, 2)) continue
      if (near !== null) return null
      near = candidate
    }
  if (near === null) return null
  if (text.length < minCharactersForTwoEdits && !isWithinEdits(text, near, 1)) return null
  const hasSegments = kind === 'path' || kind === 'url'
  return hasSegments && digitsOf(near) !== digitsOf(text) ? null : near
}

const interchangeableKinds: readonly ExactValue['kind'][] = ['hash', 'id', 'number']

/** `step-1.ts` and `step-2.ts` are similar, but two different files. */
function digitsOf(text: string): string {
  return text.replace(/\D+/g, '')
}

export function isWithinEdits(left: string, right: string, maxEdits: number): boolean {
  if (left === right) return true
  // Most candidates differ in length, which is quick to compare.
  if (maxEdits === 0 || Math.abs(left.length - right.length) > maxEdits) return false
  let at = 0
  while (left[at] === right[at]) at += 1
  const [leftRest, rightRest] = [left.slice(at), right.slice(at)]
  const [leftNext, rightNext] = [leftRest.slice(1), rightRest.slice(1)]
  return (
    isWithinEdits(leftNext, rightNext, maxEdits - 1) ||
    isWithinEdits(leftNext, rightRest, maxEdits - 1) ||
    isWithinEdits(leftRest, rightNext, maxEdits - 1)
  )
}
