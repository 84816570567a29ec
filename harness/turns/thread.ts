/** One thread of a command: its shares of the sessions in, a report of each out. */
import { parentPort, workerData } from 'node:worker_threads'
import { runSessions, type SessionRuns } from './run-sessions.ts'

for (const share of workerData as readonly SessionRuns[])
  parentPort?.postMessage(await runSessions(share))
