import type { BenchRow } from './report.ts'
export async function recallSpeedRows(): Promise<readonly BenchRow[]> {
  return []
}
