import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sessionOf, testWorld } from '../../src/cli/world.test-support.ts'
import type { CommandResult, UnprivilegedRun } from './run-unprivileged.ts'
import { spawned } from './spawned.ts'

const looks: readonly (readonly [words: readonly string[], says: string])[] = [
  [['list'], 'session'],
  [['status'], '1 conversation, 161 messages'],
  [['status', 'session'], 'last receipt'],
  [['show', 'session', '0'], 'src/part-0.ts'],
  [['export', 'session'], '"throughline":1'],
  [['recall', 'session', 'limit', 'part-17'], 'src/part-17.ts'],
  [['expand', 'session', '4'], 'src/part-1.ts'],
  [['receipt', 'session'], 'receipt'],
  [['context', 'session', '--window', '8000', '--next', 'the limit of part-17?'], '#161 user'],
  [['compact', 'session', '--preview', '--window', '8000'], 'Dry run'],
  [['pin', 'session'], 'Pinned: #2'],
  [['import', 'more.json', '--dry-run'], 'Dry run: nothing was written'],
  [['doctor'], 'is read-only'],
]

const writes: readonly (readonly string[])[] = [
  ['pin', 'session', '0'],
  ['unpin', 'session', '2'],
  ['undo', 'session'],
  ['compact', 'session'],
  ['purge', 'session', '--yes'],
  ['import', 'more.json'],
  ['chat', 'session', '--model', 'ollama/none'],
]

interface Stored {
  readonly file: string
  /** Sets the modes until the end of the test. */
  seal(modes: { readonly file: number; readonly folder: number }): void
  bytes(): Readonly<Record<string, string>>
  run(...commands: (readonly string[])[]): Promise<readonly CommandResult[]>
}

/** A store in a folder of its own. */
async function stored(): Promise<Stored> {
  const test = testWorld()
  await test.engine(async (tl) => {
    const chat = tl.conversation('session')
    await chat.append(sessionOf(40))
    await chat.pin('#2')
    await chat.compactNextRequest()
    await chat.context({ model: 'gpt-4[8k]' })
    // The index does not cover this message yet.
    await chat.append({ role: 'user', content: 'And a last word.' })
  })
  const folder = join(test.folder, 'kept')
  const file = join(folder, 'chat.db')
  mkdirSync(folder)
  copyFileSync(test.store, file)
  writeFileSync(join(test.folder, 'more.json'), '[{"role":"user","content":"more"}]')
  chmodSync(test.folder, 0o755)
  const script = join(import.meta.dirname, 'run-unprivileged.ts')
  return {
    file,
    seal: (modes) => {
      chmodSync(file, modes.file)
      chmodSync(folder, modes.folder)
      onTestFinished(() => chmodSync(folder, 0o755))
    },
    bytes: () =>
      Object.fromEntries(
        readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'base64')]),
      ),
    run: async (...commands) => {
      const request: UnprivilegedRun = {
        store: file,
        warmUpStore: test.store,
        cwd: test.folder,
        commands,
      }
      const words = ['--conditions=throughline-source', script, JSON.stringify(request)]
      const { stdout, stderr, code } = await spawned(process.execPath, words).ended()
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      return JSON.parse(stdout) as readonly CommandResult[]
    },
  }
}

const sealed = { file: 0o444, folder: 0o555 }

describe.each([
  ['a file and a folder that cannot be written', sealed],
  ['a file that cannot be written', { file: 0o444, folder: 0o777 }],
  ['a folder that cannot be written', { file: 0o666, folder: 0o555 }],
])('a store in %s', (_, modes) => {
  it('can be read, refuses commands that write, and does not change', async () => {
    const { seal, bytes, run } = await stored()
    seal(modes)
    const before = bytes()
    const ran = await run(
      ...looks.map(([words]) => words),
      ...writes.map((each) => [...each, '--json']),
    )
    for (const [index, [words, says]] of looks.entries()) {
      const { exitCode, stdout = '', stderr } = ran[index] ?? {}
      expect({ words, exitCode, stderr }).toEqual({ words, exitCode: 0, stderr: '' })
      expect(stdout).toContain(says)
    }
    const refused = ran.slice(looks.length)
    expect(refused).toHaveLength(writes.length)
    for (const { words, exitCode, stderr } of refused)
      expect({ words, exitCode, stderr: JSON.parse(stderr) }).toMatchObject({
        exitCode: 74,
        stderr: {
          error: {
            code: 'STORE_READ_ONLY',
            message: expect.stringMatching(/is read-only\. Copy the database/),
          },
        },
      })
    expect(bytes()).toEqual(before)
  })
})

describe('a store that cannot be written', () => {
  it('is searched completely, even if it was never indexed', async () => {
    const { file, seal, run } = await stored()
    const database = new DatabaseSync(file)
    expect(database.prepare('SELECT indexed_to FROM conversations').get()).not.toEqual({
      indexed_to: 161,
    })
    database.exec('UPDATE conversations SET indexed_to = 0, indexed_pieces = 0, indexed_words = 0')
    database.close()
    seal(sealed)
    const [found] = await run(['recall', 'session', 'part-31'])
    expect(found?.stdout).toContain('src/part-31.ts')
  })

  it('says what to do if its last commits are in a log that cannot be read there', async () => {
    const { file, seal, bytes, run } = await stored()
    const open = new DatabaseSync(file)
    open.exec("UPDATE conversations SET title = 'in the log'")
    const [whole, log] = [readFileSync(file), readFileSync(`${file}-wal`)]
    open.close()
    writeFileSync(file, whole)
    writeFileSync(`${file}-wal`, log, { mode: 0o444 })
    seal(sealed)
    const before = bytes()
    const [list, doctor] = await run(['list'], ['doctor'])
    expect([list?.exitCode, doctor?.exitCode]).toEqual([74, 1])
    for (const text of [list?.stderr, doctor?.stdout])
      expect(text?.replace(/\s+/g, ' ')).toMatch(/are in a log .* Copy the database/)
    expect(bytes()).toEqual(before)
  })

  it('is refused with a way out if an older release wrote it', async () => {
    const { file, seal, run } = await stored()
    const database = new DatabaseSync(file)
    database.exec('PRAGMA user_version = 11')
    database.close()
    seal(sealed)
    const [list, doctor] = await run(['list'], ['doctor'])
    expect([list?.exitCode, doctor?.exitCode]).toEqual([74, 1])
    for (const text of [list?.stderr, doctor?.stdout])
      expect(text?.replace(/\s+/g, ' ')).toContain('has schema version 11; this release knows')
  })
})
