/** One thread of a command: a share of the work in, its report out. */
import { parentPort, workerData } from 'node:worker_threads'
import { type RaceRuns, runRaces } from './run-races.ts'
import { runWindows, type WindowRuns } from './windows.ts'

export type Share =
  | ({ readonly kind: 'races' } & RaceRuns)
  | ({ readonly kind: 'windows' } & WindowRuns)

const share = workerData as Share
parentPort?.postMessage(share.kind === 'races' ? await runRaces(share) : await runWindows(share))
