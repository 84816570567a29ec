/**
 * What somebody names to be imported: files, folders that are searched for transcripts, and `-` for
 * what is piped in. Only what is named, and what stands below a folder that is named, is ever
 * opened; links in folders are not followed.
 */
import { createReadStream, type Stats } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { detectFormat, transcriptFormats } from '../../transcripts/index.ts'
import { WrongUsage } from '../ending.ts'
import type { World } from '../world.ts'

export const textEndings: readonly string[] = ['.txt', '.md']

export interface TranscriptInput {
  /** Without its ending: what a conversation is called that has no id of its own. */
  readonly name: string
  readonly label: string
  /** Null where nobody knows. */
  readonly sizeBytes: number | null
  open(): AsyncIterable<Uint8Array>
}

export async function findSources(
  words: readonly string[],
  endings: readonly string[],
  world: World,
) {
  const inputs: TranscriptInput[] = []
  /** Files of text in folders, which are opened only where that format is named. */
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

/** In the order of their names. What tools keep for themselves, and what they install, is left alone. */
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

const [own, ...others] = transcriptFormats
/** As they are listed for people: those of other tools first. */
const formatNames: readonly string[] = [...others, own]

/** The reader knows it by the name of its conversations, without an ending. */
export function unreadableText(
  message: string,
  { name, label }: Pick<TranscriptInput, 'name' | 'label'>,
  named = '--format NAME says which it is',
): string {
  const reason = message.startsWith(name) ? message.slice(name.length) : ` ${message}`
  if (reason.startsWith(' is in no format'))
    return `${label} is in no format that we know: ${formatNames.join(', ')}; ${named}`
  return /^, line \d/.test(reason)
    ? `${label}${reason}; --on-broken skip reads on behind it`
    : `${label}${reason}`
}

/** Bytes at which the space for new objects stops growing. */
const newSpaceEnough = 32_000_000

/** Bytes of the process from which on garbage is asked for … */
const processEnough = 200_000_000

/** … once for so many bytes that were read: it takes some milliseconds. */
const readBetween = 8_000_000

/**
 * Keeps a long import from taking memory because it is there. On a large machine V8 lets the space
 * for new objects grow to 128 MB, for texts that are all forgotten at once; an import is as quick
 * with a quarter of that. And where the machine is busy, garbage is collected late: from some size
 * on we ask for it.
 */
export function steadyMemory() {
  let isHeld = false
  let collectedAt = 0
  let collect: (() => void) | null = null
  return {
    /** Called with every piece, and how much was read so far. */
    look: (readBytes: number) => {
      if (!isHeld && newSpaceSize() >= newSpaceEnough) {
        isHeld = true
        // It doubles each time that it grows; times one, it stays.
        setFlagsFromString('--semi-space-growth-factor=1')
      }
      if (readBytes - collectedAt < readBetween || process.memoryUsage.rss() < processEnough) return
      collectedAt = readBytes
      collect ??= collector()
      collect()
    },
    end: () => {
      if (isHeld) setFlagsFromString('--semi-space-growth-factor=2')
    },
  }
}

function newSpaceSize(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  return space?.space_size ?? 0
}

/** What `node --expose-gc` offers, without being started so. */
function collector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  return typeof collect === 'function' ? () => void collect() : () => {}
}

/**
 * Opening a named pipe waits until somebody writes to it, in a thread that no signal ends: the
 * process could only be killed. A shell waits better. What stands under /dev and /proc, as
 * `<(zcat …)` does, has its writer already.
 */
export function refuseNamedPipe(word: string, path: string, found: Stats): void {
  if (!found.isFIFO() || /^\/(?:dev|proc)\//.test(path)) return
  throw new WrongUsage(`"${word}" is a named pipe: say - and let the shell open it, "- < ${word}"`)
}
