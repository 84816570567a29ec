/** Where no store is yet: a look says so, and makes none. */
import { type Ending, notDone } from './ending.ts'
import { typedCommand } from './typed-command.ts'
import type { World } from './world.ts'

export function noStore(file: string, world: World): Ending {
  return notDone('NOT_FOUND', noStoreText(file, world), { store: file })
}

export function noStoreText(file: string, world: World): string {
  return `there is no store at ${file} yet; ${typedCommand('import FILE', world)} or ${typedCommand('chat', world)} begins one`
}
