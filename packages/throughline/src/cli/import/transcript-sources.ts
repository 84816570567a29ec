/** Finds what to import: files, folders, stdin. Opens nothing else, and follows no links in folders. */
import { createReadStream, type Stats } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { detectFormat, transcriptFormats } from '../../transcripts/index.ts'
import { UsageError } from '../exit-result.ts'
import type { World } from '../world.ts'

export const textEndings: readonly string[] = ['.txt', '.md']

export interface TranscriptInput {
  /** Without its extension: the id of a conversation without one. */
  readonly name: string
  readonly label: string
  /** Null for a pipe. */
  readonly sizeBytes: number | null
  open(): AsyncIterable<Uint8Array>
}

export async function findSources(
  words: readonly string[],
  endings: readonly string[],
  world: World,
) {
  const inputs: TranscriptInput[] = []
  /** Text files in folders, opened only with `--format text`. */
  const texts: string[] = []
  let passedOver = 0
  for (const word of words) {
    if (word === '-') {
      inputs.push({ name: 'stdin', label: 'stdin', sizeBytes: null, open: () => world.stdin })
      continue
    }
    const path = resolve(world.cwd, word)
    const found = await stat(path).catch(() => null)
    if (found === null) return { kind: 'missing', path: word } as const
    refuseNamedPipe(word, path, found)
    if (!found.isDirectory()) {
      inputs.push(fileInput(path, found.size, word, basename(path)))
      continue
    }
    for await (const file of filesBelow(path, [...endings, ...textEndings])) {
      world.signal.throwIfAborted()
      const label = relative(path, file)
      if (!hasEnding(file, endings)) texts.push(label)
      else if (await isTranscript(file))
        inputs.push(fileInput(file, (await stat(file)).size, label))
      else passedOver += 1
    }
  }
  return { kind: 'found', inputs, passedOver, texts } as const
}

function fileInput(path: string, sizeBytes: number, label: string, name = label): TranscriptInput {
  return {
    name: name.replaceAll('\\', '/').replace(/(?<=[^/])\.[^./]+$/, ''),
    label,
    sizeBytes,
    open: () => createReadStream(path),
  }
}

/** In the order of names, without hidden folders and node_modules. */
async function* filesBelow(folder: string, endings: readonly string[]): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries.toSorted((left, right) => (left.name < right.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
      yield* filesBelow(path, endings)
    if (entry.isFile() && hasEnding(entry.name, endings)) yield path
  }
}

function hasEnding(name: string, endings: readonly string[]): boolean {
  return endings.some((ending) => name.toLowerCase().endsWith(ending))
}

/** The part of a file in which its format is detected. */
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

const [own, ...others] = transcriptFormats
/** Formats of other tools first. */
const formatNames: readonly string[] = [...others, own]

/** The reader names its source without an extension. */
export function unreadableText(
  message: string,
  { name, label }: Pick<TranscriptInput, 'name' | 'label'>,
  hint = '--format NAME sets the format',
): string {
  const reason = message.startsWith(name) ? message.slice(name.length) : ` ${message}`
  if (reason.startsWith(' is in no format'))
    return `${label} has an unknown format; known formats: ${formatNames.join(', ')}; ${hint}`
  return /^, line \d/.test(reason)
    ? `${label}${reason}; --on-broken skip continues after it`
    : `${label}${reason}`
}

/** Bytes at which the space for new objects stops growing. */
const newSpaceEnough = 32_000_000
/** Bytes of the process above which garbage is collected … */
const processEnough = 200_000_000
/** … once for so many bytes read: it takes some milliseconds. */
const readBetween = 8_000_000

/**
 * Limits the memory of a long import. On a large machine V8 grows the space for new objects to 128 MB; a
 * quarter is as fast. On a busy machine garbage is collected late, so above 200 MB we force it.
 */
export function limitMemory() {
  let isLimited = false
  let collectedAt = 0
  let collect: (() => void) | null = null
  return {
    check: (readBytes: number) => {
      if (!isLimited && newSpaceSize() >= newSpaceEnough) {
        isLimited = true
        // The space doubles each time it grows; a factor of one stops the growth.
        setFlagsFromString('--semi-space-growth-factor=1')
      }
      if (readBytes - collectedAt < readBetween || process.memoryUsage.rss() < processEnough) return
      collectedAt = readBytes
      collect ??= collector()
      collect()
    },
    end: () => {
      if (isLimited) setFlagsFromString('--semi-space-growth-factor=2')
    },
  }
}

function newSpaceSize(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  return space?.space_size ?? 0
}

/** `gc` without `node --expose-gc`. */
function collector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  return typeof collect === 'function' ? () => void collect() : () => {}
}

/**
 * Opening a named pipe waits for a writer in a thread that no signal can stop, so the process could only
 * be killed. The standard input and pipes of the shell, such as `<(zcat …)`, already have a writer.
 */
export function refuseNamedPipe(word: string, path: string, found: Stats): void {
  if (!found.isFIFO() || /^\/(?:dev\/(?:fd\/|stdin$)|proc\/)/.test(path)) return
  throw new UsageError(`"${word}" is a named pipe; let the shell open it: - < ${word}`)
}
