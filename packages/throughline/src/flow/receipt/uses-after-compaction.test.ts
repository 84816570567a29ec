import { describe, expect, it } from 'vitest'
import type { MessageInput } from '../../domain/message.ts'
import { sha256 } from '../../system.ts'
import { build } from '../../testing/build.ts'
import { sealMessages } from '../append/append.ts'
import { redactor } from '../redact/redact-message.ts'
import { UsesAfterCompaction } from './follow-up.ts'

function usesOf(messages: Iterable<MessageInput>): UsesAfterCompaction {
  const uses = new UsesAfterCompaction(redactor().redact)
  for (const message of sealMessages([...messages], sha256)) uses.add(message)
  return uses
}

describe('what was used since', () => {
  it('has files that were read, by the places of their results', () => {
    const { opened } = usesOf(
      build()
        .calls('read', { path: './src/a.ts' })
        .result('text')
        .calls('bash', { command: 'cat src/a.ts' })
        .result('text')
        .calls('edit', { path: 'src/b.ts', old_string: 'x', new_string: 'y' })
        .result('ok')
        .calls('read', { path: 'src/c.ts' })
        .result('no such file', { isError: true }),
    )
    expect([...opened]).toEqual([['src/a.ts', [1, 3]]])
  })

  it('takes a file for the same from whichever folder it is named', () => {
    const { opened } = usesOf(
      build()
        .calls('read', { path: '/repo/src/a.ts' })
        .result('text')
        .calls('read', { path: 'src/a.ts' })
        .result('text')
        .calls('read', { path: 'other/src/a.ts' })
        .result('text')
        .calls('read', { path: 'a.ts' })
        .result('text'),
    )
    expect([...opened.values()]).toEqual([[1, 3], [5], [7]])
  })

  it('has calls of recall and expand, whoever offers them', () => {
    const { recalled } = usesOf(
      build()
        .calls('recall', { query: 'the invoice' })
        .calls('mcp__memory__expand', { anchor: '#4-#9' })
        .calls('Throughline.Recall', { query: 'again' })
        .calls('expandable', { x: 1 })
        .calls('total_recall_of', { x: 1 }),
    )
    expect(recalled.map(({ tool, about, seq }) => `${seq} ${tool} ${about}`)).toEqual([
      '0 recall the invoice',
      '1 expand #4-#9',
      '2 recall again',
    ])
  })

  it('has exact names where the assistant used them first, in words and in calls', () => {
    const { names, shownTexts } = usesOf(
      build()
        .user('Is user_given_name there?')
        .says('I look at first_used_name.')
        .calls('read', { path: 'src/a.ts' })
        .result('tool_given_name')
        .says('Both first_used_name and 8d3f1c2a9b7e4f60 are.'),
    )
    const places = [...names.values()].map(({ name, seq }) => `${seq} ${name}`)
    expect(places).toEqual(
      expect.arrayContaining(['1 first_used_name', '2 src/a.ts', '4 8d3f1c2a9b7e4f60']),
    )
    expect([...names.keys()]).not.toContain('user_given_name')
    expect([...names.keys()]).not.toContain('tool_given_name')
    expect(shownTexts).toEqual([
      { seq: 0, text: 'Is user_given_name there?' },
      { seq: 3, text: 'tool_given_name' },
    ])
  })

  it('looks no further for names than it can say who showed them', () => {
    const { names, shownTexts } = usesOf(
      build().user('x'.repeat(2_100_000)).says('a_name_behind_it').user('more'),
    )
    expect([names.size, shownTexts.length]).toEqual([0, 1])
  })
})
