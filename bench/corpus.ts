/**
 * Texts for measuring token counts: generated from seeds, the same on every machine, of every kind
 * that is hard to estimate; and real texts from installed packages. The repository stores none.
 */
import { type Dirent, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Random, seededRandom } from '../harness/kernel/chance.ts'
import { corpusKinds } from './corpus-kinds.ts'

export interface CorpusSample {
  readonly source: string
  readonly text: string
}

/** Some 15 MB: 15,000 samples from one character to thirty thousand. */
export function* generatedCorpus(): Iterable<CorpusSample> {
  for (const [source, make] of Object.entries(corpusKinds)) {
    const random = seededRandom(source)
    for (let index = 0; index < samplesPerKind; index += 1) {
      yield { source, text: make(random, sampleLength(index, random)) }
    }
  }
}

const samplesPerKind = 240

/** Mostly the sizes of messages; every 60th is long, every 10th only a few characters. */
function sampleLength(index: number, random: Random): number {
  if (index % 60 === 0) return 30_000
  if (index % 10 === 0) return 1 + random(12)
  return Math.round(10 ** (1 + random(1000) / 400))
}

/** README, source and JSON files under a folder such as `node_modules`, bounded per kind. */
export function* installedTexts(root: string): Iterable<CorpusSample> {
  // Outside a project there is none.
  if (!existsSync(root)) return
  const charactersLeft = new Map(installedKinds.map(({ source }) => [source, charactersPerKind]))
  for (const path of filesUnder(root)) {
    const kind = installedKinds.find(({ ending }) => ending.test(path))
    const left = kind === undefined ? 0 : (charactersLeft.get(kind.source) ?? 0)
    if (kind === undefined || left <= 0 || statSync(path).size > largestFileBytes) continue
    const text = readFileSync(path, 'utf8')
    charactersLeft.set(kind.source, left - text.length)
    yield { source: kind.source, text }
    // Files are larger than most messages, so their paragraphs are samples too.
    for (const paragraph of text.split(/\n\s*\n/).slice(0, paragraphsPerFile))
      if (paragraph !== '') yield { source: `${kind.source} paragraphs`, text: paragraph }
  }
}

const installedKinds = [
  { source: 'installed markdown', ending: /\.md$/i },
  { source: 'installed messages', ending: /diagnosticMessages\.generated\.json$/ },
  { source: 'installed typescript', ending: /\.[cm]?ts$/ },
  { source: 'installed javascript', ending: /\.[cm]?js$/ },
  { source: 'installed json', ending: /\.json$/ },
] as const

const charactersPerKind = 2_000_000
const largestFileBytes = 400_000
const paragraphsPerFile = 40

function* filesUnder(folder: string): Iterable<string> {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesUnder(path)
    else if (entry.isFile()) yield path
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  const entries = readdirSync(folder, { withFileTypes: true })
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}
