import { describe, expect, it } from 'vitest'
import { shorten } from './shorten.ts'
import { shortenRequest } from './shorten-request.ts'

const count = (text: string) => Math.ceil(text.length / 4)
const prose = (about: string) => `Some words about ${about}, which nobody needs word for word.\n`
const plan = [
  'Implement the following plan:\n',
  prose('the aim').repeat(40),
  '## Store\n',
  prose('the store').repeat(40),
  'Change `src/store.ts` so that it counts.\n',
  prose('the rest').repeat(40),
  'Look at docs/notes.md too.\n',
  prose('the end').repeat(40),
  'Thank you.',
].join('')
const optionsWith = (keepTokens: number) => ({ seq: 7, keepTokens, count })

describe('a long request', () => {
  it('keeps its start, its end, headings, and lines that name files', () => {
    const text = shortenRequest(plan, optionsWith(300), [])
    expect(text).toMatch(/^Implement the following plan:\n/)
    expect(text).toMatch(/Thank you\.$/)
    expect(text).toContain('## Store\n…\nChange `src/store.ts` so that it counts.\n')
    expect(text).toContain('Look at docs/notes.md too.')
    expect(text).toMatch(/characters left out, except the lines below; see #7 …\]/)
    expect(count(text)).toBeLessThan(300 * 1.2)
  })

  it('prefers lines about the files in work', () => {
    const many = plan.replace('## Store\n', '## Store\n'.repeat(200))
    expect(shortenRequest(many, optionsWith(300), [])).not.toContain('docs/notes.md')
    expect(shortenRequest(many, optionsWith(300), ['notes.md'])).toContain('docs/notes.md')
  })

  it('is shortened as any text if it has no such lines, or no room for them', () => {
    const words = prose('nothing').repeat(200)
    for (const [text, keepTokens] of [
      [words, 300],
      [plan, 60],
      ['Short.', 300],
    ] as const)
      expect(shortenRequest(text, optionsWith(keepTokens), ['store.ts'])).toBe(
        shorten(text, optionsWith(keepTokens)),
      )
  })
})
