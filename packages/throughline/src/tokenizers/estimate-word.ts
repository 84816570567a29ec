/**
 * What a word costs: the expected number of tokens, and how unsure that is.
 *
 * Frequent words are one token in every large vocabulary. Other Latin words are
 * split where neighbours seldom meet, so they cost a sum over pairs of letters,
 * fitted to distinct words, real and random. But in running text most words are
 * frequent ones, also among those that our short list does not hold: the more
 * of the latest words were listed, the less an unlisted word is taken to cost.
 * Words of other scripts cost a sum over their letters.
 */
import {
  hashSeed,
  hashStep,
  isCommonWord,
  letterPair,
  scriptOf,
  wordEnd,
  wordStart,
} from './estimate-letters.ts'
import { beforeCapital, type Prefix, prefixOf } from './estimate-prefix.ts'
import { addDoubt, addPiece, noteFamiliarity, type Totals } from './estimate-totals.ts'

/** Books the word `text[start, end)` whose letters begin at `body`. */
export function addWord(totals: Totals, start: number, body: number, end: number): void {
  const { text } = totals
  let hash = hashSeed
  let before = wordStart
  let latin = 0
  let capitals = 0
  let others = 0
  let cost = 0
  let variance = 0
  for (let index = body; index < end; index += 1) {
    const code = text.charCodeAt(index)
    const small = code | 0x20
    if (small >= smallA && small <= smallZ) {
      const letter = small - smallA + 1
      if (before >= wordStart) cost += letterPair(before, letter)
      if (code < smallA) capitals += 1
      latin += 1
      before = letter
      hash = hashStep(hash, small)
    } else if (code === apostrophe) {
      // An ending ('s, 'll …) is part of the word's token, or one of its own.
      addDoubt(totals, 0.2, 0.15)
      break
    } else {
      const script = scriptOf(code)
      cost += script.perLetter + (others === 0 ? script.perWord : 0)
      variance += script.variancePerLetter
      others += 1
      before = otherScript
      hash = hashStep(hash, code)
    }
  }
  if (before > wordStart) cost += letterPair(before, wordEnd)
  const prefix = prefixOf(text, start, body)
  if (others === 0) {
    const lead = capitals === 0 ? prefix : beforeCapital(prefix)
    addLatinWord(totals, lead, latin, capitals, cost, hash)
  } else {
    const extra = Math.max(0, cost + (latin > 0 ? 0.5 : 0) - 0.9) + prefix.extraIfOtherScript
    addPiece(totals, extra, variance + 0.1 + 0.12 * latin + prefix.variance, hash)
    // Languages that share an alphabet differ more than texts of one language do;
    // the characters of East Asia are known one by one, so they differ less.
    totals.judged += (text.charCodeAt(body) < eastAsia ? 0.4 : -0.5) * extra
  }
}

/**
 * Books a word in Latin letters; `cost` is the sum over its pairs. Parameters and
 * not an object: made for each word, it kept the engine from optimizing (15 x).
 */
function addLatinWord(
  totals: Totals,
  prefix: Prefix,
  letters: number,
  capitals: number,
  cost: number,
  hash: number,
): void {
  if (letters === 1) {
    addPiece(totals, prefix.extraIfLetter, 0.5 * prefix.extraIfLetter, hash)
    return
  }
  const form = capitals === 0 ? 0.43 : capitals === 1 ? 0.63 : 0.4 + 0.09 * capitals
  const judged = Math.min(Math.max(0, cost + form + prefix.form - 1), letters - 1)
  if (letters > 2) {
    // Nonsense whose hash is listed by chance is found out by its letters.
    const common = capitals <= 1 && judged < 2 && isCommonWord(hash)
    noteFamiliarity(totals, common ? 1 : 0)
    if (common) {
      // The rarer its letters, the less sure that it is whole without its blank.
      addPiece(totals, prefix.extraIfCommon, prefix.varianceIfCommon * (0.2 + judged), hash)
      return
    }
  }
  // The list is of small letters: it says less of words in capitals.
  const trust = (capitals <= 1 ? prefix.trust : 0.3) * totals.familiarity
  // Long words with rare pairs are rare words also where all others are frequent.
  const doubt = Math.min(1.1 - trust + 0.4 * Math.max(0, judged - 1.2), 1.1)
  const extra = doubt * Math.min(judged, 1.2) + 0.95 * Math.max(0, judged - 1.2)
  const variance = Math.min(0.85 * extra, 0.25 + 0.3 * extra)
  // Rare words come together: names, chemistry, another language.
  totals.judged += 0.7 * Math.max(0, judged - 1.2)
  const leastVariance = letters > 2 ? 0.06 : 0.01
  addPiece(totals, extra + prefix.extra, Math.max(variance, leastVariance) + prefix.variance, hash)
}

const smallA = 0x61
const smallZ = 0x7a
const apostrophe = 0x27
const otherScript = -1
const eastAsia = 0x2e80
