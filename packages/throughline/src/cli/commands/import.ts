/** Imports transcripts into the store. */
import { isThroughlineError } from '../../errors.ts'
import { createThroughline, type TenantHandle } from '../../index.ts'
import type { Store } from '../../stores/index.ts'
import { sqlite, sqliteFileState } from '../../stores/sqlite.ts'
import { transcriptFormats } from '../../transcripts/index.ts'
import type { Arguments, Run } from '../command.ts'
import { done, type Ending, endingOf, notDone, Unreadable, WrongUsage } from '../ending.ts'
import { type ImportedFile, importLines, textsText } from '../import/import-report.ts'
import { importTranscript } from '../import/import-run.ts'
import {
  findSources,
  steadyMemory,
  type TranscriptInput,
  textEndings,
  unreadableText,
} from '../import/transcript-sources.ts'
import { openStore, openToLook } from '../open-store.ts'
import { bytes } from '../screen/numbers.ts'
import { progressBar } from '../screen/progress.ts'
import { type FoundSettings, readSettings } from '../settings/read-settings.ts'
import type { World } from '../world.ts'

export const importCommand: Run = async (args, world) => {
  const asked = askedImport(args)
  const endings = asked.format === 'text' ? textEndings : ['.json', '.jsonl']
  const found = await findSources(args.positionals, endings, world)
  if (found.kind === 'missing') return notDone('NOT_FOUND', `there is no file "${found.path}"`)
  const { inputs, passedOver, texts } = found
  if (inputs.length === 0) {
    const hint = texts.length === 0 ? '' : `; ${textsText(texts)}`
    return notDone('NOT_FOUND', `there is no transcript in there${hint}`)
  }
  const settings = readSettings(args, world)
  const { store, tenant } = settings.values
  const isFirst = ['missing', 'empty'].includes(sqliteFileState(store).kind)
  const tl = createThroughline({
    store: openFor(settings, world, { dryRun: asked.dryRun, isFirst }),
    clock: { now: world.now },
  })
  const files = await importAll(inputs, tl.tenant(tenant), asked, world).finally(() => tl.close())
  // A single unreadable file is reported by the ending.
  const isTold = files.length > 1 || files[0]?.report !== null
  const begun = isFirst && !asked.dryRun ? store : null
  return {
    json: { files, passedOver, texts, dryRun: asked.dryRun },
    lines: () => (isTold ? importLines(files, { ...asked, passedOver, texts, begun }, world) : []),
    ending: world.signal.aborted
      ? endingOf(world.signal.reason, world)
      : endingFor(files, asked, world),
  }
}

type AskedImport = ReturnType<typeof askedImport>

function askedImport(args: Arguments) {
  const [named, onBroken] = [args.text('format'), args.text('on-broken') ?? 'skip']
  const format = transcriptFormats.find((each) => each === named)
  if (args.positionals.length === 0)
    throw new WrongUsage('name a file, a folder, or - for what is piped in')
  if (named !== null && format === undefined)
    throw new WrongUsage(`--format is one of ${transcriptFormats.join(', ')}`)
  if (onBroken !== 'skip' && onBroken !== 'abort')
    throw new WrongUsage('--on-broken is skip or abort')
  const into = args.text('into') ?? undefined
  return { format, onBroken, into, dryRun: args.has('dry-run') } as const
}

function openFor(
  settings: FoundSettings,
  world: World,
  { dryRun, isFirst }: Readonly<Record<'dryRun' | 'isFirst', boolean>>,
): Store {
  // An interrupted import is repeated, so appends do not wait for the disk.
  if (!dryRun) return openStore(settings, world, { durability: 'normal', begins: true })
  return isFirst ? sqlite(':memory:') : openToLook(settings, world).store
}

async function importAll(
  inputs: readonly TranscriptInput[],
  engine: TenantHandle,
  asked: AskedImport,
  world: World,
): Promise<readonly ImportedFile[]> {
  const sizes = inputs.map(({ sizeBytes }) => sizeBytes)
  const total = sizes.reduce((sum, size) => (sum === null || size === null ? null : sum + size), 0)
  const bar = progressBar({ label: 'import', total, unit: bytes }, world)
  const memory = steadyMemory()
  const files: ImportedFile[] = []
  let before = 0
  try {
    for (const input of inputs) {
      if (world.signal.aborted) break
      const onBytes = (done: number) => {
        memory.look(before + done)
        bar.at(before + done)
      }
      const file = await importOne(input, engine, asked, world, onBytes)
      files.push(file)
      // An unreadable file does not stop the others, unless asked for.
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
  asked: AskedImport,
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

function endingFor(
  files: readonly ImportedFile[],
  { onBroken }: AskedImport,
  world: World,
): Ending {
  const failures = files.flatMap(({ failure }) => failure ?? [])
  const [first] = failures
  if (first === undefined) return done
  const isOne = files.length === 1 || onBroken === 'abort'
  const many = `${failures.length} of ${files.length} files could not be read`
  return endingOf(new Unreadable(isOne ? first : many), world)
}
