import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../../harness/kernel/chance.ts'
import { countByFile, countByPackage, type GptEncodingName, loadGptTokenizer } from './gpt.ts'

describe('loadGptTokenizer', () => {
  it('counts as the encoding does', async () => {
    const o200k = await loadGptTokenizer('o200k_base')
    const cl100k = await loadGptTokenizer('cl100k_base')
    expect(o200k).toMatchObject({ id: 'gpt/o200k_base/1', exact: true })
    expect(cl100k).toMatchObject({ id: 'gpt/cl100k_base/1', exact: true })
    expect(o200k?.count('Hello, world!')).toBe(4)
    // The older vocabulary knows less Chinese.
    expect(cl100k?.count('你好，世界！人工智能')).toBeGreaterThan(
      o200k?.count('你好，世界！人工智能') ?? 0,
    )
  })

  it('counts a special token as the text it is', async () => {
    const tokenizer = await loadGptTokenizer('o200k_base')
    expect(tokenizer?.count('say <|endoftext|> twice')).toBeGreaterThan(4)
  })

  it('counts a megabyte of one letter, which would take minutes without the guard', async () => {
    const tokenizer = await loadGptTokenizer('o200k_base')
    expect(tokenizer?.count('a'.repeat(1_000_000))).toBeGreaterThan(100_000)
  })

  it.each<GptEncodingName>(['o200k_base', 'cl100k_base'])(
    'counts %s as the package does, of which it reads only the file',
    async (encoding) => {
      const [ours, theirs] = await Promise.all([countByFile(encoding), countByPackage(encoding)])
      if (ours === null || theirs === null) throw new Error('gpt-tokenizer is not installed')
      for (const text of manyTexts()) expect([text, ours(text)]).toEqual([text, theirs(text)])
    },
  )

  it('is null where the package is not installed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'throughline-gpt-'))
    // A copy of the source where no package can be found.
    cpSync(join(import.meta.dirname, '..'), folder, {
      recursive: true,
      filter: (file) => !file.endsWith('.test.ts'),
    })
    const program = `const { loadGptTokenizer } = await import('./tokenizers/gpt.ts')
      console.log(await loadGptTokenizer('o200k_base'))`
    const options = ['--no-warnings', '--input-type=module', '--eval', program]
    // A temporary folder needs no compile cache.
    const env = { ...process.env, NODE_COMPILE_CACHE: '' }
    expect(execFileSync(process.execPath, options, { cwd: folder, env, encoding: 'utf8' })).toBe(
      'null\n',
    )
    rmSync(folder, { recursive: true })
  })
})

/** Words, code, symbols and scripts, mixed with any characters, also halves of pairs. */
function* manyTexts(): Iterable<string> {
  const below = seededRandom('pieces')
  for (let index = 0; index < 3_000; index += 1) {
    const alphabet = alphabets[below(alphabets.length)] ?? ''
    const length = 1 + below(60)
    yield Array.from({ length }, () =>
      below(12) === 0
        ? String.fromCharCode(below(0x10000))
        : (alphabet[below(alphabet.length)] ?? ''),
    ).join('')
  }
  for (const character of alphabets.join('')) yield character.repeat(200)
  yield '\ufeffusing System;'
}

const alphabets = [
  'abcdefghijklmnopqrstuvwxyz ',
  "ABCabc019_-./ 's'LL",
  '\ud83d\ude00\ud83d\udc4d\u200d\ufe0f ab',
  '日本語テキスト。、 ',
  '\n\r\t  /*#=-',
  'é\u0301ñüß 0123456789,.',
  '\ud83d\udc00a\ufffd\ufeff',
  'мир Привет!',
  'عربي ١٢٣',
]
