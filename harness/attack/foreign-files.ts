/**
 * Files that somebody else has left: settings in parent and shared folders, in home, as links and pipes,
 * lists of trusted files, databases and the files beside them; of other owners, of groups, writable by
 * everybody. A victim works among them with the command line, as a user of its own. Nothing may be taken from
 * them, read from them or written to them, and each that is ignored is named.
 */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqlite } from 'throughline/stores/sqlite'
import { createThroughline } from '../../packages/throughline/src/index.ts'
import { spawned } from '../../packages/throughline/test/cli/spawned.ts'
import type { Mutant } from '../mutants/mutant.ts'
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
import { filesBelow, isRoot, makeFolder, own, plant, victim } from './planted-files.ts'

export const foreignFiles: Attack = {
  name: 'foreign-files',
  run: async ({ seed, whole }) => {
    const top = mkdtempSync(join(tmpdir(), 'throughline-foreign-'))
    try {
      makeFolder(top, { owner: 'root', mode: 0o755 })
      const bait = await makeBait(top)
      // Without root, files of others cannot be made; the rest is tried all the same.
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
  mutants: mutants(),
}

/** The attacker's words, shown to the victim. */
function leaks(each: ForeignCase, ran: readonly VictimRan[]): readonly string[] {
  if (each.namesBait === true) return []
  return ran
    .filter(({ stdout, stderr }) => `${stdout}${stderr}`.includes(baitWords))
    .map(({ words: [command] }) => `${command} reads from the attacker's database`)
}

/** Whatever changed that is not the victim's own, and the victim's words where others may read them. */
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
    return bytes.includes(victimWords) && !isOwn(path) ? [`the victim's words are in ${path}`] : []
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
  if (code !== 0) throw new Error(`the victim ended with ${code}: ${stderr.slice(0, 2_000)}`)
  own(file, 'root')
  return JSON.parse(stdout) as readonly VictimRan[]
}

/** In another order for each seed: no case may lean on the one before. */
function shuffled<Value>(values: readonly Value[], seed: number): readonly Value[] {
  const next = (state: number) => (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  let state = next(seed)
  const drawn = values.map((value) => {
    state = next(state)
    return [state, value] as const
  })
  return drawn.sort(([left], [right]) => left - right).map(([, value]) => value)
}

function mutants(): readonly Mutant[] {
  const tests = ['harness/attack/foreign-files.test.ts']
  const [settings, ownership, store] = ['settings/', 'ownership.ts', 'open-store.ts']
  const planted: readonly (readonly [name: string, file: string, find: string, replace: string])[] =
    [
      [
        'a project file counts untrusted',
        `${settings}setting-files.ts`,
        'found.text !== null && isTrusted(file, found.text, world)',
        'found.text !== null',
      ],
      [
        'a project file that is ignored is not named',
        `${settings}setting-files.ts`,
        '  world.notice({',
        '  void ({',
      ],
      [
        'the search goes up to the root',
        `${settings}setting-files.ts`,
        'return isInHome ? own : own.slice(0, 1)',
        'return own',
      ],
      [
        'a home that is the root counts as home',
        `${settings}setting-files.ts`,
        "end >= 0 && folders[end] !== parse(folders[end] ?? '').root",
        'end >= 0',
      ],
      [
        'trust holds for any text',
        `${settings}setting-files.ts`,
        '[realPath(file)] === hashOf(text)',
        '[realPath(file)] !== undefined',
      ],
      [
        'trust holds for any place',
        `${settings}setting-files.ts`,
        "parseObject(found.text ?? '{}', list)[realPath(file)] === hashOf(text)",
        "Object.values(parseObject(found.text ?? '{}', list)).includes(hashOf(text))",
      ],
      [
        "a list of somebody else's trusts",
        `${settings}setting-files.ts`,
        'if (found.foreign === null)\n    return parseObject',
        'if (found.text !== null)\n    return parseObject',
      ],
      [
        "user settings of somebody else's count",
        `${settings}read-settings.ts`,
        'if (found.foreign === null)\n',
        'if (found.text !== null)\n',
      ],
      [
        'the owner of a file is not checked',
        ownership,
        'if (found.uid !== user.uid) return',
        'if (found.uid < 0) return',
      ],
      [
        'the owner of a link is not checked',
        ownership,
        'link.isSymbolicLink() && link.uid !== user.uid',
        'link.uid < 0',
      ],
      ['everybody may write', ownership, '(mode & 0o002) !== 0', 'mode < 0'],
      [
        'any group may write',
        ownership,
        'const isPrivate = gid === user.gid && gid === user.uid',
        'const isPrivate = true',
      ],
      [
        'no private group may write',
        ownership,
        'const isPrivate = gid === user.gid && gid === user.uid',
        'const isPrivate = false',
      ],
      [
        'the folder of a database is not checked',
        store,
        'if (folder !== null) throw',
        'if (folder === file) throw',
      ],
      [
        'files beside a database are not checked',
        store,
        "[file, ...['-wal', '-shm', '-journal']",
        "[file, ...['']",
      ],
      [
        'a database that a project names is not checked',
        store,
        "if (kind === 'flag' || kind === 'environment') return",
        "if (kind !== 'built-in') return",
      ],
      [
        'a database that was named is refused',
        store,
        "if (kind === 'flag' || kind === 'environment') return",
        '',
      ],
      [
        'a look does not check the database',
        store,
        '  refuseForeign(found, world)\n  refuseEmpty(file)',
        '  refuseEmpty(file)',
      ],
      [
        'the doctor opens any database',
        'commands/doctor.ts',
        '    refuseForeign(settings, world)\n',
        '',
      ],
      [
        'a store elsewhere is not named',
        store,
        'if (file !== defaultStore(world))',
        "if (file === '')",
      ],
    ]
  return planted.map(([name, file, find, replace]) => ({
    ...{
      name: `foreign-files: ${name}`,
      file: `packages/throughline/src/cli/${file}`,
      find,
      replace,
      tests,
    },
  }))
}
