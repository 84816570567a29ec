/**
 * Makes names unique in the order in which they come: `a`, `a#2`, `b`. The same file
 * gives the same names whenever it is read.
 */
import { NameCounts } from './name-counts.ts'

export class UniqueNames {
  readonly #counts = new NameCounts()

  /** Names of one scope have nothing to do with those of another. */
  take(name: string, scope = ''): string {
    const count = this.#counts.add(scope === '' ? name : `${scope}\n${name}`)
    return count === 1 ? name : this.take(`${name}#${count}`, scope)
  }
}
