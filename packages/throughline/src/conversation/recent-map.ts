/** What is noted of the conversations or tenants that were touched last: the oldest is forgotten. */
export class RecentMap<Key, Value> {
  readonly #values = new Map<Key, Value>()

  get(key: Key): Value | undefined {
    return this.#values.get(key)
  }

  /** The newest, from now on. */
  set(key: Key, value: Value): void {
    this.#values.delete(key)
    this.#values.set(key, value)
    const [oldest] = this.#values.keys()
    if (this.#values.size > entriesKept && oldest !== undefined) this.#values.delete(oldest)
  }

  delete(key: Key): void {
    this.#values.delete(key)
  }
}

const entriesKept = 1_024
