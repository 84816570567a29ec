/** A PostgreSQL cluster of the machine's own programs, on a free port of the loopback address. */
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname } from 'node:path'

export interface PostgresServer {
  readonly url: string
  stop(): Promise<void>
}

/** PostgreSQL refuses to run as root. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

export async function startPostgres(folder: string): Promise<PostgresServer> {
  if (!existsSync(folder)) {
    mkdirSync(folder, { mode: 0o700 })
    // Temporary folders are closed to other users.
    chmodSync(dirname(folder), 0o711)
    if (unprivileged.uid !== undefined) chownSync(folder, unprivileged.uid, unprivileged.gid)
    const made = spawnSync(
      'initdb',
      ['-D', folder, '-A', 'trust', '-U', 'postgres', '--no-sync'],
      unprivileged,
    )
    if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr ?? made.error}`)
  }
  const port = await freePort()
  const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=']
  const server = spawn('postgres', ['-D', folder, '-p', `${port}`, '-F', ...settings], unprivileged)
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    let log = ''
    server.once('error', reject)
    server.once('exit', () => reject(new Error(`postgres ended: ${log}`)))
    server.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString()
      if (log.includes('ready to accept connections')) resolve()
    })
  })
  // A process that fails would leave it running.
  process.once('exit', () => server.kill('SIGINT'))
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    stop: () => {
      // Waits for connections to close.
      server.kill('SIGTERM')
      return ended
    },
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
