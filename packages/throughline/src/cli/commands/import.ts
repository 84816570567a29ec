/** Imports transcripts into the store. */
import { isThroughlineError } from '../../errors.ts'
import { createThroughline, type TenantHandle } from '../../index.ts'
import type { Store } from '../../stores/index.ts'
import { sqlite, sqliteFileState } from '../../stores/sqlite.ts'
import { transcriptFormats } from '../../transcripts/index.ts'
import type { Arguments, Run } from '../command.ts'
import { done, exitResultOf, failWith, UnreadableTranscript, UsageError } from '../exit-result.ts'
import { type ImportedFile, importLines, textsText } from '../import/import-report.ts'
import { importTranscript } from '../import/import-run.ts'
import {
  findSources,
  limitMemory,
  type TranscriptInput,
  textEndings,
  unreadableText,
} from '../import/transcript-sources.ts'
import { openForReading, openStore } from '../open-store.ts'
import { bytes } from '../screen/numbers.ts'
import { progressBar } from '../screen/progress.ts'
import { type FoundSettings, readSettings } from '../settings/read-settings.ts'
import { defaultStore } from '../settings/setting-files.ts'
import type { World } from '../world.ts'

export const importCommand: Run = async (args, world) => {
  const asked = parseImportOptions(args)
  const endings = asked.format === 'text' ? textEndings : ['.json', '.jsonl']
  const found = await findSources(args.positionals, endings, world)
  if (found.kind === 'missing') return failWith('NOT_FOUND', `no such file: "${found.path}"`)
  const { inputs, passedOver, texts } = found
  if (inputs.length === 0) {
    const hint = texts.length === 0 ? '' : `; ${textsText(texts)}`
    return failWith('NOT_FOUND', `no transcripts found${hint}`)
  }
  const settings = readSettings(args, world)
  const { store, tenant } = settings.values
  const isFirst = ['missing', 'empty'].includes(sqliteFileState(store).kind)
  const tl = createThroughline({
    store: openFor(settings, world, { dryRun: asked.dryRun, isFirst }),
    clock: { now: world.now },
  })
  const files = await importAll(inputs, tl.tenant(tenant), asked, world).finally(() => tl.close())
  // The exit result already reports a single unreadable file.
  const isReported = files.length > 1 || files[0]?.report !== null
  // Stderr has named a store outside the default path.
  const createdStore = isFirst && !asked.dryRun && store === defaultStore(world) ? store : null
  return {
    json: { files, passedOver, texts, dryRun: asked.dryRun },
    lines: () =>
      isReported ? importLines(files, { ...asked, passedOver, texts, createdStore }, world) : [],
    exit: world.signal.aborted
      ? exitResultOf(world.signal.reason, world)
      : importResult(files, asked, world),
  }
}

type ImportFlags = ReturnType<typeof parseImportOptions>

function parseImportOptions(args: Arguments) {
  const format = args.choice('format', transcriptFormats) ?? undefined
  const onBroken = args.text('on-broken') ?? 'skip'
  if (args.positionals.length === 0)
    throw new UsageError('name a file, a folder, or - for standard input')
  if (onBroken !== 'skip' && onBroken !== 'abort')
    throw new UsageError('--on-broken must be skip or abort')
  const into = args.text('into') ?? undefined
  return { format, onBroken, into, dryRun: args.has('dry-run') } as const
}

function openFor(
  settings: FoundSettings,
  world: World,
  { dryRun, isFirst }: Readonly<Record<'dryRun' | 'isFirst', boolean>>,
): Store {
  // An interrupted import can be repeated, so appends do not wait for the disk.
  if (!dryRun) return openStore(settings, world, { durability: 'normal', createsStore: true })
  return isFirst ? sqlite(':memory:') : openForReading(settings, world).store
}

async function importAll(
  inputs: readonly TranscriptInput[],
  engine: TenantHandle,
  asked: ImportFlags,
  world: World,
): Promise<readonly ImportedFile[]> {
  const sizes = inputs.map(({ sizeBytes }) => sizeBytes)
  const total = sizes.reduce((sum, size) => (sum === null || size === null ? null : sum + size), 0)
  const bar = progressBar({ label: 'import', total, unit: bytes }, world)
  const memory = limitMemory()
  const files: ImportedFile[] = []
  let before = 0
  try {
    for (const input of inputs) {
      if (world.signal.aborted) break
      const onBytes = (done: number) => {
        memory.check(before + done)
        bar.at(before + done)
      }
      const file = await importOne(input, engine, asked, world, onBytes)
      files.push(file)
      // An unreadable file stops the others only with --on-broken abort.
      if (file.report === null && asked.onBroken === 'abort') break
      before += input.sizeBytes ?? 0
    }
  } finally {
    bar.end()
    memory.end()
  }
  return files
}

async function importOne(
  { name, label, open }: TranscriptInput,
  engine: TenantHandle,
  asked: ImportFlags,
  { signal, now }: World,
  onBytes: (done: number) => void,
): Promise<ImportedFile> {
  try {
    const progress = ({ bytes: done }: { readonly bytes: number }) => onBytes(done)
    const options = { ...asked, name, signal, now, progress }
    const report = await importTranscript(engine, open(), options)
    return { label, report, failure: null }
  } catch (error) {
    if (!isThroughlineError(error) || error.code !== 'TRANSCRIPT_UNREADABLE') throw error
    return { label, report: null, failure: unreadableText(error.message, { name, label }) }
  }
}

function importResult(files: readonly ImportedFile[], { onBroken }: ImportFlags, world: World) {
  const failures = files.flatMap(({ failure }) => failure ?? [])
  const [first] = failures
  if (first === undefined) return done
  const isOne = files.length === 1 || onBroken === 'abort'
  const many = `${failures.length} of ${files.length} files could not be read`
  return exitResultOf(new UnreadableTranscript(isOne ? first : many), world)
}
