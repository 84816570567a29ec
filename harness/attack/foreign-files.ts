/**
 * Plants files of another user: settings in parent, shared and home folders, links, pipes, lists of
 * trusted files, databases and their side files, with other owners, groups and modes. A victim runs the
 * command line among them. It must not apply, read or write any of them, and must name each ignored
 * file.
 */

import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { sqlite } from 'throughline/stores/sqlite'
import type { User } from '../../packages/throughline/src/cli/ownership.ts'
import { createThroughline } from '../../packages/throughline/src/index.ts'
import { spawned } from '../../packages/throughline/test/cli/spawned.ts'
import type { VictimRan, VictimRuns } from './as-victim.ts'
import type { Attack } from './attack.ts'
import {
  baitWords,
  type CaseFolder,
  type ForeignCase,
  foreignCases,
  placeOf,
  victimWords,
} from './foreign-cases.ts'

export const foreignFiles: Attack = {
  name: 'foreign-files',
  run: async ({ seed, whole }) => {
    const top = mkdtempSync(join(tmpdir(), 'throughline-foreign-'))
    try {
      makeFolder(top, { owner: 'root', mode: 0o755 })
      const bait = await makeBait(top)
      // Without root we cannot create files of other users; the other cases still run.
      const cases = shuffled(foreignCases(whole), seed).filter((each) => isRoot || !each.needsRoot)
      const set = cases.map((each, index) => {
        const folder = caseFolder(join(top, String(index)), bait, each)
        return { each, folder, ...each.set(folder) }
      })
      const before = set.map(({ folder }) => filesBelow(folder.top))
      const steps = set.flatMap(({ place, steps: own }, of) =>
        own.map((step) => ({ of, ...place, ...('write' in step ? step : { words: step }) })),
      )
      const ran = await asVictim({ victim: isRoot ? victim : null, tryOn: tryOn(top), steps }, top)
      const findings = set.flatMap(({ each, folder }, index) => {
        const own = ran.filter(({ of }) => of === index)
        const found = [
          ...each.judge(own, folder),
          ...leaks(each, own),
          ...writes(each, folder, before[index] ?? new Map()),
        ]
        return [...new Set(found)].map((what) => `${each.name}: ${what}`)
      })
      return { probes: ran.length, findings }
    } finally {
      rmSync(top, { recursive: true, force: true })
    }
  },
}

/** The attacker's text, shown to the victim. */
function leaks(each: ForeignCase, ran: readonly VictimRan[]): readonly string[] {
  if (each.namesBait === true) return []
  return ran
    .filter(({ stdout, stderr }) => `${stdout}${stderr}`.includes(baitWords))
    .map(({ words: [command] }) => `${command} reads from the attacker's database`)
}

/** Changed files that are not the victim's own, and the victim's text where others may read it. */
function writes(
  each: ForeignCase,
  folder: CaseFolder,
  before: ReadonlyMap<string, string>,
): readonly string[] {
  if (each.namesBait === true) return []
  const after = filesBelow(folder.top)
  const isOwn = (path: string) =>
    path.startsWith(join(folder.home, '.local')) ||
    (each.writesTo ?? []).some((name) => path.includes(name)) ||
    path.includes('trusted.json') ||
    path.startsWith(join(folder.cwd, 'talk.json'))
  return [...after].flatMap(([path, bytes]) => {
    if (before.get(path) === bytes) return []
    if (before.has(path) && isForeignPath(path, folder)) return [`${path} was changed`]
    return bytes.includes(victimWords) && !isOwn(path) ? [`the victim's text is in ${path}`] : []
  })
}

function isForeignPath(path: string, folder: CaseFolder): boolean {
  return path.startsWith(folder.bait) || path.includes('target-of-link')
}

async function makeBait(top: string): Promise<string> {
  const file = join(top, 'bait.db')
  const tl = createThroughline({ store: sqlite(file, { durability: 'normal' }) })
  await tl.conversation('bait').append([
    { role: 'user', content: `Are these ${baitWords}?` },
    { role: 'assistant', content: `They are ${baitWords}.` },
  ])
  await tl.close()
  return file
}

function caseFolder(top: string, bait: string, { name }: ForeignCase): CaseFolder {
  makeFolder(top, { owner: 'root', mode: 0o755 })
  const home = makeFolder(join(top, 'home'), { owner: 'victim', mode: 0o755 })
  const shared = makeFolder(join(top, 'shared'), { owner: 'attacker', mode: 0o777 })
  const inside = name.includes('in home') ? home : shared
  const work = makeFolder(join(inside, 'work'), { owner: 'victim', mode: 0o755 })
  const cwd = makeFolder(join(work, 'deep'), { owner: 'victim', mode: 0o755 })
  const attic = makeFolder(join(top, 'attic'), { owner: 'attacker', mode: 0o777 })
  const own = join(attic, 'bait.db')
  plant(own, { copy: bait }, { kind: 'file', owner: 'attacker', mode: 0o666 })
  plant(join(cwd, 'talk.json'), talk, { kind: 'file', owner: 'victim', mode: 0o644 })
  return { top, home, shared, work, cwd, bait: own }
}

const talk = JSON.stringify([
  { role: 'user', content: victimWords },
  { role: 'assistant', content: 'So they are.' },
])

function tryOn(top: string) {
  const folder = makeFolder(join(top, 'try-on'), { owner: 'root', mode: 0o755 })
  writeFileSync(join(folder, 'talk.json'), talk)
  const settings = { policy: { name: 'tried' }, models: { 'a/b': { contextWindowTokens: 4_321 } } }
  writeFileSync(join(folder, 'throughline.json'), JSON.stringify(settings))
  const store = join(folder, 'try-on.db')
  copyFileSync(join(top, 'bait.db'), store)
  const { env, ...place } = placeOf({ cwd: folder, home: folder })
  return { ...place, env: { ...env, THROUGHLINE_STORE: store } }
}

async function asVictim(runs: VictimRuns, top: string): Promise<readonly VictimRan[]> {
  const file = join(top, 'runs.json')
  writeFileSync(file, JSON.stringify(runs))
  const script = join(import.meta.dirname, 'as-victim.ts')
  const words = ['--conditions=throughline-source', script, file]
  const { stdout, stderr, code } = await spawned(process.execPath, words).ended()
  if (code !== 0) throw new Error(`the victim exited with ${code}: ${stderr.slice(0, 2_000)}`)
  own(file, 'root')
  return JSON.parse(stdout) as readonly VictimRan[]
}

/** Another order per seed: no case may depend on the one before. */
function shuffled<Value>(values: readonly Value[], seed: number): readonly Value[] {
  const next = (state: number) => (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  let state = next(seed)
  const drawn = values.map((value) => {
    state = next(state)
    return [state, value] as const
  })
  return drawn.sort(([left], [right]) => left - right).map(([, value]) => value)
}

/** Ids without user names: a container may have none for them. */
const victim: User = { uid: 54_321, gid: 54_321 }
const attacker: User = { uid: 54_322, gid: 54_322 }
const root: User = { uid: 0, gid: 0 }
/** A group that the victim shares with other users. */
const shared: User = { uid: victim.uid, gid: 54_399 }

const owners = { victim, attacker, root, shared }

export interface Owned {
  readonly owner: keyof typeof owners
  readonly mode: number
}

const kinds = ['file', 'link-of-others', 'link-to-others', 'pipe', 'folder'] as const

export interface PlantedFile extends Owned {
  readonly kind: (typeof kinds)[number]
}

/** Whether another user owns the file or can write it, as the documentation defines it. */
export function isForeign({ owner, mode, kind }: PlantedFile): boolean {
  if (kind === 'link-of-others' || kind === 'link-to-others') return true
  if (owner === 'attacker' || owner === 'root') return true
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && owner === 'shared')
}

export function needsRoot({ owner, kind }: PlantedFile): boolean {
  return owner !== 'victim' || kind.startsWith('link-')
}

const isRoot = process.geteuid?.() === 0

/** Only root can change owners: otherwise every file belongs to the victim. */
function own(path: string, owner: keyof typeof owners): void {
  if (isRoot) lchownSync(path, owners[owner].uid, owners[owner].gid)
}

export function makeFolder(path: string, { owner, mode }: Owned): string {
  mkdirSync(path, { recursive: true })
  own(path, owner)
  chmodSync(path, mode)
  return path
}

export function plant(path: string, content: string | { copy: string }, how: PlantedFile): void {
  if (how.kind === 'folder') {
    makeFolder(path, { ...how, mode: how.mode | 0o100 })
    return
  }
  if (how.kind === 'pipe') {
    execFileSync('mkfifo', [path])
    own(path, how.owner)
    chmodSync(path, how.mode)
    return
  }
  const isLink = how.kind !== 'file'
  // A link of the attacker points to a file of the victim, and the other way round.
  const real = isLink ? join(dirname(dirname(path)), `target-of-${how.kind}`) : path
  if (typeof content === 'string') writeFileSync(real, content)
  else copyFileSync(content.copy, real)
  own(real, how.kind === 'link-of-others' ? 'victim' : isLink ? 'attacker' : how.owner)
  chmodSync(real, how.mode)
  if (!isLink) return
  symlinkSync(real, path)
  own(path, how.kind === 'link-of-others' ? 'attacker' : 'victim')
}

/** Every file below a folder with its bytes; anything else with its kind. */
function filesBelow(folder: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory() || entry.isFIFO()) continue
    if (statSync(path, { throwIfNoEntry: false })?.isFile())
      found.set(path, readFileSync(path, 'latin1'))
  }
  return found
}
