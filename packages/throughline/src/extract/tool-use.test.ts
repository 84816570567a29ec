import { describe, expect, it } from 'vitest'
import { calledWith, resultWith } from './tool-use.test-support.ts'
import { outputText, readToolUse } from './tool-use.ts'

function use(name: string, input: unknown, output?: string, isError = false) {
  return readToolUse(
    calledWith(name, input),
    output === undefined ? null : resultWith(output, isError),
  )
}

describe('readToolUse', () => {
  it('has the family, the subject, the files and the outcome', () => {
    expect(use('Read', { file_path: '/a.ts' }, '1→a\n2→b\n')).toMatchObject({
      family: 'read',
      subject: '/a.ts',
      files: [{ path: '/a.ts', did: 'read' }],
      lines: 2,
      outcome: { status: 'success' },
    })
  })

  it.each([
    ['', 0],
    ['a', 1],
    ['a\n', 1],
    ['a\nb', 2],
    ['a\n\n', 2],
    ['{"output":"a\\nb\\nc","metadata":{"exit_code":0}}', 3],
    ['Exit code: 0\nWall time: 1s\nOutput:\na\nb', 2],
    ['<returncode>0</returncode>\n<output>\na\nb\n</output>', 2],
  ])('counts the lines of the output, not of its wrapping: %j', (output, lines) => {
    expect(use('bash', { command: 'x' }, output).lines).toBe(lines)
  })

  it.each([
    ['get_user_details', { user_id: 'ada_1' }, 'ada_1'],
    ['cancel_reservation', { reservation_id: 'ABC123' }, 'ABC123'],
    ['search_trains', { from: 'Ulm', to: 'Bern', date: '2031-02-03' }, 'Ulm, Bern, 2031-02-03'],
    ['Bash', { command: 'cd /x && npm test' }, 'npm test'],
    ['Task', { description: 'Look', prompt: 'long', subagent_type: 'x' }, 'Look'],
    [
      'apply_patch',
      { input: '*** Begin Patch\n*** Add File: a.ts\n*** Delete File: b.ts' },
      'a.ts, b.ts',
    ],
    ['read_many_files', { paths: ['a.ts', 'b.ts'] }, 'a.ts, b.ts'],
    ['db', { sql: 'select 1\nfrom x' }, 'select 1'],
    ['x', {}, null],
  ])('names its subject in one line: %s', (name, input, subject) => {
    expect(use(name, input).subject).toBe(subject)
  })

  it.each([
    ['Grep', { pattern: 'error' }, 'a.ts:1: Error: x', false, 'success'],
    ['Grep', { pattern: 'x' }, 'No matches found', false, 'partial'],
    ['search_flights', { to: 'Bern' }, '[]', false, 'partial'],
    ['bash', { command: 'grep x a.ts' }, 'Exit code 1', true, 'partial'],
    ['bash', { command: 'cat errors.log' }, 'Error: x\nError: y', false, 'success'],
    ['bash', { command: 'cat a.ts' }, 'cat: a.ts: No such file or directory', false, 'error'],
    ['bash', { command: 'npm run build' }, 'a\nError: x', false, 'error'],
    ['bash', { command: 'npm run build' }, 'done', false, 'success'],
    ['Read', { file_path: 'a' }, 'Error: File not found', false, 'error'],
    ['Read', { file_path: 'a' }, 'This file tells of errors: failed, fatal', false, 'success'],
    ['Read', { file_path: 'a' }, 'anything', true, 'error'],
    ['get_user', { id: 'u1' }, 'Error: user not found', false, 'error'],
    ['get_user', { id: 'u1' }, '{"name":"Ada","error":null}', false, 'success'],
  ])('decides the outcome by tool family: %s %j %j', (name, input, output, isError, status) => {
    expect(use(name, input, output, isError).outcome?.status).toBe(status)
  })

  it('has the hits of a search and the exports of a file', () => {
    expect(use('Grep', { pattern: 'x' }, 'src/a.ts:1:x\nsrc/b.ts:2:x').hits).toMatchObject({
      matches: 2,
      files: 2,
    })
    expect(use('Read', { file_path: 'a.ts' }, 'export const a = 1').outline?.exports).toEqual(['a'])
    expect(
      use('Write', { file_path: 'a.ts', content: 'export const b = 1' }, 'ok').outline,
    ).toEqual({
      exports: ['b'],
      importCount: 0,
    })
  })

  it('reads the result alone where the call is unknown', () => {
    expect(readToolUse(null, { ...resultWith('x'), name: 'read_file' })).toMatchObject({
      tool: 'read_file',
      family: 'read',
      subject: null,
    })
    expect(readToolUse(null, null)).toMatchObject({ tool: 'unknown', outcome: null, lines: 0 })
  })

  it('reads every kind of output', () => {
    expect(outputText({ kind: 'json', json: '{}' })).toBe('{}')
    const text = { type: 'text', text: 'a', metadata: null } as const
    expect(outputText({ kind: 'parts', parts: [text, text] })).toBe('a\na')
  })
})
