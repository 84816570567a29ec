/** The files of a checkout, also those that are not committed yet, and which of them are mutated. */
import { execFileSync } from 'node:child_process'

export const sourceFolder = 'packages/throughline/src'

/** The most critical rooms, with a pattern for their files relative to the source folder. */
export const mutatedRooms: Readonly<Record<string, RegExp>> = {
  select: /^flow\/select\//,
  gate: /^flow\/gate\//,
  repair: /repair[\w-]*\.ts$/,
  budget: /budget[\w-]*\.ts$|^flow\/measure\//,
  stores: /^stores\//,
}

export function isMutated(file: string, rooms = Object.keys(mutatedRooms)): boolean {
  return (
    file.startsWith(sourceFolder) &&
    !/\.test(?:-support)?\.ts$|-data\.ts$/.test(file) &&
    rooms.some((room) => mutatedRooms[room]?.test(file.slice(sourceFolder.length + 1)))
  )
}

export function listedFiles(root: string): readonly string[] {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 100_000_000 } as const
  const listed = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], options)
  return listed.split('\0').filter((file) => file !== '')
}
