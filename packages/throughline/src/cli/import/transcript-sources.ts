/**
 * What somebody names to be imported: files, folders that are searched for transcripts, and `-` for
 * what is piped in. Only what is named, and what stands below a folder that is named, is ever
 * opened; links in folders are not followed.
 */
import { createReadStream, type Dirent } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { detectFormat } from '../../transcripts/read-transcript.ts'
import { refuseNamedPipe } from '../refuse-named-pipe.ts'
import type { World } from '../world.ts'

export const textEndings: readonly string[] = ['.txt', '.md']

export interface TranscriptInput {
  /** Without its ending: what a conversation is called that has no id of its own. */
  readonly name: string
  /** As it is told to people. */
  readonly label: string
  /** Null where nobody knows. */
  readonly sizeBytes: number | null
  open(): AsyncIterable<Uint8Array>
}

export type FoundSources =
  | {
      readonly kind: 'found'
      readonly inputs: readonly TranscriptInput[]
      readonly passedOver: number
      /** Files of text in folders, which are opened only where that format is named. */
      readonly texts: readonly string[]
    }
  | { readonly kind: 'missing'; readonly path: string }

export async function findSources(
  words: readonly string[],
  endings: readonly string[],
  world: World,
): Promise<FoundSources> {
  const inputs: TranscriptInput[] = []
  const texts: string[] = []
  let passedOver = 0
  for (const word of words) {
    if (word === '-') {
      inputs.push({ name: 'stdin', label: 'stdin', sizeBytes: null, open: () => world.stdin })
      continue
    }
    const path = resolve(world.cwd, word)
    const found = await stat(path).catch(() => null)
    if (found === null) return { kind: 'missing', path: word }
    refuseNamedPipe(word, path, found)
    if (!found.isDirectory()) {
      inputs.push(fileInput(path, { label: word, name: basename(path) }, found.size))
      continue
    }
    for await (const file of filesBelow(path, [...endings, ...textEndings])) {
      world.signal.throwIfAborted()
      const label = relative(path, file)
      if (!hasEnding(file, endings)) texts.push(label)
      else if (await isTranscript(file))
        inputs.push(fileInput(file, { label, name: label }, (await stat(file)).size))
      else passedOver += 1
    }
  }
  return { kind: 'found', inputs, passedOver, texts }
}

function fileInput(
  path: string,
  { label, name }: { readonly label: string; readonly name: string },
  sizeBytes: number,
): TranscriptInput {
  return {
    name: name.replaceAll('\\', '/').replace(/(?<=[^/])\.[^./]+$/, ''),
    label,
    sizeBytes,
    open: () => createReadStream(path),
  }
}

/** In the order of their names. What tools keep for themselves, and what they install, is left alone. */
async function* filesBelow(folder: string, endings: readonly string[]): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries.toSorted(byName)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
      yield* filesBelow(path, endings)
    if (entry.isFile() && hasEnding(entry.name, endings)) yield path
  }
}

function hasEnding(name: string, endings: readonly string[]): boolean {
  return endings.some((ending) => name.toLowerCase().endsWith(ending))
}

function byName(left: Dirent, right: Dirent): number {
  return left.name < right.name ? -1 : 1
}

/** As much as a format is looked for in. */
const headBytes = 65_536

async function isTranscript(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return detectFormat(buffer.toString('utf8', 0, bytesRead)) !== null
  } finally {
    await file.close()
  }
}
