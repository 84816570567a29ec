/**
 * Made conversations of a person and a coding agent, from a seed: tasks on files, searches, reads, edits and
 * test runs, facts that are asked for at the end, and text that the client inserts. Anybody can make them again.
 */
import { type Chance, chanceOf } from '../../harness/kernel/chance.ts'
import { type Conversation, type Question, type Step, stepCall, type Turn } from './turns.ts'
import { folders, nouns, reasons, things, verbs } from './words.ts'

export interface MadeSize {
  readonly turns: number
  readonly questions: number
}

export function madeConversation(seed: string, { turns, questions }: MadeSize): Conversation {
  const chance = chanceOf(`compare ${seed}`)
  const project = madeProject(chance)
  // Facts are stated in the first half, so that they are old when they are asked for.
  const facts = madeFacts(chance, questions, (fact) => Math.floor((fact * turns) / (2 * questions)))
  const clock = { now: Date.UTC(2026, 0, 5, 9) }
  const work = Array.from({ length: turns }, (_, index) =>
    workTurn({
      chance,
      project,
      fact: facts.find(({ statedAt }) => statedAt === index) ?? null,
      clock,
    }),
  )
  const asked = facts.map(({ thing, sentence }): Question => {
    const text = `Before the next task: which ${thing} did I give you, and why?`
    clock.now += chance.between(20, 90) * 1000
    return {
      turn: { text, typed: [text], at: clock.now, steps: [], reply: 'Thank you.' },
      evidence: [sentence],
    }
  })
  return { id: `made-${seed}`, system, tools, turns: work, questions: asked }
}

const system =
  'You are a careful software engineer. Work on the repository with the tools. Follow the instructions of the user.'

const stringFields = (...names: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: [...names],
  additionalProperties: false,
})

const tools = [
  { name: 'read_file', description: 'Reads a file.', parameters: stringFields('path') },
  {
    name: 'search',
    description: 'Finds lines in the repository.',
    parameters: stringFields('pattern'),
  },
  {
    name: 'edit_file',
    description: 'Replaces a text in a file.',
    parameters: stringFields('file_path', 'old_string', 'new_string'),
  },
  { name: 'bash', description: 'Runs a command.', parameters: stringFields('command') },
]

interface SourceFile {
  readonly path: string
  readonly symbols: readonly string[]
  lines: string[]
  wasRead: boolean
}

function madeProject(chance: Chance): readonly [SourceFile, ...SourceFile[]] {
  const file = (index: number): SourceFile => {
    const noun = nouns[index % nouns.length] ?? nouns[0]
    const verb = chance.pick(verbs)
    const symbols = chance.times(
      6,
      (at) => `${verb}${capital(noun)}${capital(nouns[(index + at * 7) % nouns.length] ?? '')}`,
    )
    const lines = symbols.flatMap((symbol) => [
      `export function ${symbol}(input: string, offset: number): number {`,
      ...chance.times(chance.between(5, 14), () => codeLine(chance)),
      `  return offset * ${chance.below(90)}`,
      '}',
    ])
    return {
      path: `src/${chance.pick(folders)}/${noun}-${verb}-${index}.ts`,
      symbols,
      lines,
      wasRead: false,
    }
  }
  return [file(0), ...chance.times(27, (index) => file(index + 1))]
}

function codeLine(chance: Chance): string {
  const [one, other, third] = [chance.pick(nouns), chance.pick(nouns), chance.pick(nouns)]
  return `  const ${one}${capital(chance.pick(verbs))} = input.indexOf('${other} ${chance.below(100)}', offset) + ${third}Offset`
}

function madeFacts(chance: Chance, count: number, turnOf: (fact: number) => number) {
  const shuffled = [...things].sort(() => chance.below(3) - 1)
  return shuffled.slice(0, count).map((thing, index) => ({
    thing,
    statedAt: turnOf(index),
    sentence: `The ${thing} is ${chance.pick(nouns)}-${chance.between(1_000, 99_999)}, because ${chance.pick(reasons)}.`,
  }))
}

interface Work {
  readonly chance: Chance
  readonly project: readonly [SourceFile, ...SourceFile[]]
  readonly fact: { readonly sentence: string } | null
  readonly clock: { now: number }
}

function workTurn(work: Work): Turn {
  const { chance, project, fact, clock } = work
  clock.now += pauseMs(chance)
  const known = project.filter(({ wasRead }) => wasRead)
  const returns = known.length > 4 && chance.once(3)
  const file = returns ? (known[chance.below(known.length)] ?? project[0]) : chance.pick(project)
  const symbol = file.symbols[chance.below(file.symbols.length)] ?? ''
  const typed = [
    `In ${file.path}, ${symbol} should return ${chance.between(100, 99_999)} for empty input.`,
    ...(fact === null ? [] : [fact.sentence]),
    chance.pick([
      'Run the tests afterwards.',
      `Keep ${project[0].path} as it is.`,
      'Then list what you changed.',
    ]),
  ].join(' ')
  const inserted = chance.once(5)
    ? `\n\n<system-reminder>\nThe file ${chance.pick(project).path} was changed on disk at ${chance.below(86_400)}.\n</system-reminder>`
    : ''
  const steps = stepsOf({ ...work, file, symbol, returns })
  const ticket = `E${chance.between(10_000, 99_999)}`
  return {
    text: typed + inserted,
    typed: [typed],
    at: clock.now,
    steps,
    reply: `${symbol} in ${file.path} now handles empty input (${ticket}); ${chance.between(40, 400)} tests pass and commit ${hash(chance)} holds the change.`,
  }
}

interface FileWork extends Work {
  readonly file: SourceFile
  readonly symbol: string
  /** The agent remembers the file and edits it without a second look. */
  readonly returns: boolean
}

function stepsOf({ chance, project, file, symbol, returns }: FileWork): readonly Step[] {
  const looks: Step[] = returns
    ? []
    : [
        {
          text: `I look for ${symbol} first.`,
          calls: [
            stepCall('search', { pattern: symbol }, hits(chance, project, symbol)),
            ...(chance.once(3) ? [readCall(chance.pick(project))] : []),
          ],
        },
        { text: '', calls: [readCall(file)] },
      ]
  const at = chance.below(Math.max(1, file.lines.length - 3))
  const old = file.lines.slice(at, at + 2).join('\n')
  const replacement = `${file.lines[at]} // ${hash(chance)}`
  file.lines = file.lines.with(at, replacement)
  const edit = stepCall(
    'edit_file',
    {
      file_path: file.path,
      old_string: old,
      new_string: `${replacement}\n${file.lines[at + 1] ?? ''}`,
    },
    `Edited ${file.path}.`,
  )
  const run = stepCall(
    'bash',
    { command: `npm test -- ${file.path.replace('src', 'test')}` },
    testOutput(chance, file),
  )
  return [...looks, { text: `Now I change ${symbol}.`, calls: [edit] }, { text: '', calls: [run] }]
}

function readCall(file: SourceFile) {
  file.wasRead = true
  return stepCall('read_file', { path: file.path }, file.lines.join('\n'))
}

function hits(
  chance: Chance,
  project: readonly [SourceFile, ...SourceFile[]],
  symbol: string,
): string {
  return chance
    .times(
      chance.between(4, 16),
      () =>
        `${chance.pick(project).path}:${chance.between(1, 400)}: ${symbol}(${chance.below(1e6).toString(36)})`,
    )
    .join('\n')
}

function testOutput(chance: Chance, { path, symbols }: SourceFile): string {
  return chance
    .times(
      chance.between(20, 60),
      () =>
        `✓ ${path.replace('src', 'test')} > ${symbols[chance.below(symbols.length)]} > case ${chance.below(1e6).toString(36)} (${chance.below(900)} ms)`,
    )
    .join('\n')
}

/** Mostly a minute; sometimes longer than a cache of five minutes or of an hour lives. */
function pauseMs(chance: Chance): number {
  if (chance.once(30)) return chance.between(70, 180) * 60_000
  return chance.once(10) ? chance.between(6, 40) * 60_000 : chance.between(20, 180) * 1000
}

function hash(chance: Chance): string {
  return chance.times(10, () => chance.below(16).toString(16)).join('')
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
