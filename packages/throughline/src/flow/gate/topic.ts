/**
 * Measures whether a draft is about its sources, as log odds. A rare word that the sources contain
 * is strong evidence, a common one hardly any. A missing word is weak evidence against it, because
 * a summary uses its own words too.
 */
import { type ExactValue, exactValuesIn } from '../../extract/literals/exact-values.ts'
import { literalsInProse } from '../../extract/literals/prose-literals.ts'
import { isEverydayTerm, isFunctionWord, termsOf } from '../../extract/terms.ts'
import { topicFigures } from './gate-data.ts'
import { isEnglishText, isOtherLanguage } from './language.ts'
import type { SourceIndex } from './source-index.ts'

export interface Topic {
  readonly evidence: number
  /** Only exact values count then, because they are the same in all languages. */
  readonly isOtherLanguage: boolean
  /** The evidence from files, ids and other exact values. */
  readonly exact: number
  /** How many terms the draft has, without everyday ones; `shared` are also in the sources. */
  readonly terms: number
  readonly shared: number
}

/** Below this a draft is refused; human answers about parts of meetings are above it. */
export const refusalThreshold = -1.5
/** Below this the result is uncertain, and a mark warns. */
export const doubtThreshold = 2

/** With few terms in draft or sources, only exact values may count against a draft. */
export function topicOf(text: string, index: SourceIndex): Topic {
  const samples = Math.max(0.2, index.termCount / topicFigures.sampleTerms)
  const chanceIn = (chance: number) => Math.min(0.98, 1 - (1 - chance) ** samples)
  const words = expectedShare(text, index)
  const common = weightsOf(chanceIn(topicFigures.chanceOfCommon), words)
  const other = weightsOf(chanceIn(topicFigures.chanceOfOther), words)
  const pairs = weightsOf(chanceIn(topicFigures.chanceOfOther), topicFigures.takenFromSources.pairs)
  let evidence = 0
  let others = 0
  let terms = 0
  let shared = 0
  for (const term of new Set(termsOf(text))) {
    if (isFunctionWord(term)) continue
    const isCommon = isEverydayTerm(term)
    const isFound = index.terms.has(term)
    if (!isCommon) terms += 1
    if (!isCommon && isFound) shared += 1
    if (!isDistinctive(term)) continue
    if (!isCommon) others += 1
    const { found, missing } = isCommon ? common : alphabetic.test(term) ? other : pairs
    evidence += isFound ? found : missing
  }
  const hasEnoughTerms =
    others >= topicFigures.fewTerms && index.termCount >= topicFigures.fewSourceTerms
  const termEvidence = hasEnoughTerms ? evidence : Math.max(0, evidence)
  const exact = exactEvidence(text, index)
  const isOther = isOtherLanguage(text, index)
  const all = isOther ? exact : termEvidence + exact
  return { evidence: all, isOtherLanguage: isOther, exact, terms, shared }
}

function expectedShare(text: string, { termCount }: SourceIndex): number {
  const { long, short, otherLanguage } = topicFigures.takenFromSources
  if (!isEnglishText(text)) return otherLanguage
  return termCount >= topicFigures.longTerms ? long : short
}

/** Short words and numbers occur everywhere; in scripts without spaces, two letters are a word. */
function isDistinctive(term: string): boolean {
  return !/^\d/.test(term) && (term.length >= 4 || !alphabetic.test(term))
}

const alphabetic = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+$/u

function weightsOf(chance: number, taken: number) {
  const share = taken + (1 - taken) * chance
  return { found: Math.log(share / chance), missing: Math.log((1 - share) / (1 - chance)) }
}

function exactEvidence(text: string, index: SourceIndex): number {
  const files = literalsInProse(text)
    .filter(({ kind }) => kind === 'file')
    .map(({ text: name, at }): ExactValue => ({ kind: 'path', text: name, at }))
  const values = new Map([...files, ...exactValuesIn(text)].map((value) => [value.text, value]))
  const found = [...values.values()].filter((value) => index.hasValue(value)).length
  return topicFigures.weightOfExact * (2 * found - values.size)
}
