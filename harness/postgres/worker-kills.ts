/** Kills workers inside their jobs: the job must go to another worker in time, and have one effect. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { migratePostgres, postgres, postgresQueue } from '@throughline/postgres'
import { createThroughline } from 'throughline'
import type { Finding, Print } from '../kernel/finding.ts'
import { withPostgres } from './server.ts'

export function runWorkerKills(
  { kills, lease }: { readonly kills: number; readonly lease: number },
  print: Print,
) {
  return withPostgres({}, async ({ url }) => {
    await migratePostgres({ url })
    const findings: Finding[] = []
    const adding = postgresQueue({ url, works: false })
    const resumedMs: number[] = []
    for (let kill = 0; kill < kills; kill += 1) {
      const conversation = `c${kill}`
      const first = worker(url, lease, 'sleeps')
      await first.prints('ready')
      adding.add({ kind: 'digest', tenant: 'default', conversation, model: 'm', seq: 0 })
      await first.prints('started')
      // It runs before the kill, so that the time of its start is not measured.
      const second = worker(url, lease, 'works')
      await second.prints('ready')
      first.kill()
      const at = performance.now()
      await second.prints('started')
      resumedMs.push(performance.now() - at)
      await second.prints('done')
      await second.stop()
      print(
        `kill ${kill + 1}: another worker had the job after ${Math.round(resumedMs.at(-1) ?? 0)} ms`,
      )
    }
    const tl = createThroughline({ store: postgres({ url }) })
    for (let kill = 0; kill < kills; kill += 1) {
      const head = (await tl.conversation(`c${kill}`).info())?.head ?? 0
      if (head !== 1) findings.push({ rule: 'effects', detail: `job ${kill} had ${head}` })
    }
    for (const ms of resumedMs)
      if (ms > Math.min(60_000, 3 * lease))
        findings.push({ rule: 'late', detail: `${Math.round(ms)} ms` })
    await Promise.all([tl.close(), adding.close()])
    return { findings, kills, lease, slowestMs: Math.round(Math.max(...resumedMs)) }
  })
}

function worker(url: string, lease: number, does: 'sleeps' | 'works') {
  const file = fileURLToPath(new URL('./job-child.ts', import.meta.url))
  const words = ['--conditions=throughline-source', file, url, String(lease), does]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    prints: async (word: string) => {
      const { value, done } = await lines.next()
      if (done || value !== word) throw new Error(`the worker prints ${value}, not ${word}`)
    },
    kill: () => void child.kill('SIGKILL'),
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
