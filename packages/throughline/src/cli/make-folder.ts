/**
 * Makes a folder and those above it that are not there. Not by Node's `recursive`: where a file system
 * takes no folders and says that there is "no such file" (as /proc does), that never comes to an end.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

export function makeFolder(folder: string, options: { readonly mode?: number } = {}): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder), options)
  try {
    mkdirSync(folder, options)
  } catch (error) {
    // Another process was quicker.
    if (!existsSync(folder)) throw error
  }
}
