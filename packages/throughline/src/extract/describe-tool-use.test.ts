import { describe, expect, it } from 'vitest'
import { summarizeUse } from './describe-tool-use.ts'
import { calledWith, resultWith } from './tool-use.test-support.ts'
import { readToolUse } from './tool-use.ts'

const inFull = { preserveErrorDetails: true }

function summary(
  name: string,
  input: unknown,
  output: string,
  { isError = false, details = inFull } = {},
) {
  return summarizeUse(readToolUse(calledWith(name, input), resultWith(output, isError)), details)
}

/** A result from a client that stores no calls. */
function named(name: string | null, output: string) {
  return summarizeUse(readToolUse(null, { ...resultWith(output), name }), inFull)
}

describe('the summary of a tool', () => {
  it('S2-060: of a file that was read, from its text alone', () => {
    const text = "export function hello() {}\nexport const world = 42;\nimport { foo } from 'bar';"
    expect(named('read_file', text)).toEqual({
      toolName: 'read_file',
      status: 'success',
      keyFacts: [
        'File: unknown',
        'Lines: 3',
        'Type: unknown',
        'Exports: hello, world',
        'Imports: 1 modules',
      ],
      metadata: { path: 'unknown', lines: 3, hasExports: true, hasImports: true },
    })
  })

  it('S2-018, S2-021, S2-022, S2-023, S2-024: path from the arguments, five exports, modules', () => {
    const code = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `export const ${name} = 1`)
    const text = ["import { x } from './x.ts'", "import y from 'y'", ...code].join('\n')
    expect(summary('Read', { file_path: '/src/app.ts' }, text)).toEqual({
      toolName: 'Read',
      status: 'success',
      keyFacts: [
        'File: /src/app.ts',
        'Lines: 8',
        'Type: typescript',
        'Exports: a, b, c, d, e',
        'Imports: 2 modules',
      ],
      metadata: { path: '/src/app.ts', lines: 8, hasExports: true, hasImports: true },
    })
  })

  it('S2-022: lists no exports of other languages, and no lines of a file that could not be read', () => {
    expect(summary('read_file', { path: 'a.md' }, 'export const a = 1').keyFacts).toEqual([
      'File: a.md',
      'Lines: 1',
      'Type: markdown',
    ])
    expect(summary('read_file', { path: 'a.ts' }, 'Error: File not found')).toMatchObject({
      status: 'error',
      keyFacts: ['File: a.ts', 'Error: Error: File not found'],
      metadata: { lines: 0 },
    })
  })

  it('P2-007: takes the path from the result where no call names it', () => {
    expect(named('read_file', 'File: /srv/a.py\nx = 1').keyFacts[0]).toBe('File: /srv/a.py')
    expect(named('read_file', '{"path":"b.py","content":"x"}').metadata['path']).toBe('b.py')
  })

  it('S2-061, S2-025, S2-026, S2-027: of a command that failed', () => {
    expect(named('execute_bash', 'npm test\nError: Module not found\nexit code: 1')).toEqual({
      toolName: 'execute_bash',
      status: 'error',
      keyFacts: [
        'Command: unknown',
        'Exit: 1',
        'Output: 3 lines',
        'Error: Error: Module not found\nexit code: 1',
      ],
      metadata: { command: 'unknown', exitCode: 1, outputLines: 3, hasError: true },
    })
  })

  it('S2-025: cuts the command to 60 characters, with the ellipsis', () => {
    const command = `echo ${'a'.repeat(100)}`
    const [fact = ''] = summary('bash', { command }, 'x').keyFacts
    expect(fact.length).toBe('Command: '.length + 60)
    expect(fact.endsWith('…')).toBe(true)
  })

  it.each([
    ['done', 'success', false],
    ['Found 0 errors', 'success', false],
    ['no error, no failures', 'success', false],
    ['a\nTypeError: x is not a function', 'error', true],
    ['java.lang.IllegalStateException: no', 'error', true],
  ])(
    'S2-026, S2-027, B2-3, B2-4: without an exit code the words decide, and "0 errors" is none: %j',
    (output, status, hasError) => {
      const found = summary('bash', { command: 'npm run build' }, output)
      expect([found.status, found.metadata['hasError']]).toEqual([status, hasError])
      expect(found.metadata['exitCode']).toBe('unknown')
    },
  )

  it('S2-027: an exit code of 0 is success, whatever the output contains', () => {
    const found = summary(
      'bash',
      { command: 'make' },
      'Exit code: 0\nOutput:\nError: old cache\nok',
    )
    expect(found).toMatchObject({ status: 'success', metadata: { exitCode: 0, hasError: true } })
    expect(found.keyFacts.at(-1)).toBe('Error: Error: old cache\nok')
    const shown = summary('bash', { command: 'cat log' }, 'Exit code: 0\nOutput:\nError: old\nok')
    expect(shown.metadata['hasError']).toBe(false)
  })

  it('reports the results of tests', () => {
    const output = 'Exit code: 1\nOutput:\nTests:       2 failed, 10 passed, 12 total'
    expect(summary('bash', { command: 'npx jest' }, output).keyFacts).toContain(
      'Tests: 10 passed, 2 failed',
    )
  })

  it('S2-028, S2-029, B2-6: of a search, under the name of its tool', () => {
    const hits = 'a.ts:1:x\na.ts:2:x\nb.ts:1:x\nc.ts:1:x\nd.ts:9:x'
    expect(summary('grep', { pattern: 'x' }, hits)).toEqual({
      toolName: 'grep',
      status: 'success',
      keyFacts: ['Pattern: "x"', 'Matches: 5', 'Files: 4', 'Top files: a.ts, b.ts, c.ts'],
      metadata: { pattern: 'x', matchCount: 5, fileCount: 4 },
    })
  })

  it('S2-029: a search that found nothing is partial', () => {
    expect(summary('search_files', { query: 'x' }, 'No matches found')).toMatchObject({
      status: 'partial',
      keyFacts: ['Pattern: "x"', 'Matches: 0', 'Files: 0'],
    })
    const prose = summary('search_notes', { query: 'x' }, 'What is known\nof it')
    expect(prose).toMatchObject({
      status: 'success',
      keyFacts: ['Pattern: "x"', 'Output: 2 lines'],
    })
  })

  it.each([
    [
      'create_file',
      { path: 'a.ts', content: 'export const a = 1\n' },
      ['File: a.ts', 'Lines: 1', 'Type: typescript', 'Exports: a'],
    ],
    [
      'edit_file',
      { path: 'a.py', old_string: 'a', new_string: 'b\nc' },
      ['File: a.py', 'Changed: +2 -1 lines'],
    ],
    [
      'apply_patch',
      { input: '*** Begin Patch\n*** Add File: a.ts\n+x\n+y\n*** Update File: b.ts\n-x' },
      ['Files: 2', 'Top files: a.ts, b.ts', 'Changed: +2 -1 lines'],
    ],
    ['delete_file', { path: 'a.ts' }, ['File: a.ts']],
    ['list_directory', { path: 'src' }, ['Path: src', 'Entries: 1']],
    [
      'web_fetch',
      { url: 'https://example.com/a' },
      ['URL: https://example.com/a', 'Output: 1 lines'],
    ],
    ['web_search', { query: 'tokens' }, ['Query: "tokens"', 'Output: 1 lines']],
    ['query_db', { sql: 'select 1 from a' }, ['Query: select 1 from a', 'Output: 1 lines']],
    [
      'http_request',
      { url: 'https://example.com', method: 'post' },
      ['Request: POST https://example.com', 'Output: 1 lines'],
    ],
    ['mcp__crm__get_person', { person: 'p_1' }, ['About: p_1', 'Result: ok']],
    [
      'Task',
      { description: 'Look', prompt: 'x', subagent_type: 'y' },
      ['Task: Look', 'Result: ok'],
    ],
    ['get_order', { order_id: 'W12' }, ['About: W12', 'Result: ok']],
    ['nothing_known', {}, ['Result: ok']],
  ])('S2-030, S2-066, S2-073: has facts of every kind of tool: %s', (name, input, keyFacts) => {
    expect(summary(name, input, 'ok')).toMatchObject({
      toolName: name,
      status: 'success',
      keyFacts,
    })
  })

  it.each([
    ['query_db', { sql: 'select * from a' }, 'id\n1\n2\n(2 rows)', 'Rows: 2'],
    ['query_db', { sql: 'select * from a' }, '[{"id":1},{"id":2},{"id":3}]', 'Rows: 3'],
    ['http_request', { url: 'https://example.com' }, 'HTTP/1.1 200 OK\n\nbody', 'Status: 200'],
    ['web_fetch', { url: 'https://example.com' }, '# The title\ntext', 'Title: The title'],
    ['list_directory', { path: '.' }, 'a\nb\n\nc\n', 'Entries: 3'],
    ['find_people', { name: 'x' }, '[1,2,3]', 'Matches: 3'],
    ['get_log', { day: '1' }, `{"a":"${'x'.repeat(300)}"}`, 'Output: 308 characters'],
  ])('A-016: counts instead of listing: %s %j %j', (name, input, output, fact) => {
    expect(summary(name, input, output).keyFacts).toContain(fact)
  })

  it('is an error where the HTTP status is one', () => {
    const answer = summary('http_request', { url: 'https://example.com' }, 'HTTP/1.1 503 Busy')
    expect(answer.status).toBe('error')
  })

  it('S2-019: is of an unknown tool where nothing names it, and of one without a result', () => {
    expect(named(null, 'x')).toMatchObject({ toolName: 'unknown', status: 'success' })
    expect(
      summarizeUse(readToolUse(calledWith('bash', { command: 'ls' }), null), inFull),
    ).toMatchObject({
      status: 'partial',
      keyFacts: ['Command: ls', 'No result'],
    })
  })

  it('S2-015, X2-5: keeps an error in full up to a cap, or its first 100 characters', () => {
    const trace = ['Traceback (most recent call last):', '  File "a.py", line 3', 'KeyError: 7']
    const output = ['before', ...trace, '', 'behind'].join('\n')
    const call = { command: 'python a.py' }
    expect(summary('bash', call, output).keyFacts.at(-1)).toBe(`Error: ${trace.join('\n')}`)
    const short = { details: { preserveErrorDetails: false } }
    expect(summary('bash', call, output, short).keyFacts.at(-1)).toBe(`Error: ${trace[0]}`)
    const long = `Error: ${'word '.repeat(400)}the end`
    const [full = '', first = ''] = [
      summary('bash', call, long).keyFacts.at(-1),
      summary('bash', call, long, short).keyFacts.at(-1),
    ]
    expect(full.length).toBeLessThanOrEqual('Error: '.length + 400)
    expect(first.length).toBeLessThanOrEqual('Error: '.length + 100)
    // The last lines of a long trace say why.
    const deep = [...trace.slice(0, 1), ...Array<string>(90).fill('  at x'), 'KeyError: 7'].join(
      '\n',
    )
    expect(summary('bash', call, deep).keyFacts.at(-1)).toMatch(/^Error: Traceback.*KeyError: 7$/s)
  })

  it('takes the error message from a field beside the output', () => {
    const output = '{"output":"some lines","error":"Connection refused\\nby the host"}'
    expect(summary('get_user', { id: 1 }, output).keyFacts).toContain(
      'Error: Connection refused\nby the host',
    )
  })
})
