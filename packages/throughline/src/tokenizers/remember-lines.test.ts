import { describe, expect, it } from 'vitest'
import { corpusKinds } from '../../../../bench/corpus-kinds.ts'
import { seededRandom } from '../../../../harness/kernel/chance.ts'
import { cutLongRuns } from './cut-long-runs.ts'
import type { GptEncodingName } from './gpt.ts'
import { rememberLines } from './remember-lines.ts'

const random = seededRandom('lines')

/** Separators at which a text is cut, and others that nearly are. */
const joints = [
  '\n',
  '\n\n',
  '\r\n',
  ' \n',
  '\n ',
  '\n/',
  '\n#12 ',
  '.\n',
  '/\n',
  '\\n',
  '9\\n#1 ',
  '.\\n#',
]
const more = [
  ' · ',
  '.  · ',
  '… · ',
  "'s · ",
  '\u0301 · ',
  '\n\u0301',
  'n#',
  '\\n/',
  '\\\\n#',
  '\t· ',
  '٣ · ',
]
const joined = Object.values(corpusKinds).map((make) => {
  let text = ''
  while (text.length < 3_000)
    text +=
      make(random, 1 + random(120)) + [...joints, ...more][random(joints.length + more.length)]
  return text
})

describe('a long text that is counted by its lines', () => {
  it.each(['o200k_base', 'cl100k_base'] satisfies GptEncodingName[])(
    'has as many tokens as the whole, in %s',
    async (name) => {
      const whole = await plainCount(name)
      const byLines = rememberLines(whole)
      for (const text of [...joined, ...joined.map((each) => JSON.stringify(each))]) {
        expect(byLines(text)).toBe(whole(text))
        // Cached now, and with another start.
        expect(byLines(`[begin\n${text}`)).toBe(whole(`[begin\n${text}`))
      }
    },
  )

  it('is not counted again where it was counted before', () => {
    const counted: string[] = []
    const byLines = rememberLines((text) => {
      counted.push(text)
      return 1
    })
    const lines = Array.from({ length: 100 }, (_, at) => `line ${at} ${'word '.repeat(10)}`)
    expect(byLines(lines.join('\n'))).toBe(100)
    expect(counted).toHaveLength(100)
    expect(byLines(['first', ...lines, 'last'].join('\n'))).toBe(102)
    expect(counted).toHaveLength(103)
  })

  it('is evicted after some millions of characters', () => {
    let counted = 0
    const byLines = rememberLines(() => {
      counted += 1
      return 1
    })
    const text = (of: number) => `${of} ${'word '.repeat(100_000)}`
    for (let of = 0; of < 20; of += 1) byLines(text(of))
    expect(counted).toBe(20)
    byLines(text(19))
    expect(counted).toBe(20)
    byLines(text(0))
    expect(counted).toBe(21)
  })

  it('stays cached while a giant text is counted, which is not cached itself', () => {
    let counted = 0
    const byLines = rememberLines(() => {
      counted += 1
      return 1
    })
    const lines = (of: number, from: string) =>
      Array.from({ length: of }, (_, at) => `${from} ${at} of some lines`).join('\n')
    const giant = lines(100_000, 'giant')
    byLines(lines(100, 'known'))
    for (const _ of [1, 2]) expect(byLines(giant)).toBe(100_000)
    expect(counted).toBe(200_100)
    byLines(lines(100, 'known'))
    expect(counted).toBe(200_100)
  })
})

/** Without the cache. */
async function plainCount(name: GptEncodingName): Promise<(text: string) => number> {
  const gpt = await import(`gpt-tokenizer/encoding/${name}`)
  const asText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() }
  return cutLongRuns((text) => gpt.countTokens(text, asText))
}
