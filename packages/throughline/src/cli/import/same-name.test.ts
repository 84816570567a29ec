import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createThroughline } from '../../index.ts'
import { testWorld } from '../world.test-support.ts'
import { importTranscript } from './import-run.ts'

const ours = 'User: How many sheep?\n\nAssistant: Seven.\n'
const theirs = 'User: Who painted the gate?\n\nAssistant: Ana.\n'

function worldOfTwo() {
  const test = testWorld()
  mkdirSync(join(test.folder, 'o'))
  writeFileSync(join(test.folder, 'talk.txt'), ours)
  writeFileSync(join(test.folder, 'o', 'talk.txt'), theirs)
  return test
}

describe('two files with the same name', () => {
  it('become two conversations, not forks', async () => {
    const { run, json } = worldOfTwo()
    await run('import', 'talk.txt')
    const { stdout } = await run('import', 'o/talk.txt')
    expect(stdout).toContain('✓ o/talk.txt: 1 conversation, 2 messages, all new')
    expect(stdout).not.toContain('differs from the file')
    expect(stdout).toMatch(
      /o\/talk\.txt: another conversation already has the id talk; this one is talk~[0-9a-f]{12}\n/,
    )
    const { conversations } = (await json('list')) as { conversations: readonly { id: string }[] }
    expect(conversations.map(({ id }) => id.replace(/~.*/, '~'))).toEqual(
      expect.arrayContaining(['talk', 'talk~']),
    )
    expect(conversations).toHaveLength(2)
  })

  it('keep their ids in later imports, even when they have grown', async () => {
    const { json, folder } = worldOfTwo()
    await json('import', 'talk.txt')
    const first = await json('import', 'o/talk.txt')
    const second = { title: 'Who painted the gate?', differs: null, messages: 2 }
    expect(first).toMatchObject({
      files: [
        { report: { conversations: [{ ...second, state: 'new', added: 2, nameTaken: 'talk' }] } },
      ],
    })
    expect(await json('import', 'o/talk.txt')).toMatchObject({
      files: [{ report: { conversations: [{ ...second, state: 'known', added: 0 }] } }],
    })
    writeFileSync(join(folder, 'o', 'talk.txt'), `${theirs}User: When?\n`)
    writeFileSync(join(folder, 'talk.txt'), `${ours}User: And goats?\n`)
    expect(await json('import', 'o/talk.txt', 'talk.txt')).toMatchObject({
      files: [
        {
          report: { conversations: [{ state: 'known', messages: 3, added: 1, nameTaken: 'talk' }] },
        },
        {
          report: {
            conversations: [{ id: 'talk', state: 'known', messages: 3, added: 1, nameTaken: null }],
          },
        },
      ],
    })
    expect(
      ((await json('list')) as { conversations: readonly object[] }).conversations,
    ).toHaveLength(2)
  })

  it('become forks if their first messages are equal, even after a taken name', async () => {
    const { json, folder } = worldOfTwo()
    await json('import', 'talk.txt', 'o/talk.txt')
    writeFileSync(join(folder, 'o', 'talk.txt'), theirs.replace('Ana', 'Bo'))
    const again = await json('import', 'o/talk.txt')
    expect(again).toMatchObject({
      files: [
        { report: { conversations: [{ state: 'fork', differs: { at: 1 }, nameTaken: null }] } },
      ],
    })
    expect(JSON.stringify(again)).toMatch(/"from":"talk~[0-9a-f]{12}"/)
  })

  it('stay separate with --into', async () => {
    const { json, run, folder } = worldOfTwo()
    await json('import', 'talk.txt', '--into', 'herd')
    writeFileSync(join(folder, 'talk.txt'), theirs)
    expect((await run('import', 'talk.txt', '--into', 'herd')).stdout).toContain(
      'herd differs from the file at #0',
    )
  })

  it('stay separate if the transcript has more conversations than fit in memory', async () => {
    const tl = createThroughline()
    await tl.conversation('s0').append({ role: 'user', content: 'something else' })
    const names = Array.from({ length: 30 }, (_, index) => `s${index % 10}`)
    const text = names.map((session_id, index) =>
      JSON.stringify({ role: 'user', content: `m${index}`, session_id }),
    )
    const source = Readable.from([Buffer.from(text.join('\n'))])
    await importTranscript(tl, source, { logsKept: 3 })
    const infos = await tl.list()
    expect(infos).toHaveLength(11)
    const heads = infos.map(({ id, head }) => `${id.replace(/~.*/, '~')} ${head}`)
    expect(heads).toEqual(expect.arrayContaining(['s0 1', 's0~ 3', 's1 3', 's9 3']))
  })
})
