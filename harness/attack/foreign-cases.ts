/** Cases of the attack by foreign files: the planted files, the victim's commands, the expected result. */
import { join } from 'node:path'
import { sha256 } from '../../packages/throughline/src/system.ts'
import type { Place, VictimRan } from './as-victim.ts'
import {
  isForeign,
  makeFolder,
  needsRoot,
  type Owned,
  type PlantedFile,
  plant,
} from './foreign-files.ts'

/** The folders of one case, outermost first; the victim works in `cwd`. */
export interface CaseFolder {
  readonly top: string
  readonly home: string
  readonly shared: string
  readonly work: string
  readonly cwd: string
  /** A world-writable database of the attacker, with text that no command may show. */
  readonly bait: string
}

type Step = readonly string[] | { readonly write: string; readonly text: string }

export interface ForeignCase {
  readonly name: string
  readonly needsRoot: boolean
  /** Plants the files and returns the victim's commands. */
  set(folder: CaseFolder): { readonly place: Place; readonly steps: readonly Step[] }
  /** Problems in the results, beyond those checked in every case. */
  judge(ran: readonly VictimRan[], folder: CaseFolder): readonly string[]
  /** The victim named the bait explicitly, so commands may read and write it. */
  readonly namesBait?: boolean
  /** Files with these names may also contain the victim's text. */
  readonly writesTo?: readonly string[]
}

export const baitWords = 'words of the attacker'
export const victimWords = 'words of the victim'

const own: PlantedFile = { kind: 'file', owner: 'victim', mode: 0o644 }

/** Each way in which a file can belong to another user, or look like it. */
const plants: readonly PlantedFile[] = [
  own,
  { ...own, mode: 0o600 },
  { ...own, mode: 0o664 },
  { ...own, mode: 0o666 },
  { ...own, mode: 0o602 },
  { kind: 'file', owner: 'shared', mode: 0o664 },
  { kind: 'file', owner: 'shared', mode: 0o644 },
  { kind: 'file', owner: 'attacker', mode: 0o644 },
  { kind: 'file', owner: 'attacker', mode: 0o666 },
  { kind: 'file', owner: 'attacker', mode: 0o600 },
  { kind: 'file', owner: 'root', mode: 0o644 },
  { kind: 'link-of-others', owner: 'attacker', mode: 0o644 },
  { kind: 'link-to-others', owner: 'attacker', mode: 0o644 },
  { kind: 'pipe', owner: 'attacker', mode: 0o666 },
  { kind: 'folder', owner: 'attacker', mode: 0o755 },
]

const spelled = ({ kind, owner, mode }: PlantedFile) => `${kind} of ${owner}, ${mode.toString(8)}`

const plantedSettings = (folder: CaseFolder) => ({
  ...{ store: folder.bait, tenant: 'planted-tenant', model: 'a/planted' },
  ...{ summarizer: 'a/planted-summarizer', policy: { name: 'planted-policy' } },
  ...{ models: { 'a/planted': { contextWindowTokens: 4_321 } } },
  ...{ compaction: 'shadow', tokenizer: 'estimate' },
})

const settingsText = (folder: CaseFolder) => JSON.stringify(plantedSettings(folder))

export function placeOf({ cwd, home }: Pick<CaseFolder, 'cwd' | 'home'>): Place {
  // No server listens there.
  return { cwd, home, env: { OPENAI_API_KEY: 'k', THROUGHLINE_BASE_URL: 'http://127.0.0.1:9' } }
}

const importing = ['import', 'talk.json', '--json'] as const
const chatting = ['chat', 'talk', '--new', '-m', victimWords] as const
const readCommands: readonly (readonly string[])[] = [
  ...[
    ['list', '--json'],
    ['status', '--json'],
    ['export', '--all'],
    ['show', '--last'],
  ],
  ...[
    ['context', '--last', '--window', '8000'],
    ['recall', '--last', 'words'],
    ['doctor', '--quick'],
  ],
  ['replay', '--last', '--quiet', '--calls', '1'],
]

/** Settings taken from a file that must be ignored. */
function taken(ran: readonly VictimRan[], kind: 'project' | 'user'): readonly string[] {
  const shown = ran.find(({ words }) => words[0] === 'config' && words[1] === '--json')
  if (shown === undefined || shown.exitCode !== 0) return ['`config` failed']
  const settings = JSON.parse(shown.stdout) as Readonly<Record<string, { readonly kind: string }>>
  return Object.entries(settings).flatMap(([name, from]) => (from.kind === kind ? [name] : []))
}

function named(ran: readonly VictimRan[], file: string, why: RegExp): readonly string[] {
  const silent = ran.filter(({ stderr }) => !stderr.includes(file) || !why.test(stderr))
  return silent.map(({ words }) => `${words[0]} does not say that ${file} is ignored, or why`)
}

const foreignReason = /belongs to another user|can write it|is not a regular file|cannot be read/
const settled = ['config', '--json'] as const

interface ProjectCase {
  readonly at: 'cwd' | 'work' | 'shared' | 'home' | 'top'
  readonly marker: { readonly at: 'cwd' | 'work' | 'shared'; readonly name: string } | null
  readonly file: PlantedFile
  /** The victim works in a folder inside home, below `work`. */
  readonly inHome?: boolean
  readonly home?: string
}

function projectCase({ at, marker, file, inHome = false, home }: ProjectCase): ForeignCase {
  const where = `${inHome ? 'in home, ' : ''}${home ?? ''} ${marker ? `${marker.name} in ${marker.at}` : 'no project'}`
  const upward = inHome
    ? (['cwd', 'work', 'home', 'top'] as const)
    : (['cwd', 'work', 'shared'] as const)
  const end = marker === null ? (inHome ? 'home' : 'cwd') : marker.at
  const isInRange = upward.indexOf(at as never) <= upward.indexOf(end as never)
  return {
    name: `throughline.json in ${at}, ${where}, ${spelled(file)}`,
    needsRoot: needsRoot(file),
    set: (folder) => {
      plant(join(folder[at], 'throughline.json'), settingsText(folder), file)
      if (marker !== null) makeMarker(join(folder[marker.at], marker.name), marker.at)
      const place = placeOf({ ...folder, ...(home !== undefined && { home }) })
      // Without a home there is no default place to write to.
      const writes = home === undefined ? [importing] : []
      return { place, steps: [settled, ...writes, ['list', '--json'], ['config', 'get', 'store']] }
    },
    judge: (ran, folder) => {
      const path = join(folder[at], 'throughline.json')
      const why = isForeign(file) || file.kind === 'folder' ? foreignReason : /is not trusted/
      const naming = ran.filter(({ stderr }) => stderr.includes(path))
      return [
        ...taken(ran, 'project').map((name) => `applied ${name} from it`),
        ...(isInRange
          ? named(ran, path, why)
          : naming.map(({ words }) => `${words[0]} searched above the project`)),
      ]
    },
  }
}

function makeMarker(path: string, at: string): void {
  // In the shared folder, the attacker claims that all of it is a project.
  const owner = at === 'shared' ? 'attacker' : 'victim'
  if (path.endsWith('.git')) makeFolder(path, { owner, mode: 0o755 })
  else plant(path, '{}', { kind: 'file', owner, mode: 0o644 })
}

function userCase(file: PlantedFile): ForeignCase {
  return {
    name: `the user's own settings, ${spelled(file)}`,
    needsRoot: needsRoot(file),
    set: (folder) => {
      const config = makeFolder(join(folder.home, '.config'), { owner: 'victim', mode: 0o755 })
      const path = join(
        makeFolder(join(config, 'throughline'), { owner: 'victim', mode: 0o755 }),
        'config.json',
      )
      const { store: _, ...settings } = plantedSettings(folder)
      plant(path, JSON.stringify(isForeign(file) ? plantedSettings(folder) : settings), file)
      return {
        place: placeOf(folder),
        steps: [settled, importing, ['config', 'set', 'compaction', 'off']],
      }
    },
    judge: (ran, folder) => {
      const found = taken(ran, 'user')
      const path = join(folder.home, '.config/throughline/config.json')
      if (!isForeign(file) && file.kind === 'file')
        return found.length > 3 ? [] : ["the user's own settings are not used"]
      const written = ran.filter(({ words, exitCode }) => words[1] === 'set' && exitCode === 0)
      return [
        ...found.map((name) => `applied ${name} from it`),
        ...named(ran, path, foreignReason),
        ...written.map(() => "wrote to another user's file"),
      ]
    },
  }
}

function listCase(file: PlantedFile): ForeignCase {
  return {
    name: `a list of trusted files, ${spelled(file)}`,
    needsRoot: needsRoot(file),
    set: (folder) => {
      const project = join(folder.cwd, 'throughline.json')
      plant(project, settingsText(folder), own)
      const config = makeFolder(join(folder.home, '.config'), { owner: 'victim', mode: 0o755 })
      const list = join(
        makeFolder(join(config, 'throughline'), { owner: 'victim', mode: 0o755 }),
        'trusted.json',
      )
      const hash = sha256(new TextEncoder().encode(settingsText(folder)))
      plant(list, JSON.stringify({ [project]: hash }), file)
      return { place: placeOf(folder), steps: [settled] }
    },
    judge: (ran) => {
      const found = taken(ran, 'project')
      if (isForeign(file) || file.kind !== 'file') return found.map((name) => `applied ${name}`)
      return found.length > 3 ? [] : ['files that the user trusts are not used']
    },
  }
}

interface StoreCase {
  readonly file: PlantedFile
  readonly beside?: { readonly end: string; readonly file: PlantedFile }
  readonly folder?: Owned
}

/** Folders owned by root are safe if only root can write to them. */
function isForeignFolder({ owner, mode }: Owned): boolean {
  return owner === 'root' ? (mode & 0o022) !== 0 : isForeign({ kind: 'folder', owner, mode })
}

function storeCase(
  { file, beside, folder: inside }: StoreCase,
  words: readonly Step[],
): ForeignCase {
  const of = (folder: CaseFolder) => join(folder.home, '.local/share/throughline/throughline.db')
  const isTheirs =
    isForeign(file) ||
    (beside !== undefined && isForeign(beside.file)) ||
    (inside !== undefined && isForeignFolder(inside))
  const about = `${beside ? `, ${beside.end} ${spelled(beside.file)}` : ''}${inside ? `, in a ${spelled({ kind: 'folder', ...inside })}` : ''}`
  return {
    name: `a database in the default place, ${spelled(file)}${about}`,
    needsRoot: [file, beside?.file, inside && { ...own, ...inside }].some(
      (each) => each !== undefined && needsRoot(each),
    ),
    // The victim's own text, in its own place.
    namesBait: !isTheirs,
    set: (folder) => {
      const home = ['.local', '.local/share'].map((name) => join(folder.home, name))
      for (const path of home) makeFolder(path, { owner: 'victim', mode: 0o755 })
      makeFolder(join(folder.home, '.local/share/throughline'), { owner: 'victim', mode: 0o755 })
      plant(of(folder), { copy: folder.bait }, file)
      if (beside !== undefined) plant(`${of(folder)}${beside.end}`, 'planted', beside.file)
      if (inside !== undefined) makeFolder(join(of(folder), '..'), inside)
      return { place: placeOf(folder), steps: words }
    },
    judge: (ran, folder) =>
      ran.flatMap(({ words: [command], exitCode, stderr, stdout }) => {
        const isOpened = isTheirs && ![77, ...(command === 'doctor' ? [1] : [])].includes(exitCode)
        if (isOpened) return [`${command} exited with ${exitCode}`]
        if (isTheirs && !`${stderr}${stdout}`.includes(of(folder)))
          return [`${command} does not name the database`]
        return !isTheirs && exitCode === 77 ? [`${command} refuses the user's own database`] : []
      }),
  }
}

const trustCases: readonly ForeignCase[] = [
  {
    name: "a trusted file that names another user's database",
    needsRoot: true,
    set: (folder) => {
      plant(join(folder.cwd, 'throughline.json'), JSON.stringify({ store: folder.bait }), own)
      const steps = [['config', 'trust'], importing, ...readCommands]
      return { place: placeOf(folder), steps }
    },
    judge: (ran) =>
      ran.flatMap(({ words: [command], exitCode }) =>
        command === 'config' || exitCode === 77 || (command === 'doctor' && exitCode === 1)
          ? []
          : [`${command} exited with ${exitCode}`],
      ),
  },
  {
    name: 'a trusted file that changes',
    needsRoot: false,
    writesTo: ['mine.db'],
    set: (folder) => {
      const file = join(folder.cwd, 'throughline.json')
      plant(file, JSON.stringify({ store: 'mine.db' }), own)
      const changed = { write: file, text: settingsText(folder) }
      const steps = [
        ['config', 'trust'],
        importing,
        changed,
        settled,
        importing,
        ['list', '--json'],
      ]
      return { place: placeOf(folder), steps }
    },
    judge: (ran, folder) => {
      const [, first, ...rest] = ran
      return [
        ...(first?.stderr.includes(join(folder.cwd, 'mine.db')) ? [] : ['did not name its store']),
        ...taken(rest, 'project').map((name) => `applied ${name} after the change`),
        ...named(rest, join(folder.cwd, 'throughline.json'), /is not trusted/),
      ]
    },
  },
  {
    name: 'a file next to a trusted one, with the same text',
    needsRoot: false,
    set: (folder) => {
      for (const place of [folder.cwd, folder.work])
        plant(join(place, 'throughline.json'), settingsText(folder), own)
      const trusted = join(folder.work, 'throughline.json')
      return { place: placeOf(folder), steps: [['config', 'trust', trusted], settled] }
    },
    judge: ([trusted, ...ran]) => [
      ...(trusted?.exitCode === 0 ? [] : [`trust exited with ${trusted?.exitCode}`]),
      ...taken(ran, 'project').map((name) => `applied ${name} from the other file`),
    ],
  },
  ...(['flag', 'environment'] as const).map(
    (how): ForeignCase => ({
      name: `another user's database that the victim names by ${how}`,
      needsRoot: false,
      namesBait: true,
      set: (folder) => {
        const { env, ...place } = placeOf(folder)
        const flag = how === 'flag' ? ['--store', folder.bait] : []
        const named = { ...env, ...(how === 'environment' && { THROUGHLINE_STORE: folder.bait }) }
        const steps = [
          [...importing, ...flag],
          ['export', '--all', ...flag],
          [...chatting, ...flag],
        ]
        return { place: { ...place, env: named }, steps }
      },
      judge: (ran, { bait }) =>
        ran.flatMap(({ words: [command], exitCode, stderr }) => {
          if (exitCode === 77) return [`${command} refuses the named database`]
          const isReported = command === 'export' || stderr.includes(bait)
          return isReported ? [] : [`${command} does not name the database that it writes to`]
        }),
    }),
  ),
]

/** Covers each dimension once; with `whole`, every combination. */
export function foreignCases(whole: boolean): readonly ForeignCase[] {
  const [theirs, link] = [plants[8] ?? own, plants[11] ?? own]
  const markers = [
    null,
    ...(['cwd', 'work', 'shared'] as const).flatMap((at) =>
      ['.git', 'package.json'].map((name) => ({ at, name })),
    ),
  ]
  const outside = (['cwd', 'work', 'shared'] as const).flatMap((at) =>
    markers.flatMap((marker) => plants.map((file) => ({ at, marker, file }))),
  )
  const inHome = (['cwd', 'work', 'home', 'top'] as const).flatMap((at) =>
    [null, { at: 'work', name: '.git' } as const].flatMap((marker) =>
      plants.map((file) => ({ at, marker, file, inHome: true })),
    ),
  )
  const rootless = [own, theirs].map(
    (file) => ({ at: 'shared', marker: null, file, home: '/' }) as const,
  )
  const few: readonly ProjectCase[] = [
    ...plants.map((file) => ({ at: 'cwd', marker: null, file }) as const),
    ...[own, theirs].flatMap((file) => [
      { at: 'shared', marker: null, file } as const,
      { at: 'shared', marker: { at: 'shared', name: '.git' }, file } as const,
      { at: 'work', marker: { at: 'work', name: 'package.json' }, file } as const,
      { at: 'top', marker: null, file, inHome: true } as const,
    ]),
    ...rootless,
  ]
  const words: readonly Step[] = whole
    ? [importing, chatting, ...readCommands]
    : [importing, ['list'], ['doctor', '--quick']]
  const privateFile: PlantedFile = { ...own, mode: 0o600 }
  const files = plants.filter(({ kind }) => kind !== 'pipe' && kind !== 'folder')
  const besides = ['-wal', '-shm', '-journal'].flatMap((end) =>
    (whole ? files : [theirs, link]).map((file) => ({ end, file })),
  )
  const folders = (['victim', 'shared', 'attacker', 'root'] as const).flatMap((owner) =>
    (whole ? [0o755, 0o775, 0o777] : [0o755, 0o775]).map((mode): Owned => ({ owner, mode })),
  )
  return [
    ...(whole ? [...outside, ...inHome, ...rootless] : few).map(projectCase),
    ...plants.flatMap((file) => [userCase(file), listCase(file)]),
    ...files.map((file) => storeCase({ file }, words)),
    ...besides.map((beside) => storeCase({ file: privateFile, beside }, words)),
    ...folders.map((folder) => storeCase({ file: privateFile, folder }, words)),
    ...trustCases,
  ]
}
