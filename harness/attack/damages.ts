/** Ways in which a file is damaged: bytes and pages, and every column of every table by SQL. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Chance } from '../kernel/chance.ts'

export interface Damage {
  readonly name: string
  /** Makes the damaged file; false where SQLite does not allow it. */
  apply(sound: string, damaged: string): boolean
}

const pageBytes = 4_096

export function pageDamages(chance: Chance, count: number): readonly Damage[] {
  const kinds = Object.keys(pageKinds)
  return chance.times(count, (index) => {
    const kind = kinds[index % kinds.length] ?? 'flips'
    const draws = chance.times(4, () => chance.below(2 ** 31))
    return {
      name: `${kind} ${draws.join(' ')}`,
      apply: (sound, damaged) => {
        writeFileSync(damaged, pageKinds[kind]?.(readFileSync(sound), draws) ?? '')
        return true
      },
    }
  })
}

type Draws = readonly number[]

const pageKinds: Readonly<Record<string, (bytes: Buffer, draws: Draws) => Buffer>> = {
  flips: (bytes, draws) => {
    for (const draw of draws) {
      const at = draw % bytes.length
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (draw % 8))
    }
    return bytes
  },
  'one flip': (bytes, [draw = 0]) => {
    const at = draw % bytes.length
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (draw % 8))
    return bytes
  },
  zeroes: (bytes, [page = 0]) => {
    const at = pageAt(bytes, page)
    return bytes.fill(0, at, at + pageBytes)
  },
  ones: (bytes, [page = 0]) => {
    const at = pageAt(bytes, page)
    return bytes.fill(0xff, at, at + pageBytes)
  },
  run: (bytes, [draw = 0, length = 0]) => {
    const at = draw % bytes.length
    return bytes.fill(0, at, at + 1 + (length % 64))
  },
  copied: (bytes, [from = 0, to = 0]) => {
    bytes.copy(bytes, pageAt(bytes, to), pageAt(bytes, from), pageAt(bytes, from) + pageBytes)
    return bytes
  },
  cut: (bytes, [draw = 0]) => bytes.subarray(0, draw % bytes.length),
}

function pageAt(bytes: Buffer, draw: number): number {
  return (draw % Math.floor(bytes.length / pageBytes)) * pageBytes
}

/** Values that a column did not have: of another shape, out of range, or plainly another one. */
const values = [
  ...['NULL', '-1', '7', '9000000000000000', "'x'", "'{}'", "'[null]'"],
  ...[`'[{"kind":"removed"}]'`, "x'00'"],
]

/** Of rows that say something: in the middle of a table, each in one column. */
export function columnDamages(sound: string): readonly Damage[] {
  const database = new DatabaseSync(sound, { readOnly: true })
  try {
    const columns = database
      .prepare(
        `SELECT m.name AS tableName, p.name AS columnName FROM sqlite_schema m, pragma_table_info(m.name) p
         WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' AND m.name NOT LIKE 'recall%'
         ORDER BY m.name, p.cid`,
      )
      .all()
    return columns.flatMap(({ tableName, columnName }) =>
      values.map((value) => columnDamage(`${tableName}`, `${columnName}`, value)),
    )
  } finally {
    database.close()
  }
}

function columnDamage(table: string, column: string, value: string): Damage {
  const sql = `UPDATE ${table} SET ${column} = ${value} WHERE ${column} IS NOT ${value}`
  return {
    name: sql,
    apply: (sound, damaged) => {
      copyFileSync(sound, damaged)
      const database = new DatabaseSync(damaged, { enableForeignKeyConstraints: false })
      try {
        // All rows where it can be, one where it has to be unique.
        try {
          database.exec(sql)
        } catch {
          database.exec(`${sql} AND ${column} = (SELECT max(${column}) FROM ${table})`)
        }
        return Number(database.prepare('SELECT changes() AS rows').get()?.['rows']) > 0
      } catch {
        return false
      } finally {
        database.close()
      }
    },
  }
}
