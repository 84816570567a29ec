import { describe, expect, it } from 'vitest'
import { languages } from './draft-words-data.ts'
import { tool, user } from './gate.test-support.ts'
import { isEnglish, isEnglishText, isOtherLanguage, isWrongLanguage } from './language.ts'
import { indexSources } from './source-index.ts'

const of = (...texts: readonly string[]) => indexSources(texts.map(user))
const english = of(
  'The worker was wrong, and they have not seen that this is from the server.',
  'These are for you, but it has errors; they were fixed with care and will stay.',
)
const german = of('Das ist nicht die Uhr von dem Server, und der Dienst wurde mit ihr geprüft.')
const code = of('zone cron log api 4821')

describe('an English text', () => {
  it('has two small words of English, and no more of another language', () => {
    expect(isEnglishText('the worker and the server')).toBe(true)
    expect(isEnglishText('the worker')).toBe(false)
    expect(isEnglishText('the und und der')).toBe(false)
    expect(isEnglishText('the and und der')).toBe(true)
  })
})

describe('a draft in another language', () => {
  it('is known by small words that its sources do not use', () => {
    expect(isOtherLanguage('Der Dienst wurde geprüft.', english)).toBe(true)
    expect(isOtherLanguage('Der Dienst wurde geprüft.', german)).toBe(false)
    expect(isOtherLanguage('The worker was checked.', german)).toBe(true)
    expect(isOtherLanguage('Dienst wurde geprüft.', english)).toBe(false)
  })

  it('may also be the less used of two languages of its sources', () => {
    const [own = [], other = []] = languages
    const beside = (count: number) => of([...own, ...other.slice(0, count)].join(' '))
    // The list has 16 words, and 10 of them are more than 60 %.
    expect(isOtherLanguage('The worker was checked.', beside(10))).toBe(true)
    expect(isOtherLanguage('The worker was checked.', beside(9))).toBe(false)
    const spanish = languages[3] ?? []
    const besideSpanish = (count: number) => of([...own, ...spanish.slice(0, count)].join(' '))
    // The list has 15 words, and 9 of them are 60 %.
    expect(spanish).toHaveLength(15)
    expect(isOtherLanguage('The worker was checked.', besideSpanish(9))).toBe(true)
    expect(isOtherLanguage('The worker was checked.', besideSpanish(8))).toBe(false)
    const equal = of([...own.slice(0, 5), ...other.slice(0, 5)].join(' '))
    expect(isOtherLanguage('The worker was checked.', equal)).toBe(false)
  })

  it('is compared by its short words if the sources have no small words at all', () => {
    expect(isOtherLanguage('the zone and cron', code)).toBe(false)
    expect(isOtherLanguage('the zone and main', code)).toBe(true)
    expect(isOtherLanguage('nicht wurde Verbindung', code)).toBe(false)
    // These sources have small words, but of one other language only.
    expect(isOtherLanguage('the zone and cron', of('zone cron nicht'))).toBe(true)
  })
})

describe('a draft in a wrong language', () => {
  const prompt = 'Summarize what they have said, and what the worker was for.'

  it('has three small words of a language that neither sources nor prompt use', () => {
    expect(isWrongLanguage('Der Dienst wurde nicht geprüft.', prompt, english)).toBe(true)
    expect(isWrongLanguage('Dienst wurde nicht geprüft.', prompt, english)).toBe(false)
    expect(isWrongLanguage('Der Dienst wurde nicht geprüft.', prompt, german)).toBe(false)
    expect(isWrongLanguage('They have the worker.', prompt, german)).toBe(false)
    // A fifth of its 15 words makes a language one of the sources'.
    expect(isWrongLanguage('Der Dienst wurde nicht geprüft.', prompt, of('los las más'))).toBe(true)
    expect(isWrongLanguage('Der Dienst wurde nicht geprüft.', prompt, of('los las'))).toBe(false)
    // One small word shows the language of a short prompt.
    expect(isWrongLanguage('Der Dienst wurde nicht geprüft.', 'Bitte das Wichtige', english)).toBe(
      false,
    )
    // The sources have no language that the draft could miss.
    expect(isWrongLanguage('Der Dienst wurde nicht geprüft.', prompt, code)).toBe(false)
  })

  it('has a script of which the sources have fewer than 20 letters', () => {
    const russian = 'Напоминания приходят вовремя.'
    expect(isWrongLanguage(russian, prompt, english)).toBe(true)
    expect(isWrongLanguage(russian, prompt, of('приходят 1', 'вовремя всем'))).toBe(true)
    expect(isWrongLanguage(russian, prompt, of('приходят 1', 'вовремя всеми'))).toBe(false)
    expect(isWrongLanguage(russian, `${prompt} Пишите, пожалуйста, по-русски.`, english)).toBe(
      false,
    )
    // A script is that of a text if it has more than half of its letters.
    const greek = of('αβγδεζηθικλμνξοπρστυ')
    expect(isWrongLanguage('абвг αβγδε', prompt, greek)).toBe(false)
    expect(isWrongLanguage('абвгд αβγδ', prompt, greek)).toBe(true)
    expect(isWrongLanguage('абвг αβγδ', prompt, greek)).toBe(false)
    expect(isWrongLanguage('Я', prompt, english)).toBe(true)
    // A few foreign letters do not make the script.
    expect(isWrongLanguage('The worker «Зонд» was checked.', prompt, english)).toBe(false)
  })
})

describe('English sources', () => {
  it('have at least as many small words of English as of any other language', () => {
    expect(isEnglish(english)).toBe(true)
    expect(isEnglish(german)).toBe(false)
    expect(isEnglish(of('the und'))).toBe(true)
    expect(isEnglish(of('the зона'))).toBe(true)
  })

  it('have only Latin letters if they have no small words', () => {
    expect(isEnglish(code)).toBe(true)
    expect(isEnglish(indexSources([tool('zone'), tool('зона')]))).toBe(false)
  })
})
