/** Plays turns of one door in a process of its own: the module with it, its name, and its options as JSON. */
import type { DoorOptions, DoorTable } from './doors.ts'

const [path = '', name = '', options = '{}'] = process.argv.slice(2)
const { doors } = (await import(path)) as { readonly doors: DoorTable }
const door = doors[name]
if (door === undefined) throw new Error(`no door "${name}"`)
await door(JSON.parse(options) as DoorOptions)
