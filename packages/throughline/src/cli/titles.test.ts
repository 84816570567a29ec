/** Titles that commands derive from messages: purging the message removes the title. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chatTest } from './chat/chat.test-support.ts'
import { type TestWorld, testWorld } from './world.test-support.ts'

const titlesIn = async ({ json }: Pick<TestWorld, 'json'>) => {
  const { conversations } = (await json('list', '--children')) as {
    conversations: readonly { readonly id: string; readonly title: string | null }[]
  }
  return Object.fromEntries(conversations.map(({ id, title }) => [id, title]))
}

const line = (record: object) => `${JSON.stringify(record)}\n`
const userLine = (id: string, number: number, content: string) =>
  line({ type: 'user', uuid: `${id}-${number}`, sessionId: id, message: { content } })

describe('the title of an imported conversation', () => {
  it('is removed with the message that it comes from', async () => {
    const test = testWorld()
    writeFileSync(
      join(test.folder, 'one.jsonl'),
      userLine('s', 0, '<note>x</note>') +
        userLine('s', 1, 'The canary sings.') +
        userLine('s', 2, 'Again.'),
    )
    await test.run('import', 'one.jsonl')
    expect(await titlesIn(test)).toEqual({ s: 'The canary sings.' })
    expect(await test.run('purge', 's', '1', '--yes')).toMatchObject({ exitCode: 0 })
    expect(await titlesIn(test)).toEqual({ s: 'Again.' })
    expect(readFileSync(test.store).includes('canary')).toBe(false)
  })

  it('stays if the transcript has a title of its own', async () => {
    const test = testWorld()
    writeFileSync(
      join(test.folder, 'one.jsonl'),
      line({ throughline: 1, id: 's', title: 'Birds' }) +
        line({ role: 'user', content: [{ type: 'text', text: 'Birds' }] }),
    )
    await test.run('import', 'one.jsonl')
    await test.run('purge', 's', '0', '--yes')
    expect(await titlesIn(test)).toEqual({ s: 'Birds' })
  })

  it('is removed from the fork of a changed transcript too', async () => {
    const test = testWorld()
    const file = join(test.folder, 'one.jsonl')
    writeFileSync(file, userLine('s', 0, 'The canary sings.') + userLine('s', 1, 'Again.'))
    await test.run('import', 'one.jsonl')
    writeFileSync(file, userLine('s', 0, 'The canary sings.') + userLine('s', 7, 'Never.'))
    await test.run('import', 'one.jsonl')
    expect(Object.values(await titlesIn(test))).toEqual(['The canary sings.', 'The canary sings.'])
    await test.run('purge', 's', '0', '--yes', '--forks')
    expect(Object.values(await titlesIn(test)).sort()).toEqual(['Again.', 'Never.'])
  })

  it('is derived again from an export, and removed there too', async () => {
    const [from, to] = [testWorld(), testWorld()]
    writeFileSync(join(from.folder, 'one.jsonl'), userLine('s', 0, 'The canary sings.'))
    await from.run('import', 'one.jsonl')
    writeFileSync(join(to.folder, 'out.jsonl'), (await from.run('export', 's')).stdout)
    await to.run('import', 'out.jsonl')
    expect(await titlesIn(to)).toEqual({ s: 'The canary sings.' })
    await to.run('purge', 's', '0', '--yes')
    expect(await titlesIn(to)).toEqual({ s: null })
  })
})

describe('the title of a chat', () => {
  it('is never cut inside a character', async () => {
    const test = await chatTest({ server: { answers: 'Yes.' } })
    for (const before of [58, 59, 60, 78, 79, 80]) {
      const text = `${'x'.repeat(before)}\u{1f600}${'y'.repeat(60)}`
      expect(await test.run('chat', `c${before}`, '-m', text)).toMatchObject({
        exitCode: 0,
        stderr: '',
      })
    }
    for (const title of Object.values(await titlesIn(test)))
      expect(title?.isWellFormed()).toBe(true)
  })

  it('is removed with the first message, and contains no secret of it', async () => {
    const test = await chatTest({ server: { answers: 'Yes.' } })
    await test.run('chat', 'c', '-m', 'Clone https://ada:canary@example.com/a.git')
    expect(await titlesIn(test)).toEqual({
      c: 'Clone https://ada:[redacted: password in an address]@example.com/a.git',
    })
    await test.run('purge', 'c', '0', '--yes')
    expect(await titlesIn(test)).toEqual({ c: null })
  })

  it('does not replace an existing title', async () => {
    const test = await chatTest({ server: { answers: 'Yes.' } })
    await test.engine((tl) => tl.begin('c', { title: 'Mine' }))
    await test.run('chat', 'c', '-m', 'Hello')
    expect(await titlesIn(test)).toEqual({ c: 'Mine' })
  })
})
