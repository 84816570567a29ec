/** A worker thread: receives shares of the work and posts a report of each. */
import { parentPort, workerData } from 'node:worker_threads'
import type { DealtShare, ThreadReport } from './threads.ts'

const { module, run } = workerData as { readonly module: string; readonly run: string }
const work = ((await import(module)) as Record<string, (share: unknown) => Promise<unknown>>)[run]
if (work === undefined) throw new Error(`${module} exports no ${run}`)

parentPort?.on('message', async ({ number, share }: DealtShare) => {
  parentPort?.postMessage({ number, report: await work(share) } satisfies ThreadReport)
})
