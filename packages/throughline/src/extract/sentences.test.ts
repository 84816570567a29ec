import { describe, expect, it } from 'vitest'
import { sentencesOf } from './sentences.ts'

function sentences(...lines: readonly string[]): readonly string[] {
  return sentencesOf(lines.join('\n')).map(({ text }) => text)
}

describe('sentencesOf', () => {
  it.each([
    ['We wait. They go! Who stays? I do', 'We wait.', 'They go!', 'Who stays?', 'I do'],
    [
      'See a.ts, version 3.5 and e.g. this. Then stop.',
      'See a.ts, version 3.5 and e.g. this.',
      'Then stop.',
    ],
    [
      'It is item No. 5 of it. The answer is no. Go on.',
      'It is item No. 5 of it.',
      'The answer is no.',
      'Go on.',
    ],
    ['He said "stop." Then he left.', 'He said "stop."', 'Then he left.'],
    ['Das ist z.B. gut. Es bleibt.', 'Das ist z.B. gut.', 'Es bleibt.'],
    ['¿Qué pasa? ¡Nada!', '¿Qué pasa?', '¡Nada!'],
    ['必须使用中文。不要改动接口！可以吗？', '必须使用中文。', '不要改动接口！', '可以吗？'],
    ['यह ठीक है। वह नहीं।', 'यह ठीक है।', 'वह नहीं।'],
    ['هل هذا صحيح؟ نعم هذا صحيح.', 'هل هذا صحيح؟', 'نعم هذا صحيح.'],
    ['Это правило. Не трогай это.', 'Это правило.', 'Не трогай это.'],
    [
      'Use `npm run check` before `git push --force`.',
      'Use `npm run check` before `git push --force`.',
    ],
  ])('cuts where sentences end: %s', (text, ...expected) => {
    expect(sentences(text)).toEqual(expected)
  })

  it('joins wrapped lines', () => {
    expect(
      sentences(
        'The interface must never be changed without asking the people',
        'who use it. That is all.',
      ),
    ).toEqual([
      'The interface must never be changed without asking the people who use it.',
      'That is all.',
    ])
  })

  it('has the start of each sentence', () => {
    const text = 'One two.\n\n- Three four. Five six.'
    expect(
      sentencesOf(text).map(({ at, text: sentence }) => text.slice(at, at + sentence.length)),
    ).toEqual(['One two.', 'Three four.', 'Five six.'])
  })

  it.each([
    ['```\nYou must never do this.\n```'],
    ["import { must } from 'never'"],
    ['from must import never'],
    ['const never = must()'],
    ['if (must) return never;'],
    ['2026-01-01 10:00:00 you must never do this'],
    ['[INFO] you must never do this'],
    ['    at mustNever (src/a.ts:1:2)'],
    ['TypeError: you must never do this'],
    ['$ must never do'],
    ['| must | never |'],
    ['# You must never do this'],
    ['**You must never**'],
    ['**`src/must_never.ts`**'],
    ['What must never be done:'],
    ['src/a.ts src/b.ts src/c.ts'],
    ['- src/must.ts (never)'],
    ['<system-reminder>\nYou must never do this.\n</system-reminder>'],
    ['1.'],
    ['---'],
    [''],
  ])('leaves out text that is no sentence: %j', (text) => {
    expect(sentences(text)).toEqual([])
  })

  it('takes the items of a short list as sentences', () => {
    expect(
      sentences('Rules:', '- never use any', '2. Keep it small', '- [ ] Write the tests'),
    ).toEqual(['never use any', 'Keep it small', 'Write the tests'])
  })

  it('takes a long list for a document', () => {
    const items = Array.from({ length: 20 }, (_, at) => `- Updated the reader ${at}`)
    expect(sentences('That is done.', ...items)).toEqual(['That is done.'])
  })

  it('takes only whole sentences from the lists of a document', () => {
    expect(
      sentences(
        '# Plan',
        'Here is what we do in the end.',
        '## Steps',
        '- Update config only',
        '- The old files must never be deleted before the release.',
        '- src/a.ts',
      ),
    ).toEqual([
      'Here is what we do in the end.',
      'The old files must never be deleted before the release.',
    ])
  })
})
