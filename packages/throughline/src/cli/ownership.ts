/**
 * Checks that only the user can write a file: settings and conversations of other users are not used. The
 * owner must be the effective user of the process (root included), and no one else may write it. The
 * user's private group may, which by convention has the user's own number. For a link, both the link and
 * its target are checked. Windows has no such owners, so nothing is foreign there.
 */
import { existsSync, lstatSync, mkdirSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'

export interface User {
  readonly uid: number
  readonly gid: number
}

/** Null if the system has no numeric users, as on Windows. */
export function currentUser(): User | null {
  const [uid, gid] = [process.geteuid?.(), process.getegid?.()]
  return uid === undefined || gid === undefined ? null : { uid, gid }
}

/** Why a file is not the user's own; null if it is, or if it does not exist. */
export function foreignFile(path: string, user: User | null): string | null {
  if (user === null) return null
  const link = lstatSync(path, { throwIfNoEntry: false })
  if (link === undefined) return null
  if (link.isSymbolicLink() && link.uid !== user.uid)
    return `it is a link that belongs to another user (${numbers(link, user)})`
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? null : foreignStats(found, user)
}

export function foreignStats(found: Stats, user: User | null): string | null {
  if (user === null) return null
  if (found.uid !== user.uid) return `it belongs to another user (${numbers(found, user)})`
  return othersWrite(found, user)
}

/** Why others can put files into a folder. One that only root can write is safe. */
export function foreignFolder(path: string, user: User | null): string | null {
  const found = user === null ? undefined : statSync(path, { throwIfNoEntry: false })
  if (user === null || found === undefined) return null
  if (found.uid !== user.uid && found.uid !== 0)
    return `it belongs to another user (${numbers(found, user)})`
  return othersWrite(found, user)
}

function othersWrite({ mode, gid }: Stats, user: User): string | null {
  if ((mode & 0o002) !== 0) return 'all users can write it'
  const isPrivate = gid === user.gid && gid === user.uid
  return (mode & 0o020) !== 0 && !isPrivate ? `its group can write it (gid ${gid})` : null
}

function numbers({ uid }: Stats, user: User): string {
  return `uid ${uid}, and you are ${user.uid}`
}

/** Not Node's `recursive`: it never ends if a file system answers ENOENT to mkdir, as /proc does. */
export function makeFolder(folder: string, options: { readonly mode?: number } = {}): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder), options)
  try {
    mkdirSync(folder, options)
  } catch (error) {
    // Another process was faster.
    if (!existsSync(folder)) throw error
  }
}
