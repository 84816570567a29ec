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

function factTexts(...given: Parameters<typeof factsFrom>): readonly string[] {
  return factsFrom(...given).facts.map(({ kind, label, value }) =>
    value === '' ? `${kind} ${label}` : `${kind} ${label} = ${value}`,
  )
}

function text(words: string): readonly Part[] {
  return [{ type: 'text', text: words, metadata: null }]
}

describe('factsOf', () => {
  it('extracts rules of a user, and the names in them', () => {
    expect(factTexts('user', text('Never touch src/a.ts. We met Ada Lovelace.'))).toEqual([
      'constraint Never touch src/a.ts. = constraint',
      'constraint We met Ada Lovelace. = persistent',
      'file src/a.ts',
      'name Ada Lovelace',
    ])
  })

  it('extracts only decisions and names from an assistant', () => {
    expect(
      factTexts(
        'assistant',
        text('You must never do it. The root cause is fooBar. Try **Falcon**.'),
      ),
    ).toEqual(['decision The root cause is fooBar. = decision', 'name Falcon', 'symbol fooBar'])
  })

  it('extracts no rules from a system prompt', () => {
    expect(factTexts('system', text('You must never touch it.'))).toEqual([])
  })

  it('extracts uses of files, and the names in the output', () => {
    const call = calledWith('Read', { file_path: './src/a.ts', offset: 500 })
    expect(factTexts('assistant', [call])).toEqual(['file ./src/a.ts'])
    expect(factTexts('tool', [resultWith('  160→const fooBar = 4711')], [call])).toEqual([
      'file ./src/a.ts = read',
      'symbol fooBar',
      'number 4711',
    ])
  })

  it('extracts commands with their outcome, and failures', () => {
    const call = calledWith('Bash', { command: 'npm test' })
    const result = resultWith('Exit code 1\nError: fooBar is missing', true)
    expect(factTexts('tool', [result], [call])).toEqual([
      'command npm test = exit 1',
      'failure Error: fooBar is missing = npm test',
      'symbol fooBar',
    ])
  })

  it('extracts searches with their hits', () => {
    const call = calledWith('Grep', { pattern: 'needle' })
    expect(factTexts('tool', [resultWith('src/a.ts:160:needle')], [call])).toEqual([
      'file src/a.ts = found',
      'use Grep needle = 1 match in 1 file',
    ])
  })

  it('extracts the text of a user beside the result of a tool', () => {
    expect(factTexts('user', [resultWith('x'), ...text('Never touch it.')])).toEqual([
      'constraint Never touch it. = constraint',
    ])
  })

  it('trusts the output of a command as a tool, not as a user', () => {
    const parts = text(
      '<returncode>0</returncode>\n<output>\nYou must never touch fooBar.\n</output>',
    )
    expect(factsFrom('user', parts).trust).toBe('tool')
    expect(factTexts('user', parts)).toEqual(['symbol fooBar'])
    expect(factTexts('assistant', text('Look.\n\n```bash\ncat src/a.ts\n```'))).toEqual([
      'command cat src/a.ts',
      'file src/a.ts',
    ])
  })

  it('has the digest of the message', () => {
    const call = calledWith('Read', { file_path: 'a.ts' })
    const message = { seq: 7, role: 'tool', parts: [resultWith('x')] } as const
    const calls = new Map([['c1', call]])
    expect(factsOf(message, calls)).toMatchObject({ seq: 7, trust: 'tool' })
    expect(factsOf(message, calls).digest).toEqual(digestOf(message, calls))
  })

  it('keeps a long rule whole', () => {
    const rule = `You must never ${'really '.repeat(50)}touch it.`
    expect(factTexts('user', text(rule))).toEqual([`constraint ${rule} = constraint`])
  })

  it('keeps the most frequent names, and is bounded', () => {
    const names = Array.from({ length: 3_000 }, (_, at) => `someName${at}x`).join(' ')
    const { facts } = factsFrom('tool', [resultWith(`${names} oftenNamed oftenNamed`)])
    expect(facts.length).toBe(240)
    expect(facts.find(({ label }) => label === 'oftenNamed')?.uses).toBe(2)
  })

  it('has one key for each file', () => {
    expect(fileKey('./src/a.ts')).toBe('src/a.ts')
    expect(fileKey('.\\src\\a.ts')).toBe('src/a.ts')
  })
})

it('identifies a failure by its command, without leading variables', () => {
  expect(failureKey('TZ=Asia/Tokyo CI=1 npm test -- hours')).toBe('npm test -- hours')
  expect(failureKey('npm test')).toBe('npm test')
  expect(failureKey('a=b')).toBe('a=b')
})
