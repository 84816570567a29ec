/**
 * Opening a named pipe waits until somebody writes to it, in a thread that no signal ends: the
 * process could only be killed. A shell waits better. What stands under /dev and /proc, as
 * `<(zcat …)` does, has its writer already.
 */
import type { Stats } from 'node:fs'
import { WrongUsage } from './ending.ts'

export function refuseNamedPipe(word: string, path: string, found: Stats): void {
  if (!found.isFIFO() || /^\/(?:dev|proc)\//.test(path)) return
  throw new WrongUsage(`"${word}" is a named pipe: say - and let the shell open it, "- < ${word}"`)
}
