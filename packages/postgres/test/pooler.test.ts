/** Through pgbouncer in transaction mode, where it is installed: each transaction may get another session. */
import { spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { compareWithMemory } from '../../throughline/src/testing/store-contract/compare.ts'
import {
  randomCommands,
  randomSearches,
} from '../../throughline/src/testing/store-contract/random-commands.ts'
import { postgres } from '../src/index.ts'
import { erasedAsInMemory } from './erased-as-in-memory.ts'
import { newSchema, server, sql } from './shared-server.ts'

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path))
const isPossible = server !== null && server.programs !== null && program !== undefined
if (!isPossible) console.warn('tests of pgbouncer are skipped: it is not installed')

describe.skipIf(!isPossible)('through pgbouncer in transaction mode', () => {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-pgbouncer-'))
  const schemas: string[] = []
  let url = ''
  let stop = () => {}
  beforeAll(async () => {
    const port = await new Promise<number>((resolve) => {
      const probe = createServer().listen(0, '127.0.0.1', () => {
        const address = probe.address()
        const found = typeof address === 'object' ? (address?.port ?? 0) : 0
        probe.close(() => resolve(found))
      })
    })
    const target = new URL(server?.url ?? 'postgres://x')
    const settings = `[databases]
* = host=${target.hostname} port=${target.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
server_reset_query_always = 0
ignore_startup_parameters = extra_float_digits
`
    const file = join(folder, 'pgbouncer.ini')
    writeFileSync(file, settings.replace('* = ', 'postgres = user=postgres dbname=postgres '))
    const isRoot = process.getuid?.() === 0
    const asUser = isRoot ? { uid: 65_534, gid: 65_534 } : {}
    if (isRoot) for (const path of [folder, file]) chownSync(path, 65_534, 65_534)
    const child = spawn(program ?? '', ['-q', file], { ...asUser, stdio: 'ignore' })
    stop = () => void child.kill('SIGKILL')
    process.once('exit', stop)
    url = `postgres://postgres@127.0.0.1:${port}/postgres`
    for (let tries = 0; ; tries += 1)
      try {
        await sql('SELECT 1', [], url)
        return
      } catch (cause) {
        if (tries > 200) throw cause
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
  })
  afterAll(async () => {
    stop()
    for (const schema of schemas) await sql(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
    rmSync(folder, { recursive: true })
  })

  it('answers as the memory store', async () => {
    const open = () => {
      const schema = newSchema()
      schemas.push(schema)
      return erasedAsInMemory(postgres({ url, schema, maxConnections: 6 }))
    }
    const scripts = [randomCommands(911), randomCommands(912), randomSearches(913)]
    await Promise.all(scripts.map((script) => compareWithMemory(open(), script)))
  })
})
