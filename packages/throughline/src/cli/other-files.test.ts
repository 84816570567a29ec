/** Files at the path of the store that are not a store. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { type TestWorld, testWorld } from './world.test-support.ts'

interface OtherFile {
  readonly make: (path: string) => void
  readonly code: string
  readonly exitCode: number
  readonly says: string
}

const others: Readonly<Record<string, OtherFile>> = {
  'a folder': {
    make: (path) => mkdirSync(path),
    code: 'CONFIG_INVALID',
    exitCode: 78,
    says: 'is a folder; name a file in it, such as',
  },
  'a text': {
    make: (path) => writeFileSync(path, '{"messages":[]}\n'),
    code: 'STORE_CORRUPT',
    exitCode: 74,
    says: 'file is not a database. Restore a backup or use another file',
  },
  'an empty file': {
    make: (path) => writeFileSync(path, ''),
    code: 'STORE_CORRUPT',
    exitCode: 74,
    says: 'is empty',
  },
  'a database of another program': {
    make: (path) => {
      const database = new DatabaseSync(path)
      database.exec('CREATE TABLE bookmarks (url TEXT)')
      database.close()
    },
    code: 'STORE_FOREIGN',
    exitCode: 74,
    says: 'is a database of another program. Use another file',
  },
  'a database of another program that was killed while it wrote': {
    make: leaveHalf,
    code: 'STORE_FOREIGN',
    exitCode: 74,
    says: 'is a database of another program. Use another file',
  },
  'a database of another program that was not closed': {
    make: leaveOpen,
    code: 'STORE_FOREIGN',
    exitCode: 74,
    says: 'is a database of another program. Use another file',
  },
}

/** As a kill leaves it: the newest data is in the write-ahead log. */
function leaveOpen(path: string): void {
  const database = new DatabaseSync(path)
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE bookmarks (url TEXT)')
  const [file, log] = [readFileSync(path), readFileSync(`${path}-wal`)]
  database.close()
  writeFileSync(path, file)
  writeFileSync(`${path}-wal`, log)
}

/** The old content is in a rollback journal. */
function leaveHalf(path: string): void {
  const database = new DatabaseSync(path)
  database.exec(
    'CREATE TABLE bookmarks (url TEXT); PRAGMA cache_spill = 1; PRAGMA cache_size = 1; BEGIN',
  )
  const insert = database.prepare('INSERT INTO bookmarks VALUES (?)')
  for (let row = 0; row < 100; row += 1) insert.run('x'.repeat(1_000))
  const [file, journal] = [readFileSync(path), readFileSync(`${path}-journal`)]
  database.close()
  writeFileSync(path, file)
  writeFileSync(`${path}-journal`, journal)
}

const commands: readonly (readonly string[])[] = [
  ...[['list'], ['status'], ['status', 'c'], ['show', 'c'], ['context', 'c'], ['receipt', 'c']],
  ...[
    ['recall', 'c', 'port'],
    ['expand', 'c', '0'],
    ['compact', 'c'],
    ['undo', 'c'],
  ],
  ...[
    ['pin', 'c'],
    ['pin', 'c', '0'],
    ['unpin', 'c', '0'],
    ['purge', 'c', '--yes'],
  ],
  ...[
    ['export', 'c'],
    ['replay', 'c'],
  ],
]

/** They turn an empty file into a store. */
const creatingCommands: readonly (readonly string[])[] = [
  ['import', 'talk.json'],
  ['import', 'talk.json', '--dry-run'],
  ['chat', '--model', 'ollama/none'],
]

function world(): TestWorld {
  const test = testWorld()
  writeFileSync(join(test.folder, 'talk.json'), '[{"role":"user","content":"hello"}]')
  return test
}

/** All files except the -shm index, which SQLite rewrites at any time. */
function bytesIn({ folder }: TestWorld): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(folder)
      .filter((name) => statSync(join(folder, name)).isFile() && !name.endsWith('-shm'))
      .map((name) => [name, readFileSync(join(folder, name), 'base64')]),
  )
}

describe.each(Object.entries(others))('%s where the store should be', (name, other) => {
  it('is reported by every command, and not changed', async () => {
    const test = world()
    other.make(test.store)
    const before = bytesIn(test)
    const refusing = name === 'an empty file' ? commands : [...commands, ...creatingCommands]
    for (const words of refusing) {
      const { exitCode, stdout, stderr } = await test.run(...words, '--json')
      expect({ words, exitCode, stdout }).toEqual({ words, exitCode: other.exitCode, stdout: '' })
      expect({ words, ...JSON.parse(stderr) }).toMatchObject({
        error: { code: other.code, message: expect.stringContaining(other.says) },
      })
    }
    expect(bytesIn(test)).toEqual(before)
  })

  it('is reported by doctor, and not changed', async () => {
    const test = world()
    other.make(test.store)
    const before = bytesIn(test)
    const { exitCode, stdout } = await test.run('doctor', '--json')
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      healthy: false,
      findings: expect.arrayContaining([
        { about: 'store', state: 'problem', text: expect.stringContaining(other.says) },
      ]),
    })
    expect(bytesIn(test)).toEqual(before)
  })
})

describe('an empty file where the store should be', () => {
  it('becomes a store with the first import, as after a kill', async () => {
    const test = world()
    writeFileSync(test.store, '')
    expect((await test.run('import', 'talk.json', '--dry-run')).exitCode).toBe(0)
    expect(statSync(test.store).size).toBe(0)
    expect((await test.run('import', 'talk.json')).exitCode).toBe(0)
    expect((await test.run('list')).stdout).toContain('hello')
  })
})

it('doctor reports a store that a newer release wrote', async () => {
  const test = world()
  await test.run('import', 'talk.json')
  const database = new DatabaseSync(test.store)
  database.exec('PRAGMA user_version = 999')
  database.close()
  const { exitCode, stdout } = await test.run('doctor')
  expect(exitCode).toBe(1)
  expect(stdout.replace(/\s+/g, ' ')).toContain('has schema version 999; this release knows')
})
