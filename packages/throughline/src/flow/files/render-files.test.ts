import { describe, expect, it } from 'vitest'
import { hostileTexts } from '../../extract/hostile-text.test-support.ts'
import { sha256 } from '../../system.ts'
import { type Builder, build } from '../../testing/build.ts'
import { sealMessages } from '../append/append.ts'
import { piecesChooser } from './render-files.ts'

/** Functions of ten lines, each with names of its own. */
function codeOf(name: string, functions: number): string {
  return Array.from({ length: functions }, (_, at) =>
    [
      `function ${name}Part${at}() {`,
      ...Array.from({ length: 7 }, (__, line) => `  ${name}Step${at}x${line}()`),
      '}',
      '',
    ].join('\n'),
  ).join('\n')
}

function chosen(messages: Builder, characters: number, isShown = (_: number) => false) {
  const sealed = sealMessages([...messages], sha256)
  return piecesChooser(sealed, sealed.length).choose({ root: '/w/', isShown })(characters)
}

const known = build()
  .calls('Read', { file_path: '/w/src/a.ts' })
  .result(codeOf('alpha', 80))
  .calls('Read', { file_path: '/w/src/b.ts' })
  .result(codeOf('beta', 80))

describe('the pieces of files that are shown', () => {
  it('are what the task names, word for word, with path, lines and anchor', () => {
    const { text } = chosen(known.user('In src/a.ts, change `alphaPart31`.'), 600)
    expect(text).toContain('function alphaPart31() {\n  alphaStep31x0()\n')
    expect(text).toMatch(/^src\/a\.ts lines \d+–\d+ #1$/m)
  })

  it('are the lines that somebody points at', () => {
    const { text } = chosen(known.user('src/b.ts (lines 401-405) is wrong.'), 600)
    expect(text).toContain('function betaPart40() {')
  })

  it('include lines of an error', () => {
    const failed = known
      .calls('bash', { command: 'npm test' })
      .result('src/a.ts:205:3: error: no such function', { isError: true })
    expect(chosen(failed, 600).text).toContain('alphaStep20x3()')
  })

  it('include other places of the text that an edit replaced', () => {
    const edit = { old_string: 'alphaPart2()', new_string: 'alphaPiece2()' }
    const messages = build()
      .calls('Read', { file_path: 'c.ts' })
      .result(`${codeOf('gamma', 60)}\nalphaPart2()\n${codeOf('delta', 60)}`)
      .calls('Read', { file_path: 'd.ts' })
      .result('alphaPart2()')
      .calls('Edit', { file_path: 'd.ts', ...edit })
      .result('done')
    expect(chosen(messages, 500).text).toContain('alphaPart2()')
  })

  it('never have more characters than they may, and are all there is where that fits', () => {
    const messages = known.user('Change `alphaPart3` and `betaPart5` in src/a.ts.')
    for (const characters of [0, 100, 1_000, 5_000])
      expect(chosen(messages, characters).text.length).toBeLessThanOrEqual(characters)
    const { text } = chosen(messages, 100_000)
    expect(text).toContain(codeOf('alpha', 80).trimEnd())
  })

  it('leave out what is shown as it is', () => {
    const { text } = chosen(known.user('Change `alphaPart31`.'), 100_000, (seq) => seq === 1)
    expect(text).not.toContain('alphaPart31')
    expect(text).toContain('betaPart31')
  })

  it('are the same for the same messages', () => {
    expect(chosen(known, 2_000)).toEqual(chosen(known, 2_000))
  })

  it('have anchors of the messages with most of the text, one for edits in a row', () => {
    const edit = (at: number) => ({
      file_path: '/w/src/a.ts',
      old_string: `alphaPart${at}()`,
      new_string: `changedPart${at}()`,
    })
    let messages = known.user('Rename all of them.')
    for (let at = 0; at < 5; at += 1) messages = messages.calls('Edit', edit(at)).result('done')
    const sealed = sealMessages([...messages], sha256)
    const { holders } = piecesChooser(sealed, sealed.length)
    expect(holders.get('/w/src/a.ts')).toEqual(['#1', '#5-#13'])
    expect(holders.get('/w/src/b.ts')).toEqual(['#3'])
  })

  it('are nothing where no file is known', () => {
    expect(chosen(build().user('Hello'), 1_000)).toEqual({ text: '', windows: 0 })
  })
})

it.each(Object.entries(hostileTexts))('stands texts made to break it: %s', (_, text) => {
  const sealed = sealMessages(
    [
      ...build()
        .user(text)
        .calls('Read', { file_path: 'src/a.ts' })
        .result(text)
        .calls('Edit', { file_path: 'src/a.ts', old_string: text.slice(0, 50), new_string: text })
        .result('ok')
        .calls('Grep', { pattern: text })
        .result(text),
    ],
    sha256,
  )
  const choose = piecesChooser(sealed, 9).choose({ root: '', isShown: () => false })
  for (const characters of [0, 300, 9_000])
    expect(choose(characters).text.length).toBeLessThanOrEqual(characters)
})
