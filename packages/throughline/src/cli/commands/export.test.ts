import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Message, MessageInput } from '../../index.ts'
import { readTranscript } from '../../transcripts/index.ts'
import { sessionOf, type TestWorld, testWorld } from '../world.test-support.ts'

const rich: readonly MessageInput[] = [
  {
    role: 'user',
    author: 'Ana',
    createdAt: 1_700_000_000_000,
    meta: { a: null, b: [1, { c: 'd' }] },
    key: 'k1',
    content: [
      { type: 'text', text: 'half a pair \ud800, NUL \0 and ``` fences', metadata: { x: 1 } },
      { type: 'text', text: 'a reminder', origin: 'application' },
      {
        type: 'file',
        mediaType: 'image/png',
        name: 'a.png',
        data: new Uint8Array([0, 255, 7]),
        width: 3,
      },
      { type: 'file', mediaType: 'image/png', url: 'https://example.org/a.png' },
      { type: 'resource-excerpt', resourceId: 'r', title: 'R', text: 'so' },
      { type: 'attachment-ref', attachmentId: 'f' },
    ],
  },
  {
    role: 'assistant',
    status: 'incomplete',
    raw: '{"as": "it came",  "big": 12345678901234567890}',
    content: [
      { type: 'reasoning', text: 'hm', signature: 's' },
      { type: 'tool-call', callId: 'c', name: 'read', input: '{"n": 12345678901234567890}' },
      { type: 'opaque', kind: 'x/y', json: '{"z":  1}' },
    ],
  },
  {
    role: 'tool',
    origin: 'agent',
    raw: new Uint8Array([255, 254, 0]),
    content: [
      {
        type: 'tool-result',
        callId: 'c',
        name: 'read',
        output: { kind: 'json', json: '[1]' },
        isError: true,
        origin: 'person',
      },
      {
        type: 'tool-result',
        callId: 'd',
        output: {
          kind: 'parts',
          parts: [
            { type: 'text', text: 'p' },
            { type: 'file', mediaType: 'a/b', data: 'AAEC' },
          ],
        },
      },
    ],
  },
]

async function messagesOf(test: TestWorld, id: string): Promise<readonly Message[]> {
  return test.engine((tl) => Array.fromAsync(tl.conversation(id).messages()))
}

/** A minimal import. */
async function imported(text: string, test: TestWorld): Promise<void> {
  await test.engine(async (tl) => {
    for await (const item of readTranscript(text)) {
      if (item.kind === 'conversation')
        await tl.begin(item.id, { title: item.title, meta: item.meta, parent: item.parent })
      if (item.kind === 'message') await tl.conversation(item.conversationId).append(item.message)
      expect(item.kind).not.toBe('problem')
    }
  })
}

describe('export', () => {
  it('can be imported again: same messages, files and original bytes', async () => {
    const test = testWorld()
    await test.engine(async (tl) => {
      await tl.begin('rich', { title: 'Ein Titel – 柵', meta: { n: 1 } })
      await tl.conversation('rich').append([...rich, ...sessionOf(40)])
      await tl.begin('child', { parent: { conversationId: 'rich', callId: 'c' } })
      await tl.conversation('child').append(sessionOf(1))
    })
    const { stdout } = await test.run('export', 'rich', 'child')
    const other = testWorld()
    await imported(stdout, other)
    const [before, after] = [await messagesOf(test, 'rich'), await messagesOf(other, 'rich')]
    const compared = ({ id, role, author, parts, status, createdAt, meta, hashes }: Message) => ({
      ...{ id, role, author, parts, status, createdAt, meta, hashes },
    })
    expect(after.map(compared)).toEqual(before.map(compared))
    expect(after[0]?.key).toBe('k1')
    const originals = (each: TestWorld) =>
      each.engine((tl) =>
        Promise.all([0, 1, 2].map((seq) => tl.conversation('rich').original(seq))),
      )
    expect(await originals(other)).toEqual(await originals(test))
    const infos = (each: TestWorld) =>
      each.engine(async (tl) => {
        const { title, meta, chain } = (await tl.conversation('rich').info()) ?? {}
        return { title, meta, chain, parent: (await tl.conversation('child').info())?.parent }
      })
    expect(await infos(other)).toEqual(await infos(test))
  })

  it('writes a new file that only its owner can read', async () => {
    const test = testWorld()
    await test.engine((tl) => tl.conversation('c').append(sessionOf(2)))
    expect((await test.run('export', '--all', '-o', 'all.jsonl')).stdout).toContain(
      '1 conversation, 8 messages',
    )
    const file = join(test.folder, 'all.jsonl')
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(9)
    expect(statSync(file).mode & 0o077).toBe(0)
    expect(await test.run('export', 'c', '-o', 'all.jsonl')).toMatchObject({ exitCode: 1 })
    expect(await test.run('export')).toMatchObject({ exitCode: 64 })
    expect(await test.run('export', 'c', '--format', 'pdf')).toMatchObject({ exitCode: 64 })
    expect(await test.run('export', 'c', 'nobody')).toMatchObject({ exitCode: 1, stdout: '' })
  })

  it('writes Markdown in which message text cannot break out of its block', async () => {
    const test = testWorld()
    await test.engine(async (tl) => {
      const chat = tl.conversation('c')
      await chat.append([
        { role: 'user', content: 'Look.\u001b[2J' },
        {
          role: 'tool',
          content: [{ type: 'tool-result', callId: 'x', output: 'a\n````\n# not a heading\n\tb' }],
        },
        { role: 'user', content: 'secret' },
      ])
      await chat.history.remove('#2')
    })
    const { stdout } = await test.run('export', 'c', '--format', 'markdown')
    expect(stdout).toContain('## #0 user')
    expect(stdout).toContain('\nLook.\n')
    expect(stdout).toContain('`````\na\n````\n# not a heading\n\tb\n`````')
    expect(stdout).toContain('*removed*')
    expect(stdout).not.toContain('secret')
    const asked = ['export', 'c', '--format', 'markdown', '--json']
    expect(await test.run(...asked)).toMatchObject({ exitCode: 64, stdout: '' })
    expect(await test.run(...asked, '-o', 'c.md')).toMatchObject({ exitCode: 0 })
  })

  it('leaves no partial file when interrupted', async () => {
    const test = testWorld()
    await test.engine((tl) => tl.conversation('c').append(sessionOf(2)))
    test.interrupt.abort(new DOMException('stop', 'AbortError'))
    expect(await test.run('export', 'c', '-o', 'half.jsonl')).toMatchObject({ exitCode: 130 })
    expect(statSync(join(test.folder, 'half.jsonl'), { throwIfNoEntry: false })).toBeUndefined()
  })
})
