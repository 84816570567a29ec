/** What stands at a path, as far as it can be told without opening it. */

export type FileKind =
  | 'missing'
  | 'folder'
  /** A pipe, a device: nothing that keeps bytes. */
  | 'special'
  | 'empty'
  | 'filled'

export function fileKind(file: string): FileKind {
  const { statSync } = globalThis.process.getBuiltinModule('node:fs')
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined) return 'missing'
  if (found.isDirectory()) return 'folder'
  if (!found.isFile()) return 'special'
  return found.size === 0 ? 'empty' : 'filled'
}

export interface Beside {
  readonly log: boolean
  readonly journal: boolean
}

/** Whether commits wait beside a file, in its write-ahead log or in a journal, and are not in it yet. */
export function commitsBeside(file: string): Beside {
  const { realpathSync } = globalThis.process.getBuiltinModule('node:fs')
  const real = realpathSync(file)
  return {
    log: fileKind(`${real}-wal`) === 'filled',
    journal: fileKind(`${real}-journal`) === 'filled',
  }
}
