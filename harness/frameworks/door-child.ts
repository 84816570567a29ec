/** Plays turns of one door in a process of its own: the door's name, and its options as JSON. */
import { type DoorOptions, doors } from './doors.ts'

const [name = '', options = '{}'] = process.argv.slice(2)
const door = doors[name]
if (door === undefined) throw new Error(`no door "${name}"`)
await door(JSON.parse(options) as DoorOptions)
