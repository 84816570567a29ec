import { describe, expect, it } from 'vitest'
import { processorMs } from './processor-time.test-support.ts'
import { hasContentWords, searchedNames, searchedTerms, termsOf } from './terms.ts'
import { logFigure, trialSizes } from './trial-sizes.test-support.ts'

describe('termsOf', () => {
  it.each([
    ['words by their stem', 'running runs Invoices', ['run', 'run', 'invoic']],
    [
      'names of programs whole and by their parts',
      'parseHTTPHeader2 snake_case kebab-case',
      ['parsehttpheader2', 'pars', 'http', 'header', 'snakecas', 'snake', 'case', 'kebab', 'case'],
    ],
    ['numbers and dates by their parts', 'v12 2026-03-05', ['v12', '12', '2026', '03', '05']],
    ['no single letters', 'a B 7', []],
    ['letters without accents', 'Café ÅNGSTRÖM naïve', ['cafe', 'angstrom', 'naiv']],
    ['both ways to write an accent', 'caf\u00e9 cafe\u0301', ['cafe', 'cafe']],
    ['letters that are one sign, or wide', 'ﬁle ＡＢＣ', ['file', 'abc']],
    ['Chinese and Japanese by pairs', '東京タワー', ['東京', '京タ', 'タワ', 'ワー']],
    ['one such letter alone', '日', ['日']],
    ['Hangul by pairs of syllables, not of their parts', '한국어 서울', ['한국', '국어', '서울']],
    ['Thai by pairs', 'ไทย', ['ไท', 'ทย']],
    ['Indic words whole, with their marks', 'हिन्दी தமிழ்', ['हिन्दी', 'தமிழ்']],
    ['words from right to left', 'שלום مرحبا', ['שלום', 'مرحبا']],
    ['scripts that are mixed, each in its way', 'word東京mix', ['word', '東京', 'mix']],
    ['nothing for emoji', '😀👩‍👩‍👧‍👦 ok', ['ok']],
    ['words around NUL', 'ab\u0000cd', ['ab', 'cd']],
    ['words around half a character', 'half\ud83dway \ude00', ['half', 'wai']],
  ])('%s', (_, text, terms) => {
    expect(termsOf(text)).toEqual(terms)
  })

  it('is well formed and short, whatever the text is', () => {
    const hostile = ['x'.repeat(300), '𝒳𐐷'.repeat(80), '\ud83d東\ude00', '_'.repeat(90), '\u0301']
    for (const text of hostile)
      for (const term of termsOf(text)) {
        expect(term.isWellFormed()).toBe(true)
        expect(term.length).toBeLessThanOrEqual(64)
      }
  })

  it('is the same for texts and queries', () => {
    for (const text of ['parseHTTPHeader2', 'Straße', '東京タワー', 'ÅNGSTRÖM', 'नमस्ते', '㎏ ™'])
      expect(searchedTerms(text)).toEqual([...new Set(termsOf(text))])
  })
})

describe('searchedTerms', () => {
  it.each([
    ['English', 'What did we say about the deploy?', ['deploi']],
    ['German', 'Was hat der Kunde über die Rechnung gesagt?', ['kund', 'rechnung', 'gesagt']],
    ['French', 'Où était le fichier ?', ['fichier']],
    ['Spanish', '¿Qué dijo sobre el precio?', ['dijo', 'precio']],
    ['Portuguese', 'Quando você não tem o recibo?', ['recibo']],
    ['Dutch', 'Waar is het verslag?', ['verslag']],
    ['Russian', 'Где мы хранили ключи?', ['хранили', 'ключи']],
  ])('leaves out function words: %s', (_, text, terms) => {
    expect(searchedTerms(text)).toEqual(terms)
  })

  it('does not take a word for another one that has accents', () => {
    expect(searchedTerms('für fur')).toEqual(['fur'])
    expect(searchedTerms('fu\u0308r Felle')).toEqual(['fell'])
  })

  it('keeps function words where there are no others; each once, with a limit', () => {
    expect(searchedTerms('what is what')).toEqual(['what', 'is'])
    const pasted = Array.from({ length: 500 }, (_, index) => `word${index}x`).join(' ')
    expect(searchedTerms(pasted).length).toBe(64)
    expect(searchedTerms('')).toEqual([])
  })
})

describe('a text with content words', () => {
  it.each([
    ...[
      'go on',
      'Thanks!',
      'OK, continue please.',
      'Yes',
      'Danke, weiter',
      'Sí, gracias',
      '好的',
      'はい',
    ],
    ...['', '👍', '…', 'what is it?', 'très bien', 'tre\u0300s bien'],
  ])('is not %j', (text) => {
    expect(hasContentWords(text)).toBe(false)
  })

  it.each(['ok, deploy', 'Which port?', '42', '東京', 'continue with step_4'])('is %j', (text) => {
    expect(hasContentWords(text)).toBe(true)
  })
})

describe('the time that a text takes', () => {
  const size = trialSizes.hostileCharacters
  it.each([
    ['capitals', 'A'],
    ['capitals and small letters', 'Aa'],
    ['everything that divides', 'aB1_'],
    ['marks', '\u0301'],
    ['letters with marks', 'न\u0940'],
    ['Han', '東'],
    ['two scripts in turn', '東a'],
    ['underscores', '_'],
    ['halves', '\ud83d'],
    ['words', 'the order of an invoice '],
  ])('grows with its length only: %s', (name, unit) => {
    const text = unit.repeat(size / unit.length)
    // 0.2 ms for a hundred characters would be slow.
    const ms = processorMs(() => [termsOf(text), searchedTerms(text)], size / 500)
    logFigure(`${name}: ${Math.round(ms)} ms for ${size} characters`)
    expect(ms).toBeLessThan(Math.max(60, size / 500))
  })
})

describe('names that people ask for by a part of them', () => {
  it.each([
    ['paths', 'See ./src/flow/recall.ts.', ['src/flow/recall.ts']],
    ['paths of Windows', 'in C:\\logs\\a.txt', ['C:\\logs\\a.txt']],
    ['identifiers', '(parseHeader, snake_case)', ['parseHeader', 'snake_case']],
    ['hashes and versions', 'deadbeef12 at v1.2.3', ['deadbeef12', 'v1.2.3']],
    ['addresses', 'ask ada@example.org:', ['ada@example.org']],
    ['modules and times', 'node:sqlite at 12:30', ['node:sqlite', '12:30']],
    ['scripts with digits', '東京2号館', ['東京2号館']],
  ])('%s', (_, text, names) => {
    expect(searchedNames(text)).toEqual(names)
  })

  it('are no plain words, and no signs alone', () => {
    expect(searchedNames('Plain words, well-known ones… and so on. ---- ....')).toEqual([])
  })

  it('are listed once, well formed, bounded in length and number', () => {
    expect(searchedNames('a_bc a_bc')).toEqual(['a_bc'])
    const encoded = 'QmFzZTY0'.repeat(100)
    expect(searchedNames(`${encoded} next_name`)).toEqual([encoded.slice(0, 200), 'next_name'])
    const many = Array.from({ length: 900 }, (_, index) => `name_${index}`).join(' ')
    expect(searchedNames(many).length).toBe(100)
    const [long] = searchedNames(`${'𝒳'.repeat(99)}_${'𝒳'.repeat(200)}`)
    expect(long?.isWellFormed()).toBe(true)
    expect(long?.length).toBeLessThanOrEqual(200)
  })

  it.each(['.', '/', `${'.'.repeat(255)}x`, 'a', '_', '東', '\ud83d'])(
    'are found in a time that grows with the length only: %j',
    (unit) => {
      const size = trialSizes.hostileCharacters
      const text = unit.repeat(size / unit.length)
      expect(processorMs(() => searchedNames(text), size / 500)).toBeLessThan(
        Math.max(60, size / 500),
      )
    },
  )
})
