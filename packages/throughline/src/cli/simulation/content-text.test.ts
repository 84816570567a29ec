import { describe, expect, it } from 'vitest'
import { contentText } from './survival-along.ts'

function call(input: unknown) {
  return { type: 'tool-call', callId: 'c', name: 'readFile', input } as const
}

describe('the text of a message', () => {
  it('has a line for each reasoning, text, result and excerpt', () => {
    expect(
      contentText([
        { type: 'reasoning', text: 'thought' },
        { type: 'text', text: 'answer' },
        { type: 'tool-result', callId: 'c', output: { kind: 'text', text: 'found' } },
        { type: 'resource-excerpt', resourceId: 'r', text: 'excerpt' },
      ]),
    ).toBe('thought\nanswer\nfound\nexcerpt')
    expect(contentText('plain')).toBe('plain')
  })

  it('takes the values of arguments at any depth, never names of fields or of tools', () => {
    const input = { file_path: 'a.ts', edits: [{ old: 'x' }, { old: 'y' }], depth: 1234 }
    expect(contentText([call(JSON.stringify(input))])).toBe('a.ts\nx\ny')
    expect(contentText([call(input)])).toBe('a.ts\nx\ny')
  })

  it('leaves out arguments that say how to work', () => {
    const skipped = {
      timeout: 't',
      offset: 'o',
      limit: 'l',
      taskId: 'i',
      status: 's',
      output_mode: 'm',
      subagent_type: 'a',
    }
    expect(contentText([call({ ...skipped, path: 'a.ts', inner: skipped })])).toBe('a.ts')
  })

  it('takes arguments that are no JSON as they are', () => {
    expect(contentText([call('{"path": "a.t')])).toBe('{"path": "a.t')
  })

  it('takes the texts of a result in parts, and no pictures or blocks', () => {
    const output = {
      kind: 'parts',
      parts: [
        { type: 'text', text: 'one' },
        { type: 'opaque', kind: 'x/y', json: '{"a":"hidden"}' },
        { type: 'text', text: 'two' },
      ],
    } as const
    expect(contentText([{ type: 'tool-result', callId: 'c', output }])).toBe('one\ntwo')
    expect(contentText([{ type: 'opaque', kind: 'x/y', json: '"hidden"' }])).toBe('')
  })

  it('takes the values of a result that is JSON', () => {
    const output = { kind: 'json', json: '{"name":["value"]}' } as const
    expect(contentText([{ type: 'tool-result', callId: 'c', output }])).toBe('value')
  })
})
