/** Which of the names and files that were used later stand in messages below a line. */
import type { Fact, MessageFacts } from '../../domain/fact.ts'
import { bareName, isSameFile } from './file-names.ts'
import { nameIn, type UsesSince } from './uses-since.ts'

/** Names and keys as they were used, each with the spelling that it has below the line. */
export interface KnownBelow {
  readonly names: ReadonlyMap<string, string>
  /** Files that were opened before, not only named or found. */
  readonly files: ReadonlyMap<string, string>
}

/** The rows are asked for only as long as something is still looked for. */
export async function knownBelow(
  rows: AsyncIterable<MessageFacts>,
  uses: Pick<UsesSince, 'names' | 'opened'>,
): Promise<KnownBelow> {
  const names = new Map<string, string>()
  const files = new Map<string, string>()
  const namedFiles = Map.groupBy(
    [...uses.names.values()].filter(({ kind }) => kind === 'file').map(({ name }) => name),
    bareName,
  )
  const openedFiles = Map.groupBy(uses.opened.keys(), bareName)
  for await (const { facts } of rows) {
    for (const fact of facts) {
      const name = nameIn(fact)
      if (name === null) continue
      if (uses.names.has(name)) names.set(name, name)
      if (fact.kind !== 'file') continue
      for (const one of sameFiles(namedFiles, name)) names.set(one, name)
      if (isOpened(fact)) for (const one of sameFiles(openedFiles, name)) files.set(one, name)
    }
    if (names.size === uses.names.size && files.size === uses.opened.size) break
  }
  return { names, files }
}

function sameFiles(
  byName: ReadonlyMap<string, readonly string[]>,
  path: string,
): readonly string[] {
  return (byName.get(bareName(path)) ?? []).filter((one) => isSameFile(one, path))
}

function isOpened({ value }: Fact): boolean {
  return value !== '' && value !== 'found' && !value.endsWith(', failed')
}
