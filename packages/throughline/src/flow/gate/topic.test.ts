import { describe, expect, it } from 'vitest'
import { user, whyNot } from './gate.test-support.ts'
import { indexSources } from './source-index.ts'
import { topicOf } from './topic.ts'

/** Words that are terms, and in no other text. */
const coined = (count: number, start: string) =>
  Array.from({ length: count }, (_, at) => {
    const [high, low] = [Math.floor(at / 20), at % 20].map((digit) =>
      String.fromCharCode(97 + digit),
    )
    return `${start}${high}o${low}u`
  })

const sources = (count: number) => indexSources([user(coined(count, 'bar').join(' '))])
const known = coined(80, 'bar')
const other = coined(80, 'gul')
const of = (words: readonly string[], index = sources(80)) => topicOf(words.join(' '), index)

describe('the topic of a draft', () => {
  it('counts different terms, and those that the sources have', () => {
    const words = [...known.slice(0, 3), ...other.slice(0, 2), known[0] ?? '', 'the']
    expect(of(words)).toMatchObject({
      termCount: 5,
      sharedTermCount: 3,
      exactEvidence: 0,
      isOtherLanguage: false,
    })
  })

  it('has evidence for each known term, and less against each unknown one', () => {
    const evidence = (ours: number, theirs: number) =>
      of([...known.slice(0, ours), ...other.slice(0, theirs)]).evidence
    expect(evidence(6, 0)).toBeGreaterThan(evidence(5, 0))
    expect(evidence(5, 1)).toBeLessThan(evidence(5, 0))
    expect(evidence(5, 5)).toBeGreaterThan(0)
    expect(evidence(0, 6)).toBeLessThan(evidence(0, 5))
    expect(evidence(0, 5)).toBeLessThan(0)
  })

  it('is the log of how much more likely a term is if the draft is about the sources', () => {
    // 80 terms are 0.4 samples, and a tenth of a draft in another language is from its sources.
    const chance = 1 - 0.95 ** 0.4
    const share = 0.1 + 0.9 * chance
    expect(of(known.slice(0, 1)).evidence).toBeCloseTo(Math.log(share / chance), 10)
    expect(of(other.slice(0, 5)).evidence).toBeCloseTo(5 * Math.log((1 - share) / (1 - chance)), 10)
  })

  it('has nothing against a draft with few terms, nor with few terms in the sources', () => {
    expect(of(other.slice(0, 4)).evidence).toBe(0)
    expect(of(other.slice(0, 5)).evidence).toBeLessThan(0)
    expect(of(other.slice(0, 9), sources(79)).evidence).toBe(0)
    expect(of(other.slice(0, 9), sources(80)).evidence).toBeLessThan(0)
    expect(of(known.slice(0, 1)).evidence).toBeGreaterThan(0)
  })

  it('weighs a term more if fewer sources would have it by chance', () => {
    const few = of(known.slice(0, 6), sources(100)).evidence
    const many = of(known.slice(0, 6), sources(400)).evidence
    expect(few).toBeGreaterThan(many)
    // Below a fifth of a sample, fewer terms make no difference.
    expect(of(known.slice(0, 6), sources(20)).evidence).toBe(
      of(known.slice(0, 6), sources(40)).evidence,
    )
  })

  it('expects more terms of the sources in an English draft, and of long sources', () => {
    const small = 'the and'
    const ownTerms = indexSources([user(small)]).termCount
    const evidence = (count: number, words: readonly string[], start = small) => {
      const index = indexSources([user(`${small} ${coined(count - ownTerms, 'bar').join(' ')}`)])
      expect(index.termCount).toBe(count)
      return of([start, ...words], index).evidence
    }
    const [ours, theirs] = [known.slice(0, 6), other.slice(0, 6)]
    expect(evidence(90, ours)).toBeGreaterThan(evidence(90, ours, ''))
    expect(evidence(90, theirs)).toBeLessThan(evidence(90, theirs, ''))
    expect(evidence(200, ours) - evidence(199, ours)).toBeGreaterThan(1)
  })

  it('is never certain that a term occurs by chance, however long the sources', () => {
    const letters = [...'bcdfghklmnprst']
    const words = letters.flatMap((a) =>
      letters.flatMap((b) => letters.flatMap((c) => letters.map((d) => `${a}a${b}o${c}u${d}`))),
    )
    const index = indexSources([user(words.slice(0, 30_000).join(' '))])
    expect(topicOf('people music', index).evidence).not.toBeNaN()
  })

  it('is refused below -1.5', () => {
    const index = sources(80)
    const missing = Array.from({ length: 60 }, (_, count) => other.slice(0, count))
    const evidences = missing.map((words) => of(words, index).evidence)
    const [doubted, refused] = [evidences.findLastIndex((each) => each >= -1.5), 59]
    expect(evidences[doubted + 1]).toBeGreaterThan(-2.5)
    const reasons = (count: number) => whyNot(`${missing[count]?.join(' ')}.`, { sources: index })
    expect(reasons(doubted)).not.toContain('other-conversation')
    expect(reasons(doubted + 1)).toContain('other-conversation')
    expect(reasons(refused)).toContain('other-conversation')
  })

  it('ignores short words and numbers', () => {
    expect(of(['zax', 'qix', '2031', '77']).evidence).toBe(0)
    const index = indexSources([user('zax qix 2031')])
    expect(of(['zax', 'qix', '2031'], index).evidence).toBe(0)
    expect(of(['zaxo'], indexSources([user('zaxo')])).evidence).toBeGreaterThan(0)
  })

  it('has two for each exact value of the sources, and two against each other one', () => {
    const index = indexSources([user('Kept in src/quiet/hours.ts as 8c41f7e09b2d, see zones.ts')])
    const exact = (text: string) => topicOf(text, index).exactEvidence
    expect(exact('In src/quiet/hours.ts, as 8c41f7e09b2d.')).toBe(4)
    expect(exact('In src/quiet/hours.ts, as 9c41f7e09b2d.')).toBe(0)
    expect(exact('In `other.ts` and in src/quiet/late.ts.')).toBe(-4)
    expect(exact('In `zones.ts`, `zones.ts` and nothing else.')).toBe(2)
  })

  it('has only exact values as evidence in another language', () => {
    const index = indexSources([user('The worker was not in zones.ts, and they have seen that.')])
    const german = 'Der Dienst wurde nicht mit dem Server geprüft, und das ist in zones.ts.'
    expect(topicOf(german, index)).toMatchObject({
      evidence: 2,
      exactEvidence: 2,
      isOtherLanguage: true,
    })
  })
})
