/**
 * Makes names unique in the order in which they come: `a`, `a#2`, `b`. The same file
 * gives the same names whenever it is read.
 */
export class UniqueNames {
  readonly #counts = new Map<string, number>()

  take(name: string): string {
    const count = (this.#counts.get(name) ?? 0) + 1
    this.#counts.set(name, count)
    return count === 1 ? name : this.take(`${name}#${count}`)
  }
}
