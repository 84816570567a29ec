/** A pin retold without its "not", or with another number, would contradict the pin beside it. */
import { getOrMake } from '../text/bounded-cache.ts'
import { segmentsOfText, wordsOf } from './draft-text.ts'
import { boundWords, negationPattern, negations } from './draft-words-data.ts'

const alike = 0.75
const fewWords = 3

export function touchesPins(text: string, pins: readonly string[]): boolean {
  const rules = pins
    .flatMap(segmentsOfText)
    .map(ruleOf)
    .filter(({ words }) => words.size >= fewWords)
  if (rules.length === 0) return false
  const byWord = new Map<string, Rule[]>()
  for (const rule of rules)
    for (const word of rule.words) getOrMake(byWord, word, (): Rule[] => []).push(rule)
  return segmentsOfText(text).some((sentence) => contradicts(ruleOf(sentence), byWord))
}

interface Rule {
  readonly words: ReadonlySet<string>
  readonly numbers: ReadonlySet<string>
  readonly isNegated: boolean
}

function ruleOf(sentence: string): Rule {
  const plain = sentence.toLowerCase().replaceAll('’', "'").replace(boundWords, ' ')
  const all = wordsOf(plain)
  return {
    words: new Set(
      all.filter((word) => word.length > 2 && !/^\d+$/.test(word) && !negations.has(word)),
    ),
    numbers: new Set(plain.match(/\d+/g)),
    isNegated: negationPattern.test(plain),
  }
}

function contradicts(said: Rule, byWord: ReadonlyMap<string, readonly Rule[]>): boolean {
  const shared = new Map<Rule, number>()
  for (const word of said.words)
    for (const rule of byWord.get(word) ?? []) shared.set(rule, (shared.get(rule) ?? 0) + 1)
  for (const [rule, count] of shared) {
    if (count / rule.words.size < alike || said.words.size > rule.words.size * 2 + 2) continue
    if (rule.isNegated !== said.isNegated) return true
    if (said.numbers.size > 0 && !rule.numbers.isSubsetOf(said.numbers)) return true
  }
  return false
}
