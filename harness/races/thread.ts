/** One thread of a command: its shares of the work in, a report of each out. */
import { parentPort, workerData } from 'node:worker_threads'
import { type RaceRuns, runRaces } from './run-races.ts'
import { runWindows, type WindowRuns } from './windows.ts'

export type Share =
  | ({ readonly kind: 'races' } & RaceRuns)
  | ({ readonly kind: 'windows' } & WindowRuns)

for (const share of workerData as readonly Share[])
  parentPort?.postMessage({
    share,
    report: share.kind === 'races' ? await runRaces(share) : await runWindows(share),
  })
