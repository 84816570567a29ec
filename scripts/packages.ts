/** The published packages, in the order in which they are built: each after those that it imports. */
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')

export const packageFolders: readonly string[] = [
  'throughline',
  'postgres',
  'server',
  'client',
].map((name) => join(root, 'packages', name))
