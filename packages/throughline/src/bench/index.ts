/** The measures, on any folder of transcripts. */
import { type MeasureName, measures } from './measures.ts'
import { policyHash } from './policy-hash.ts'
import type { BenchOptions, BenchReport } from './report.ts'

export { type Measure, type MeasureName, measures } from './measures.ts'
export type { BenchOptions, BenchProgress, BenchReport, BenchRow, BenchTable } from './report.ts'
export { table } from './table.ts'

export async function bench(measure: MeasureName, options: BenchOptions): Promise<BenchReport> {
  return { measure, policyHash: policyHash(), rows: await measures[measure].take(options) }
}
