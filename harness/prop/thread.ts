/** One thread of a run: its seeds in, its report out. */
import { parentPort, workerData } from 'node:worker_threads'
import { runSeeds } from './run-seeds.ts'

parentPort?.postMessage(await runSeeds(workerData as readonly number[]))
