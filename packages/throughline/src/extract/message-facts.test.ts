import { describe, expect, it } from 'vitest'
import type { Message, Part, ToolCallPart } from '../domain/message.ts'
import { digestOf } from './message-digest.ts'
import { factsOf, failureKey, fileKey } from './message-facts.ts'
import { calledWith, resultWith } from './tool-use.test-support.ts'

function factsFrom(
  role: Message['role'],
  parts: readonly Part[],
  calls: readonly ToolCallPart[] = [],
) {
  return factsOf({ seq: 7, role, parts }, new Map(calls.map((call) => [call.callId, call])))
}

function told(...given: Parameters<typeof factsFrom>): readonly string[] {
  return factsFrom(...given).facts.map(({ kind, label, value }) =>
    value === '' ? `${kind} ${label}` : `${kind} ${label} = ${value}`,
  )
}

function text(words: string): readonly Part[] {
  return [{ type: 'text', text: words, metadata: null }]
}

describe('factsOf', () => {
  it('notes what a user binds, and the names in it', () => {
    expect(told('user', text('Never touch src/a.ts. We met Ada Lovelace.'))).toEqual([
      'constraint Never touch src/a.ts. = constraint',
      'constraint We met Ada Lovelace. = standing',
      'file src/a.ts',
      'name Ada Lovelace',
    ])
  })

  it('notes of an assistant only what is decided, and names', () => {
    expect(
      told('assistant', text('You must never do it. The root cause is fooBar. Try **Falcon**.')),
    ).toEqual(['decision The root cause is fooBar. = decision', 'name Falcon', 'symbol fooBar'])
  })

  it('notes nothing said in the instructions of an application', () => {
    expect(told('system', text('You must never touch it.'))).toEqual([])
  })

  it('notes what was done to files, and the names in the output', () => {
    const call = calledWith('Read', { file_path: './src/a.ts', offset: 500 })
    expect(told('assistant', [call])).toEqual(['file ./src/a.ts'])
    expect(told('tool', [resultWith('  160→const fooBar = 4711')], [call])).toEqual([
      'file ./src/a.ts = read',
      'symbol fooBar',
      'number 4711',
    ])
  })

  it('notes commands with what came of them, and failures', () => {
    const call = calledWith('Bash', { command: 'npm test' })
    const result = resultWith('Exit code 1\nError: fooBar is missing', true)
    expect(told('tool', [result], [call])).toEqual([
      'command npm test = exit 1',
      'failure Error: fooBar is missing = npm test',
      'symbol fooBar',
    ])
  })

  it('notes searches with what they found', () => {
    const call = calledWith('Grep', { pattern: 'needle' })
    expect(told('tool', [resultWith('src/a.ts:160:needle')], [call])).toEqual([
      'file src/a.ts = found',
      'use Grep needle = 1 match in 1 file',
    ])
  })

  it('hears a user who speaks beside the result of a tool', () => {
    expect(told('user', [resultWith('x'), ...text('Never touch it.')])).toEqual([
      'constraint Never touch it. = constraint',
    ])
  })

  it('takes what a command printed for a word of the tool, not of the user', () => {
    const parts = text(
      '<returncode>0</returncode>\n<output>\nYou must never touch fooBar.\n</output>',
    )
    expect(factsFrom('user', parts).trust).toBe('tool')
    expect(told('user', parts)).toEqual(['symbol fooBar'])
    expect(told('assistant', text('Look.\n\n```bash\ncat src/a.ts\n```'))).toEqual([
      'command cat src/a.ts',
      'file src/a.ts',
    ])
  })

  it('carries the line that tells the message', () => {
    const call = calledWith('Read', { file_path: 'a.ts' })
    const message = { seq: 7, role: 'tool', parts: [resultWith('x')] } as const
    const calls = new Map([['c1', call]])
    expect(factsOf(message, calls)).toMatchObject({ seq: 7, trust: 'tool' })
    expect(factsOf(message, calls).digest).toEqual(digestOf(message, calls))
  })

  it('keeps a long rule whole', () => {
    const rule = `You must never ${'really '.repeat(50)}touch it.`
    expect(told('user', text(rule))).toEqual([`constraint ${rule} = constraint`])
  })

  it('keeps what is named most, and is bounded', () => {
    const names = Array.from({ length: 3_000 }, (_, at) => `someName${at}x`).join(' ')
    const { facts } = factsFrom('tool', [resultWith(`${names} oftenNamed oftenNamed`)])
    expect(facts.length).toBe(240)
    expect(facts.find(({ label }) => label === 'oftenNamed')?.uses).toBe(2)
  })

  it('knows a file by one key', () => {
    expect(fileKey('./src/a.ts')).toBe('src/a.ts')
    expect(fileKey('.\\src\\a.ts')).toBe('src/a.ts')
  })
})

it('knows a failure by its command, whatever variables stand before it', () => {
  expect(failureKey('TZ=Asia/Tokyo CI=1 npm test -- hours')).toBe('npm test -- hours')
  expect(failureKey('npm test')).toBe('npm test')
  expect(failureKey('a=b')).toBe('a=b')
})
