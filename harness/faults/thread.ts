/** One thread: its runs in, a report out for each as it is there. */
import { parentPort, workerData } from 'node:worker_threads'
import type { PlannedRun } from './planned-run.ts'
import { runPlanned } from './run-planned.ts'

await runPlanned(workerData as readonly PlannedRun[], (report) => parentPort?.postMessage(report))
