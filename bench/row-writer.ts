/** Writes rows of one measure that share their source, size and (by default) count. */
import type { BenchRow } from './report.ts'

export function rowWriter({ source, size, n: counted }: Pick<BenchRow, 'source' | 'size' | 'n'>) {
  return (method: string, value: number, unit: string, n = counted): BenchRow => ({
    source,
    method,
    size,
    value,
    unit,
    n,
  })
}
