/**
 * A copy of the repository that may be changed: it hard-links the files, and a change replaces the link
 * with a new file, so the checkout never changes.
 */
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { listedFiles } from './listed-files.ts'

export class ScratchCopy {
  readonly root = mkdtempSync(join(tmpdir(), 'throughline-mutants-'))
  readonly #from: string

  constructor(from: string) {
    this.#from = from
    for (const file of listedFiles(from)) this.restore(file)
    this.#linkPackages()
  }

  write(file: string, text: string): void {
    rmSync(join(this.root, file), { force: true })
    writeFileSync(join(this.root, file), text)
  }

  /** Restores a file as it is in the checkout. */
  restore(file: string): void {
    const [from, to] = [join(this.#from, file), join(this.root, file)]
    mkdirSync(dirname(to), { recursive: true })
    rmSync(to, { force: true })
    try {
      linkSync(from, to)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // The file is deleted, or on another disk.
      if (code === 'ENOENT') return
      copyFileSync(from, to)
    }
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true })
  }

  /** Links the installed packages, and our own from this copy. */
  #linkPackages(): void {
    const [from, to] = [join(this.#from, 'node_modules'), join(this.root, 'node_modules')]
    const own = readdirSync(join(this.root, 'packages'))
    mkdirSync(to)
    for (const name of readdirSync(from))
      if (!name.startsWith('.') && !own.includes(name))
        symlinkSync(join(from, name), join(to, name))
    for (const name of own) symlinkSync(join(this.root, 'packages', name), join(to, name))
  }
}
