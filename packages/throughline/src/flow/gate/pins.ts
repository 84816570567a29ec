/** Finds sentences that repeat a pin without its "not" or with another number. */
import { getOrMake } from '../text/bounded-cache.ts'
import { segmentsOfText, wordsOf } from './draft-text.ts'
import { limitPhrases, negationPattern, negations } from './draft-words-data.ts'

const minSharedFraction = 0.75
const minRuleWords = 3

export function contradictsPins(text: string, pins: readonly string[]): boolean {
  const all = pins.flatMap(segmentsOfText).map(ruleOf)
  const rules = all.filter(({ words }) => words.size >= minRuleWords)
  if (rules.length === 0) return false
  const rulesByWord = new Map<string, Rule[]>()
  for (const rule of rules)
    for (const word of rule.words) getOrMake(rulesByWord, word, (): Rule[] => []).push(rule)
  return segmentsOfText(text).some((sentence) => contradicts(ruleOf(sentence), rulesByWord))
}

interface Rule {
  readonly words: ReadonlySet<string>
  readonly numbers: ReadonlySet<string>
  readonly isNegated: boolean
}

function ruleOf(sentence: string): Rule {
  const plain = sentence.toLowerCase().replaceAll('’', "'").replace(limitPhrases, ' ')
  const isContent = (word: string) => word.length > 2 && !/^\d+$/.test(word) && !negations.has(word)
  return {
    words: new Set(wordsOf(plain).filter(isContent)),
    numbers: new Set(plain.match(/\d+/g)),
    isNegated: negationPattern.test(plain),
  }
}

function contradicts(statement: Rule, rulesByWord: ReadonlyMap<string, readonly Rule[]>): boolean {
  const shared = new Map<Rule, number>()
  for (const word of statement.words)
    for (const rule of rulesByWord.get(word) ?? []) shared.set(rule, (shared.get(rule) ?? 0) + 1)
  for (const [rule, count] of shared) {
    if (count / rule.words.size < minSharedFraction) continue
    // A much longer sentence is about something else too.
    if (statement.words.size > rule.words.size * 2 + 2) continue
    if (rule.isNegated !== statement.isNegated) return true
    if (statement.numbers.size > 0 && !rule.numbers.isSubsetOf(statement.numbers)) return true
  }
  return false
}
