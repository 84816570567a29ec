/** Which of the names and files that were used later stand in messages below a line. */
import type { Fact, MessageFacts } from '../domain/fact.ts'
import { fileKey } from '../extract/message-facts.ts'
import { bareName, isSameFile } from './file-names.ts'
import { nameIn, type UsesSince } from './uses-since.ts'

export interface KnownBelow {
  readonly names: ReadonlySet<string>
  /** Keys of files that were opened before, not only named or found. */
  readonly files: ReadonlySet<string>
}

/** The rows are asked for only as long as something is still looked for. */
export async function knownBelow(
  rows: AsyncIterable<MessageFacts>,
  uses: Pick<UsesSince, 'names' | 'opened'>,
): Promise<KnownBelow> {
  const names = new Set<string>()
  const files = new Set<string>()
  const namedFiles = Map.groupBy(
    [...uses.names.values()].filter(({ kind }) => kind === 'file').map(({ name }) => name),
    bareName,
  )
  const openedFiles = Map.groupBy(uses.opened.keys(), bareName)
  for await (const { facts } of rows) {
    for (const fact of facts) {
      const name = nameIn(fact)
      if (name === null) continue
      if (uses.names.has(name)) names.add(name)
      if (fact.kind !== 'file') continue
      const key = fileKey(fact.key)
      for (const one of sameFiles(namedFiles, key)) names.add(one)
      if (isOpened(fact)) for (const one of sameFiles(openedFiles, key)) files.add(one)
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
