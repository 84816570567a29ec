import { describe, expect, it } from 'vitest'
import { readArguments } from './tool-arguments.ts'
import { familyOf } from './tool-family.ts'

function family(name: string, input: unknown): string {
  return familyOf(name, readArguments(typeof input === 'string' ? input : JSON.stringify(input)))
}

const patch = '*** Begin Patch\n*** Update File: a.ts\n@@\n-a\n+b\n*** End Patch'

describe('familyOf', () => {
  it.each([
    ['Read', { file_path: '/a.ts', limit: 10 }, 'read'],
    ['Write', { file_path: '/a.ts', content: 'x' }, 'write'],
    ['Edit', { file_path: '/a.ts', old_string: 'a', new_string: 'b' }, 'edit'],
    ['Edit', { file_path: '/a.ts', old_string: 'a', new_string: '' }, 'edit'],
    ['MultiEdit', { file_path: '/a.ts', edits: [{ old_string: 'a', new_string: 'b' }] }, 'edit'],
    ['NotebookEdit', { notebook_path: '/a.ipynb', new_source: 'x' }, 'edit'],
    ['Bash', { command: 'ls', description: 'List' }, 'shell'],
    ['BashOutput', { bash_id: '1' }, 'shell'],
    ['Grep', { pattern: 'x', path: 'src', output_mode: 'content' }, 'search'],
    ['Glob', { pattern: '**/*.ts' }, 'search'],
    ['LS', { path: '/src' }, 'list'],
    ['WebFetch', { url: 'https://example.org/a', prompt: 'What?' }, 'web'],
    ['WebSearch', { query: 'typescript' }, 'web'],
    ['Task', { description: 'Look', prompt: 'Look at it', subagent_type: 'general' }, 'agent'],
    ['TaskCreate', { subject: 'Write tests', description: 'All' }, 'plan'],
    ['TodoWrite', { todos: [{ content: 'a', status: 'pending' }] }, 'plan'],
    ['ExitPlanMode', { plan: 'x' }, 'plan'],
  ])('knows the tools of Claude Code: %s %j', (name, input, expected) => {
    expect(family(name, input)).toBe(expected)
  })

  it.each([
    ['shell', { command: ['bash', '-lc', 'ls -la'], workdir: '/x' }, 'shell'],
    ['shell', { command: ['apply_patch', patch] }, 'patch'],
    ['shell', { command: ['bash', '-lc', `apply_patch <<'EOF'\n${patch}\nEOF`] }, 'patch'],
    ['exec_command', { cmd: 'ls', yield_time_ms: 1000 }, 'shell'],
    ['apply_patch', patch, 'patch'],
    ['apply_patch', { input: patch }, 'patch'],
    ['update_plan', { plan: [{ step: 'a', status: 'pending' }] }, 'plan'],
  ])('knows the tools of Codex: %s', (name, input, expected) => {
    expect(family(name, input)).toBe(expected)
  })

  it.each([
    ['read_file', { absolute_path: '/a.ts' }, 'read'],
    ['read_many_files', { paths: ['a.ts', 'b.ts'] }, 'read'],
    ['write_file', { file_path: '/a.ts', content: '' }, 'write'],
    ['replace', { file_path: '/a.ts', old_string: 'a', new_string: 'b' }, 'edit'],
    ['run_shell_command', { command: 'ls', directory: 'src' }, 'shell'],
    ['search_file_content', { pattern: 'x', include: '*.ts' }, 'search'],
    ['list_directory', { path: '/src' }, 'list'],
    ['google_web_search', { query: 'x' }, 'web'],
  ])('knows the tools of Gemini CLI: %s', (name, input, expected) => {
    expect(family(name, input)).toBe(expected)
  })

  it.each([
    ['read', { filePath: '/a.ts' }, 'read'],
    ['edit', { filePath: '/a.ts', oldString: 'a', newString: 'b' }, 'edit'],
    ['todowrite', { todos: [] }, 'plan'],
    ['webfetch', { url: 'https://example.org', format: 'text' }, 'web'],
    ['list', { path: '/src' }, 'list'],
    ['patch', { patchText: patch }, 'patch'],
    ['read_file', { path: 'a.ts' }, 'read'],
    ['write_to_file', { path: 'a.ts', content: 'x' }, 'write'],
    ['replace_in_file', { path: 'a.ts', diff: '------- SEARCH\na\n=======\nb' }, 'edit'],
    ['execute_command', { command: 'ls', requires_approval: false }, 'shell'],
    ['search_files', { path: 'src', regex: 'x', file_pattern: '*.ts' }, 'search'],
    ['list_files', { path: 'src' }, 'list'],
    ['read', { path: 'a.ts' }, 'read'],
    ['write', { path: 'a.ts', content: 'x' }, 'write'],
    ['edit', { path: 'a.ts', oldText: 'a', newText: 'b' }, 'edit'],
    ['bash', { command: 'ls', timeout: 5 }, 'shell'],
  ])('knows the tools of OpenCode, Cline and pi: %s', (name, input, expected) => {
    expect(family(name, input)).toBe(expected)
  })

  it.each([
    ['str_replace_based_edit_tool', { command: 'view', path: 'a.ts' }, 'read'],
    ['str_replace_based_edit_tool', { command: 'create', path: 'a', file_text: 'x' }, 'write'],
    [
      'str_replace_editor',
      { command: 'str_replace', path: 'a', old_str: 'a', new_str: '' },
      'edit',
    ],
    ['str_replace_editor', { command: 'insert', path: 'a', new_str: 'x' }, 'edit'],
    ['str_replace_editor', { command: 'undo_edit', path: 'a' }, 'edit'],
  ])('reads the field that names the operation: %s %j', (name, input, expected) => {
    expect(family(name, input)).toBe(expected)
  })

  it.each([
    ['terminal', { commands: ['ls', 'pwd'] }, 'shell'],
    ['Python_REPL', { __arg1: 'print(1)' }, 'shell'],
    ['execute_code', { code: 'print(1)' }, 'shell'],
    ['sql_db_query', { query: 'SELECT id FROM users' }, 'database'],
    ['run_query', { query: 'select id from users' }, 'database'],
    ['requests_get', { url: 'https://example.org' }, 'http'],
    ['duckduckgo_search', { query: 'select a phone' }, 'search'],
    ['mcp__files__read_file', { path: 'a.ts' }, 'read'],
    ['mcp__github__create_issue', { owner: 'a', repo: 'b', title: 'c' }, 'mcp'],
    ['mcp__a__b__search_code', { q: 'x' }, 'search'],
    ['functions.shell', { command: ['ls'] }, 'shell'],
  ])('knows tools of libraries and servers: %s', (name, input, expected) => {
    expect(family(name, input)).toBe(expected)
  })

  it.each([
    ['get_user_details', { user_id: 'ada_1' }],
    ['cancel_reservation', { reservation_id: 'ABC123' }],
    ['modify_pending_order_items', { order_id: '#77', item_ids: ['1'] }],
    ['apply_discount', { code: 'SAVE10' }],
    ['book_table', { people: 4 }],
    ['get_weather', { city: 'Paris' }],
    ['send_request', { to: 'Ada' }],
    ['transfer_to_human_agent', { summary: 'x' }],
    ['get_plan_details', { plan_id: 'p1' }],
    ['execute_trade', { symbol: 'X' }],
    ['', {}],
    ['__proto__', {}],
  ])('is not misled by a word in a name: %s', (name, input) => {
    expect(family(name, input)).toBe('unknown')
  })

  it('uses the name alone where the call is unknown', () => {
    expect(family('read_file', {})).toBe('read')
    expect(family('execute_command', {})).toBe('shell')
  })
})
