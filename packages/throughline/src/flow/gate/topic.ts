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
  readonly exactEvidence: number
  /** How many terms the draft has, without everyday ones. */
  readonly termCount: number
  /** How many of them the sources have too. */
  readonly sharedTermCount: number
}

/** Below this a draft is refused; human answers about parts of meetings are above it. */
export const refusalThreshold = -1.5
/** Below this the result is uncertain, and a mark warns. */
export const doubtThreshold = 2

/** With few terms in draft or sources, only exact values may count against a draft. */
export function topicOf(text: string, index: SourceIndex): Topic {
  const samples = Math.max(0.2, index.termCount / topicFigures.sampleTerms)
  const chanceIn = (chance: number) => Math.min(0.98, 1 - (1 - chance) ** samples)
  const share = expectedShare(text, index)
  const commonWeights = weightsOf(chanceIn(topicFigures.chanceOfCommon), share)
  const otherChance = chanceIn(topicFigures.chanceOfOther)
  const otherWeights = weightsOf(otherChance, share)
  const pairWeights = weightsOf(otherChance, topicFigures.takenFromSources.pairs)
  let termEvidence = 0
  let distinctiveCount = 0
  let termCount = 0
  let sharedTermCount = 0
  for (const term of new Set(termsOf(text))) {
    if (isFunctionWord(term)) continue
    const isCommon = isEverydayTerm(term)
    const isFound = index.terms.has(term)
    if (!isCommon) termCount += 1
    if (!isCommon && isFound) sharedTermCount += 1
    if (!isDistinctive(term)) continue
    if (!isCommon) distinctiveCount += 1
    const rareWeights = alphabetic.test(term) ? otherWeights : pairWeights
    const { found, missing } = isCommon ? commonWeights : rareWeights
    termEvidence += isFound ? found : missing
  }
  const hasEnoughTerms =
    distinctiveCount >= topicFigures.minTerms && index.termCount >= topicFigures.minSourceTerms
  if (!hasEnoughTerms) termEvidence = Math.max(0, termEvidence)
  const exactEvidence = exactEvidenceOf(text, index)
  const isOther = isOtherLanguage(text, index)
  const evidence = isOther ? exactEvidence : termEvidence + exactEvidence
  return { evidence, isOtherLanguage: isOther, exactEvidence, termCount, sharedTermCount }
}

function expectedShare(text: string, { termCount }: SourceIndex): number {
  const { long, short, otherLanguage } = topicFigures.takenFromSources
  if (!isEnglishText(text)) return otherLanguage
  return termCount >= topicFigures.minLongSourceTerms ? long : short
}

/** Short words and numbers occur everywhere; in scripts without spaces, two letters are a word. */
function isDistinctive(term: string): boolean {
  return !/^\d/.test(term) && (term.length >= 4 || !alphabetic.test(term))
}

const alphabetic = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+$/u

/** `taken`: the share of a summary's terms that come from its sources; the rest occurs by chance. */
function weightsOf(chance: number, taken: number) {
  const share = taken + (1 - taken) * chance
  return { found: Math.log(share / chance), missing: Math.log((1 - share) / (1 - chance)) }
}

function exactEvidenceOf(text: string, index: SourceIndex): number {
  const files = literalsInProse(text)
    .filter(({ kind }) => kind === 'file')
    .map(({ text: name, at }): ExactValue => ({ kind: 'path', text: name, at }))
  const values = new Map([...files, ...exactValuesIn(text)].map((value) => [value.text, value]))
  const found = [...values.values()].filter((value) => index.hasValue(value)).length
  return topicFigures.weightOfExact * (2 * found - values.size)
}
