/** The database of the kitchen: rows in memory. Only the database assigns real ids. */
export interface Row {
  readonly id: number
  readonly type: 'recipe' | 'meal_plan' | 'task'
  readonly name: string
  readonly body: string
}

export class Database {
  readonly #rows = new Map<number, Row>()
  #last = 16

  insert(row: Omit<Row, 'id'>): Row {
    this.#last += 1
    const inserted = { ...row, id: this.#last }
    this.#rows.set(inserted.id, inserted)
    return inserted
  }

  all(type: Row['type']): readonly Row[] {
    return [...this.#rows.values()].filter((row) => row.type === type)
  }

  named(name: string): Row {
    const row = [...this.#rows.values()].find((each) => each.name === name)
    if (row === undefined) throw new Error(`there is no row "${name}"`)
    return row
  }

  update(id: number, body: string): Row {
    const row = this.#rows.get(id)
    if (row === undefined) throw new Error(`there is no row ${id}`)
    const updated = { ...row, body }
    this.#rows.set(id, updated)
    return updated
  }

  delete(id: number): void {
    if (!this.#rows.delete(id)) throw new Error(`there is no row ${id}`)
  }
}
