import { describe, expect, it } from 'vitest'
import type { Message, Part } from '../domain/message.ts'
import { digestOf } from './message-digest.ts'
import { calledWith, resultWith } from './tool-use.test-support.ts'

function digestText(role: Message['role'], text: string): string | null {
  const parts: readonly Part[] = [{ type: 'text', text, metadata: null }]
  const digest = digestOf({ role, parts }, new Map())
  return digest === null ? null : `${digest.by}: ${digest.text}`
}

function did(name: string, input: unknown, output: string, isError = false): string | undefined {
  const calls = new Map([['c1', calledWith(name, input)]])
  return digestOf({ role: 'tool', parts: [resultWith(output, isError)] }, calls)?.text
}

describe('digestOf', () => {
  it('keeps the text of a user, word for word', () => {
    expect(digestText('user', ' Don’t touch $& it. ')).toBe('user: Don’t touch $& it.')
  })

  it('keeps the beginning and the end of a reply', () => {
    const reply = `First it is so.\n\n${'Middle. '.repeat(100)}\n\n\`\`\`\ncode\n\`\`\`\n\nIn the end it works.`
    expect(digestText('assistant', reply)).toBe('assistant: First it is so. … In the end it works.')
    expect(digestText('assistant', 'Done.')).toBe('assistant: Done.')
  })

  it('says that a call was rejected where the format has no mark of failures, and quotes no person', () => {
    const rejected =
      'The user rejected permission to use this specific tool call with the following feedback: Use pnpm.'
    const digest = (isError: boolean) =>
      digestOf(
        { role: 'tool', parts: [resultWith(rejected, isError)] },
        new Map([['c1', calledWith('bash', { command: 'npm ci' })]]),
      )
    expect(digest(false)).toEqual({
      by: 'tool',
      text: 'rejected by the user, as its result says: bash npm ci (Use pnpm.)',
    })
    expect(digest(true)).toMatchObject({ by: 'user', text: 'Use pnpm.' })
  })

  it('says what was rejected', () => {
    const about = (name: string, input: unknown) => {
      const reason =
        'The user rejected permission to use this specific tool call with the following feedback: No.'
      const calls = new Map([['c1', calledWith(name, input)]])
      return digestOf({ role: 'tool', parts: [resultWith(reason, true)] }, calls)?.about
    }
    expect(about('bash', { command: 'npm ci' })).toBe('on rejecting bash npm ci')
    expect(about('ExitPlanMode', { plan: '# Paint' })).toBe('on rejecting the plan')
  })

  it('names every question that was answered', () => {
    const questions = ['a', 'b', 'c', 'd'].map((each) => ({
      question: `Which ${each}, of all that there are in this very long list of choices?`,
    }))
    const answers = questions.map(({ question }, at) => `"${question}"="Nr ${at}"`).join(', ')
    const output = `User has answered your questions: ${answers}. You can now continue with the user's answers in mind.`
    const calls = new Map([['c1', calledWith('AskUserQuestion', { questions })]])
    const digest = digestOf({ role: 'tool', parts: [resultWith(output, false)] }, calls)
    expect(digest).toMatchObject({ by: 'user', text: 'Nr 0\nNr 1\nNr 2\nNr 3' })
    for (const each of ['a', 'b', 'c', 'd'])
      expect(digest).toMatchObject({ about: expect.stringContaining(`Which ${each},`) })
  })

  it('describes the command in a reply, and its result', () => {
    expect(digestText('assistant', 'I look.\n\n```bash\ncd /x && ls\n```')).toBe(
      'assistant: I look. [command: ls]',
    )
    expect(
      digestText(
        'user',
        '<returncode>1</returncode>\n<output>\nls: x: No such file or directory\n</output>',
      ),
    ).toBe('tool: the command ended (exit 1; ls: x: No such file or directory)')
  })

  it.each([
    [
      'Read',
      { file_path: 'a.ts' },
      "import './b.ts'\nexport const a = 1\n",
      'read a.ts (2 lines; exports a; imports 1 module)',
    ],
    ['Read', { file_path: 'a.md' }, 'x', 'read a.md (1 line)'],
    ['Edit', { file_path: 'a.ts', old_string: 'a', new_string: 'b' }, 'ok', 'edited a.ts'],
    [
      'Bash',
      { command: 'npm test' },
      'Tests  2 failed | 3 passed (5)\nExit code: 1',
      'ran npm test (exit 1; 3 passed, 2 failed; Tests  2 failed | 3 passed (5))',
    ],
    [
      'Grep',
      { pattern: 'x' },
      'src/a.ts:1:x\nsrc/b.ts:2:x',
      'searched x (2 matches in 2 files: src/a.ts, src/b.ts)',
    ],
    ['Grep', { pattern: 'x' }, 'No matches found', 'searched x (nothing found)'],
    ['WebSearch', { query: 'tea' }, 'Tea is', 'searched the web for tea'],
    ['WebFetch', { url: 'https://a.example/' }, 'x', 'fetched https://a.example/'],
    ['get_user', { user_id: 'u1' }, '{}', 'used get_user u1'],
    ['get_user', { user_id: 'u1' }, 'Error: unknown', 'used get_user u1 (Error: unknown)'],
  ])('describes a tool use: %s %j', (name, input, output, expected) => {
    expect(did(name, input, output)).toBe(expected)
  })

  it('is null for empty messages and system prompts', () => {
    expect(digestText('user', '  ')).toBeNull()
    expect(digestText('system', 'You are')).toBeNull()
  })
})
