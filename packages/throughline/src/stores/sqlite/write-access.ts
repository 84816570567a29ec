/** Whether a database can be written: its file, and the folder where its log lies beside it. */

/** Which of the two cannot be; null where nothing stands in the way, or where there is no file yet. */
export function unwritable(file: string): 'file' | 'folder' | null {
  const { existsSync, realpathSync } = library()
  if (!existsSync(file)) return null
  const real = realpathSync(file)
  if (!mayWrite(real)) return 'file'
  // Where others have it open, its log is there, and no file has to be made.
  const isOpen = ['-wal', '-shm'].every((suffix) => mayWrite(`${real}${suffix}`))
  const folder = globalThis.process.getBuiltinModule('node:path').dirname(real)
  return isOpen || mayWrite(folder) ? null : 'folder'
}

function mayWrite(path: string): boolean {
  const { accessSync, constants } = library()
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function library(): typeof import('node:fs') {
  return globalThis.process.getBuiltinModule('node:fs')
}
