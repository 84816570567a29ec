import { describe, expect, it } from 'vitest'
import { jsonText, safeLine, safeText } from './safe-text.ts'

describe('text of a transcript in a terminal', () => {
  it.each([
    ['a\u001b[31mred\u001b[0m', 'ared'],
    ['a\u009b31mred', 'ared'],
    ['\u001b]0;a title\u0007text', 'text'],
    ['\u001b]8;;https://example.org\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['\u001bPq#0\u001b\\sixel', 'sixel'],
    ['over\rwritten', 'overwritten'],
    ['a\u0007b\u0008c\u0000d', 'abcd'],
    ['\u202egnp.exe', 'gnp.exe'],
    ['two\r\nlines', 'two\nlines'],
    ['half \ud800 pair', 'half \ufffd pair'],
    ['\ttab', '    tab'],
    ['\u001b[', ''],
    ['\u001bcreset', 'reset'],
  ])('%j is shown as %j', (text, shown) => {
    expect(safeText(text)).toBe(shown)
  })

  it('keeps the text after an unterminated sequence', () => {
    expect(safeText('\u001b]0;never ended. And this?')).toBe('0;never ended. And this?')
  })

  it('can be reduced to one line', () => {
    expect(safeLine('  a\n\tb \u001b[2J c ')).toBe('a b c')
  })

  it('takes linear time for any text', () => {
    const started = performance.now()
    for (const piece of ['\u001b]', '\u009d', '\u001b[0', '\u009b;', '\u001b', '\u0090x'])
      safeText(piece.repeat(200_000))
    expect(performance.now() - started).toBeLessThan(1_500)
  })

  it('is escaped in JSON', () => {
    const value = { text: '\u009b31m \u202e \u001b' }
    expect(jsonText(value)).toBe('{"text":"\\u009b31m \\u202e \\u001b"}')
    expect(JSON.parse(jsonText(value))).toEqual(value)
  })
})
