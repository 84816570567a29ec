import { describe, expect, it } from 'vitest'
import { sha256 } from '../../system.ts'
import { type Builder, build } from '../../testing/build.ts'
import { sealMessages } from '../append/append.ts'
import { fileTextsOf } from './file-text.ts'

function textsOf(messages: Builder) {
  return fileTextsOf(sealMessages([...messages], sha256)).map(({ path, pieces }) => ({
    path,
    pieces: pieces.map(({ firstLine, lines }) => ({
      firstLine,
      text: lines.map(({ text }) => text).join('\n'),
      seqs: lines.map(({ seq }) => seq),
    })),
  }))
}

const read = (from: number, ...lines: readonly string[]) =>
  lines.map((line, at) => `    ${from + at}→${line}`).join('\n')

describe('the newest known text of files', () => {
  it('is what was read, with later edits in it, each line with its place in the log', () => {
    const [file] = textsOf(
      build()
        .calls('Read', { file_path: '/w/a.ts' })
        .result(read(1, 'one', 'two', 'three'))
        .calls('Edit', { file_path: '/w/a.ts', old_string: 'two', new_string: 'deux\ndeux bis' })
        .result('done'),
    )
    expect(file?.pieces).toEqual([
      { firstLine: 1, text: 'one\ndeux\ndeux bis\nthree', seqs: [1, 2, 2, 1] },
    ])
  })

  it('takes newer lines for older ones, and joins what follows each other', () => {
    const [file] = textsOf(
      build()
        .calls('Read', { file_path: 'a.ts' })
        .result(read(1, 'one', 'two', 'three'))
        .calls('Read', { file_path: 'a.ts', offset: 3 })
        .result(read(3, 'drei', 'vier')),
    )
    expect(file?.pieces).toEqual([
      { firstLine: 1, text: 'one\ntwo\ndrei\nvier', seqs: [1, 1, 3, 3] },
    ])
  })

  it('moves the pieces below an edit', () => {
    const [file] = textsOf(
      build()
        .calls('Read', { file_path: 'a.ts' })
        .result(read(1, 'one', 'two'))
        .calls('Read', { file_path: 'a.ts' })
        .result(read(50, 'fifty', 'more'))
        .calls('Edit', { file_path: 'a.ts', old_string: 'two', new_string: '2\n2\n2' })
        .result('done'),
    )
    expect(file?.pieces.map(({ firstLine }) => firstLine)).toEqual([1, 52])
  })

  it('does not have an edit that failed', () => {
    const [file] = textsOf(
      build()
        .calls('Read', { file_path: 'a.ts' })
        .result(read(1, 'one', 'two'))
        .calls('Edit', { file_path: 'a.ts', old_string: 'two', new_string: 'deux' })
        .result('String to replace not found', { isError: true }),
    )
    expect(file?.pieces[0]?.text).toBe('one\ntwo')
  })

  it('replaces everywhere where that was asked for', () => {
    const [file] = textsOf(
      build()
        .calls('Write', { file_path: 'a.ts', content: '\nold()\nkeep\nx = old()' })
        .result('done')
        .calls('Edit', {
          file_path: 'a.ts',
          old_string: 'old',
          new_string: 'young',
          replace_all: true,
        })
        .result('done'),
    )
    expect(file?.pieces[0]?.text).toBe('\nyoung()\nkeep\nx = young()')
  })

  it('replaces everywhere in all pieces, otherwise in the first', () => {
    const rename = { file_path: 'a.ts', old_string: 'old', new_string: 'young\nnew' }
    const piecesAfter = (replaceAll: boolean) =>
      textsOf(
        build()
          .calls('Read', { file_path: 'a.ts' })
          .result(read(1, 'old', 'one'))
          .calls('Read', { file_path: 'a.ts' })
          .result(read(50, 'old', 'fifty'))
          .calls('Edit', { ...rename, replace_all: replaceAll })
          .result('done'),
      )[0]?.pieces.map(({ firstLine, text }) => [firstLine, text])
    const first = [1, 'young\nnew\none']
    expect(piecesAfter(true)).toEqual([first, [51, 'young\nnew\nfifty']])
    expect(piecesAfter(false)).toEqual([first, [51, 'old\nfifty']])
  })

  it('keeps the new text of an edit in a file that was never read', () => {
    const [file] = textsOf(
      build().calls('edit', { path: 'a.ts', oldText: 'x', newText: 'y\nz' }).result('done'),
    )
    expect(file?.pieces).toEqual([{ firstLine: null, text: 'y\nz', seqs: [0, 0] }])
  })

  it('knows lines that a command or a search has printed', () => {
    const files = textsOf(
      build()
        .calls('bash', { command: "sed -n '10,11p' src/a.ts" })
        .result('ten\neleven')
        .calls('grep', { pattern: 'x' })
        .result('src/b.ts:7:const x = 1\nsrc/b.ts-8-more'),
    )
    expect(files).toMatchObject([
      { path: 'src/a.ts', pieces: [{ firstLine: 10, text: 'ten\neleven' }] },
      { path: 'src/b.ts', pieces: [{ firstLine: 7, text: 'const x = 1\nmore' }] },
    ])
  })

  it('is one for a file that is named from the root and from the folder of work', () => {
    const files = textsOf(
      build()
        .calls('Read', { file_path: '/w/src/a.ts' })
        .result(read(1, 'one'))
        .calls('Edit', { file_path: 'src/a.ts', old_string: 'one', new_string: 'uno' })
        .result('done'),
    )
    expect(files).toMatchObject([{ path: '/w/src/a.ts', pieces: [{ text: 'uno' }] }])
  })

  it('forgets a file that was deleted, and the oldest where there are too many', () => {
    let messages = build().calls('Write', { file_path: 'a.ts', content: 'a' }).result('done')
    const large = 'line of some text\n'.repeat(1_500)
    for (const name of [...'bcdefghijklm'])
      messages = messages.calls('Write', { file_path: `${name}.ts`, content: large }).result('done')
    messages = messages.calls('bash', { command: 'rm m.ts' }).result('')
    expect(textsOf(messages).map(({ path }) => path)).toEqual(
      [...'cdefghijkl'].map((name) => `${name}.ts`),
    )
  })
  it('is found in good time in a long log of finds and edits', () => {
    const hits = Array.from({ length: 2_000 }, (_, at) => `src/f${at}.ts:${at + 1}:text`)
    let messages = build()
      .calls('Write', { file_path: 'a.ts', content: 'some line\n'.repeat(8_000) })
      .result('done')
      .calls('grep', { pattern: 'text' })
      .result(hits.join('\n'))
    for (let at = 0; at < 100; at += 1)
      messages = messages
        .calls('Edit', { file_path: 'a.ts', old_string: 'some line', new_string: `line ${at}` })
        .result('done')
    const sealed = sealMessages([...messages], sha256)
    const started = performance.now()
    expect(fileTextsOf(sealed).length).toBeLessThanOrEqual(400)
    expect(performance.now() - started).toBeLessThan(1_500)
  })
})
