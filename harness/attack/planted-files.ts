/** What an attacker leaves for a victim to find: settings files and databases, of any owner, mode and kind. */

import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { User } from '../../packages/throughline/src/cli/ownership.ts'

/** Without names: a process in a container may have none. */
export const victim: User = { uid: 54_321, gid: 54_321 }
const attacker: User = { uid: 54_322, gid: 54_322 }
const root: User = { uid: 0, gid: 0 }
/** A group that the victim shares with others. */
const shared: User = { uid: victim.uid, gid: 54_399 }

export const owners = { victim, attacker, root, shared }

export interface Owned {
  readonly owner: keyof typeof owners
  readonly mode: number
}

const kinds = ['file', 'link-of-others', 'link-to-others', 'pipe', 'folder'] as const

export interface PlantedFile extends Owned {
  readonly kind: (typeof kinds)[number]
}

/** Whether somebody else owns it or can write it, by the words of the document. */
export function isForeign({ owner, mode, kind }: PlantedFile): boolean {
  if (kind === 'link-of-others' || kind === 'link-to-others') return true
  if (owner === 'attacker' || owner === 'root') return true
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && owner === 'shared')
}

export function needsRoot({ owner, kind }: PlantedFile): boolean {
  return owner !== 'victim' || kind.startsWith('link-')
}

export const isRoot = process.geteuid?.() === 0

/** As whoever can: where it is not root, every file is the victim's. */
export function own(path: string, owner: keyof typeof owners): void {
  if (isRoot) lchownSync(path, owners[owner].uid, owners[owner].gid)
}

export function makeFolder(path: string, { owner, mode }: Owned): string {
  mkdirSync(path, { recursive: true })
  own(path, owner)
  chmodSync(path, mode)
  return path
}

export function plant(path: string, content: string | { copy: string }, how: PlantedFile): void {
  if (how.kind === 'folder') {
    makeFolder(path, { ...how, mode: how.mode | 0o100 })
    return
  }
  if (how.kind === 'pipe') {
    execFileSync('mkfifo', [path])
    own(path, how.owner)
    chmodSync(path, how.mode)
    return
  }
  const isLink = how.kind !== 'file'
  // A link of the attacker's leads to a file of the victim's, and the other way round.
  const real = isLink ? join(dirname(dirname(path)), `target-of-${how.kind}`) : path
  if (typeof content === 'string') writeFileSync(real, content)
  else copyFileSync(content.copy, real)
  own(real, how.kind === 'link-of-others' ? 'victim' : isLink ? 'attacker' : how.owner)
  chmodSync(real, how.mode)
  if (!isLink) return
  symlinkSync(real, path)
  own(path, how.kind === 'link-of-others' ? 'attacker' : 'victim')
}

/** Every file below a folder with its bytes; what is no file with its kind. */
export function filesBelow(folder: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory() || entry.isFIFO()) continue
    if (statSync(path, { throwIfNoEntry: false })?.isFile())
      found.set(path, readFileSync(path, 'latin1'))
  }
  return found
}
