/** Text of transcripts on a terminal: no command prints control sequences from it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chatTest } from '../chat/chat.test-support.ts'
import { type TestWorld, testWorld } from '../world.test-support.ts'

/** Sequences that move the cursor, rename the window, clear the screen or change the direction. */
const nasty =
  'a\u001b[2Jb\u001b]0;owned\u0007c\u0007d\u007fe\u009b2Jf\u009d0;owned\u009cg\u0085h\u202ei\u2066j\u200fk\ufeffl\u2028m\u0000n\rz'
const obeyed =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/

const screen = { isTerminal: true, redraws: false, width: 120 } as const

function transcript(): string {
  const text = (value: string) => [{ type: 'text', text: value }]
  const call = { type: 'tool-call', callId: nasty, name: nasty, input: { path: nasty } }
  const result = { type: 'tool-result', callId: nasty, output: { kind: 'text', text: nasty } }
  return [
    { throughline: 1, id: `c ${nasty}`, title: nasty, meta: { [nasty]: nasty, model: nasty } },
    { seq: 0, role: 'user', author: nasty, content: text(`limit ${nasty}`), key: nasty },
    { seq: 1, role: 'assistant', content: [call] },
    { seq: 2, role: 'tool', content: [result] },
    { seq: 3, role: 'assistant', content: text(`limit ${nasty}`), meta: { model: nasty } },
    { seq: 4, role: 'user', content: text(`ask ${nasty}`) },
    ...Array.from({ length: 16 }, (_, at) => ({
      ...{ seq: at + 5, role: at % 2 === 0 ? 'assistant' : 'user' },
      content: text(`limit ${at} ${nasty} ${'and so on '.repeat(60)}`),
    })),
  ]
    .map((line) => JSON.stringify(line))
    .join('\n')
}

async function imported(): Promise<TestWorld> {
  const test = testWorld({ screen, answer: 'no' })
  writeFileSync(join(test.folder, 'talk.jsonl'), transcript())
  return test
}

const commands: readonly (readonly string[])[] = [
  ...[['import', 'talk.jsonl'], ['import', 'talk.jsonl', '--json'], ['list'], ['list', '--json']],
  ...[
    ['list', nasty],
    ['show', '--last', '--all', '--full'],
    ['show', '--last', '--json'],
  ],
  ...[['show', nasty], ['show', `c ${nasty}`], ['status'], ['status', '--last']],
  ...[
    ['context', '--last', '--full'],
    ['context', '--last', '--json'],
    ['pin', '--last', '0'],
  ],
  ...[
    ['context', '--last', '--format', 'openai'],
    ['pin', '--last'],
    ['pin', '--last', '1'],
  ],
  ...[
    ['recall', '--last', 'limit', nasty],
    ['recall', '--last', 'limit', '--json'],
  ],
  ...[
    ['expand', '--last', '0-4'],
    ['expand', '--last', '0-4', '--json'],
  ],
  ...[
    ['compact', '--last', '--window', '3000'],
    ['receipt', '--last'],
    ['receipt', '--last', '--all'],
  ],
  ...[
    ['compact', '--last', '--preview', '--full', '--window', '2000'],
    ['undo', '--last'],
  ],
  ...[
    ['export', '--last'],
    ['export', '--last', '--json'],
    ['export', '--last', '--format', 'md'],
  ],
  ...[
    ['replay', '--last', '--window', '3000', '--calls', '2'],
    ['replay', 'talk.jsonl', '--calls', '2'],
  ],
  ...[['doctor'], ['purge', '--last'], ['config'], ['config', 'trust'], ['config', 'get', 'model']],
  ...[['config', 'set', 'model', nasty], ['config', 'get', 'model'], ['config', 'path'], [nasty]],
  ...[
    ['list', `--${nasty}`],
    ['import', nasty],
    ['status', '--last', '--model', nasty],
  ],
  ['context', '--last', '--model', nasty],
]

describe('on a terminal', () => {
  it('no command prints control sequences', { timeout: 30_000 }, async () => {
    const test = await imported()
    writeFileSync(join(test.folder, 'throughline.json'), JSON.stringify({ model: nasty }))
    for (const words of commands) {
      const { stdout, stderr } = await test.run(...words)
      // The progress bar uses this sequence itself.
      const output = `${stdout}${stderr}`.replaceAll('\r\u001b[2K', '')
      expect({ words, obeyed: obeyed.exec(output)?.[0] ?? null, some: output.length > 0 }).toEqual({
        ...{ words, obeyed: null, some: true },
      })
    }
  })

  it('an answer and the name of its model contain none either', async () => {
    const { run } = await chatTest({ server: { answers: `Yes ${nasty}` }, world: { screen } })
    for (const words of [
      ['-m', 'Open?'],
      ['-m', 'Open?', '--json'],
    ]) {
      const { stdout, stderr } = await run('chat', 'shop', ...words)
      expect(obeyed.exec(`${stdout}${stderr}`)?.[0] ?? null).toBeNull()
    }
  })

  it('an export is JSON of the same values', async () => {
    const test = await imported()
    await test.run('import', 'talk.jsonl')
    const onScreen = (await test.run('export', '--last')).stdout
    const records = (text: string) =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    Object.assign(test.world.stdout, { isTerminal: false })
    const inPipe = (await test.run('export', '--last')).stdout
    expect(onScreen).not.toBe(inPipe)
    expect(records(onScreen)).toEqual(records(inPipe))
    expect(records(onScreen)[1].content[0].text).toBe(`limit ${nasty}`)
  })
})
