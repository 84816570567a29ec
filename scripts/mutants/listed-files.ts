/** The files of a checkout, also those that are not committed yet. */
import { execFileSync } from 'node:child_process'

export function listedFiles(root: string): readonly string[] {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 100_000_000 } as const
  const listed = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], options)
  return listed.split('\0').filter((file) => file !== '')
}
