/**
 * What is searched of messages that the caller keeps: an index made when somebody asks, of
 * messages that mostly were analysed before.
 */
import type { LogReader } from '../read/log-reader.ts'
import type { Recaller } from '../read/recaller.ts'
import { type LogScan, scanLog } from './scan-log.ts'

export function arrayRecaller(log: Pick<LogReader, 'head' | 'read'>): Recaller {
  let scan: LogScan | null = null
  return {
    async find(query) {
      scan ??= await scanLog((span) => log.read(span, []), { from: 0, to: log.head })
      const to = Math.min(scan.span.from, query.before)
      return { ...scan.index.find(query), unsearched: to > 0 ? { from: 0, to } : null }
    },
  }
}
