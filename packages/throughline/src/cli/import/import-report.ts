/** Counts the results of an import, and renders the report. */
import { typedCommand } from '../command.ts'
import { indented, widthOf, wrap } from '../screen/cells.ts'
import { bytes, counted, duration, grouped } from '../screen/numbers.ts'
import { safeLine, shellWord } from '../screen/safe-text.ts'
import { styleOf } from '../screen/style.ts'
import type { Output, World } from '../world.ts'

export interface ConversationTally {
  id: string
  title: string | null
  /** `known`: it already existed. `fork`: it existed with other content, so the rest has another id. */
  state: 'new' | 'known' | 'fork'
  differs: { readonly from: string; readonly at: number } | null
  /** The id in the transcript, if another conversation already has it. */
  nameTaken: string | null
  messages: number
  /** Null in a dry run. */
  added: number | null
}

interface ImportProblem {
  readonly line: number | null
  readonly reason: string
}

const problemsKept = 20
const conversationsKept = 1_000
/** Clocks differ and zones are left out, but by less than a day. */
const aheadMs = 24 * 60 * 60 * 1_000

export type ImportReport = ReturnType<ImportTally['report']>

export class ImportTally {
  /** In the order of the report. */
  readonly #counts = {
    /** The first of them; `conversationCount` is of all. */
    conversations: [] as ConversationTally[],
    conversationCount: 0,
    messages: 0,
    /** New and repeated messages; null in a dry run. */
    added: 0 as number | null,
    repeated: 0 as number | null,
    /** Their messages are not imported. */
    branches: { count: 0, messages: 0 },
    /** Messages dated more than a day in the future; the date is kept. */
    ahead: 0,
    /** The first of them; `problemCount` is of all. */
    problems: [] as ImportProblem[],
    problemCount: 0,
    bytes: 0,
  }
  readonly #now: number

  constructor(now: number) {
    this.#now = now
  }

  conversation(tally: ConversationTally): void {
    const { conversations } = this.#counts
    this.#counts.conversationCount += 1
    if (conversations.length < conversationsKept) conversations.push(tally)
  }

  message(tally: ConversationTally, fate: 'added' | 'repeated' | 'unknown'): void {
    for (const counts of [this.#counts, tally]) {
      counts.messages += 1
      if (fate === 'added') counts.added = (counts.added ?? 0) + 1
    }
    if (fate === 'unknown') this.#counts.added = null
  }

  messageTime(time: number | undefined): void {
    if (time !== undefined && time > this.#now + aheadMs) this.#counts.ahead += 1
  }

  branch(messages: number): void {
    this.#counts.branches.count += 1
    this.#counts.branches.messages += messages
  }

  problem({ line, reason }: ImportProblem): void {
    const { problems } = this.#counts
    this.#counts.problemCount += 1
    if (problems.length < problemsKept) problems.push({ line, reason })
  }

  read(bytes: number) {
    this.#counts.bytes += bytes
    return { bytes: this.#counts.bytes, messages: this.#counts.messages }
  }

  /** `complete` is false if it was interrupted: the same import continues from there. */
  report(durationMs: number, complete: boolean) {
    const { added, messages } = this.#counts
    const repeated = added === null ? null : messages - added
    return { ...structuredClone(this.#counts), repeated, durationMs, complete }
  }
}

export interface ImportedFile {
  readonly label: string
  /** Null if it could not be read. */
  readonly report: ImportReport | null
  readonly failure: string | null
}

interface ImportSummary {
  readonly passedOver: number
  /** Text files in folders are rarely chats, so only --format text reads them. */
  readonly texts: readonly string[]
  /** The path of the store, if this import created it. */
  readonly createdStore: string | null
  readonly dryRun: boolean
  readonly format: string | undefined
}

const filesShown = 20
const notesShown = 20

export function importLines(
  files: readonly ImportedFile[],
  { passedOver, texts, createdStore, dryRun, format }: ImportSummary,
  world: World,
): readonly string[] {
  const { stdout: output } = world
  const { dim, yellow } = styleOf(output)
  const notes = files.flatMap((file) => [...notesOf(file), ...formatNotes(format, file)])
  const left = files.length - filesShown
  return [
    ...files.slice(0, filesShown).flatMap((file) => fileLines(file, output)),
    ...(left > 0 ? [dim(`and ${counted(left, 'more file')}`)] : []),
    ...notes
      .slice(0, notesShown)
      .flatMap((note) => signedLines(`  ${yellow(styleOf(output).warning)}`, note, output)),
    ...(notes.length > notesShown ? [dim(`  and ${grouped(notes.length - notesShown)} more`)] : []),
    ...(passedOver > 0 ? [dim(`skipped ${counted(passedOver, 'file')} of unknown format`)] : []),
    ...(texts.length === 0 ? [] : wrap(textsText(texts), output.width).map(dim)),
    ...(files.length > 1 ? [totalLine(files, dryRun)] : []),
    ...(createdStore === null ? [] : [`Created the store ${safeLine(createdStore)}`]),
    ...(dryRun ? [dim('Dry run: nothing was written.')] : nextStep(files, world)),
  ]
}

function fileLines({ label, report, failure }: ImportedFile, output: Output): readonly string[] {
  const { green, red, yellow, dim, yes, no, dot, warning } = styleOf(output)
  const name = safeLine(label)
  // The failure text names the file.
  if (report === null) return signedLines(red(no), safeLine(failure ?? name), output)
  const sign = report.messages === 0 ? yellow(warning) : green(yes)
  const figures = `${dot} ${bytes(report.bytes)} ${dot} ${duration(report.durationMs)}`
  const text = `${name}: ${countsOf(report)}`
  const fits = !output.isTerminal || widthOf(`${sign} ${text} ${figures}`) <= output.width
  if (fits) return [`${sign} ${text} ${dim(figures)}`]
  // A long name gets its own line.
  return [
    ...signedLines(sign, `${name}:`, output),
    ...indented([`${countsOf(report)} ${dim(figures)}`]),
  ]
}

/** Wrapped in a terminal only: programs read lines. */
function signedLines(sign: string, text: string, output: Output): readonly string[] {
  const indent = widthOf(sign) + 1
  const lines = output.isTerminal ? wrap(text, output.width - indent) : [text]
  return lines.map((line, index) => `${index === 0 ? `${sign} ` : ' '.repeat(indent)}${line}`)
}

function countsOf({ conversationCount, messages, added }: ImportReport): string {
  if (messages === 0) return 'no messages'
  const counts = `${counted(conversationCount, 'conversation')}, ${counted(messages, 'message')}`
  if (added === null) return counts
  if (added === messages) return `${counts}, all new`
  return `${counts}, ${added === 0 ? 'none' : grouped(added)} new`
}

export function textsText(texts: readonly string[]): string {
  const named = texts.slice(0, textsNamed).map(safeLine).join(', ')
  const more = texts.length > textsNamed ? ' and others' : ''
  return `skipped ${counted(texts.length, 'text file')} (${named}${more}); --format text imports them`
}

const textsNamed = 3

function totalLine(files: readonly ImportedFile[], dryRun: boolean): string {
  const sum = (name: 'conversationCount' | 'messages' | 'added') =>
    files.reduce((total, { report }) => total + (report?.[name] ?? 0), 0)
  const [conversations, messages] = [sum('conversationCount'), sum('messages')]
  const all = `Total: ${counted(conversations, 'conversation')}, ${counted(messages, 'message')}`
  // A dry run does not know what is new.
  return dryRun ? all : `${all}, ${grouped(sum('added'))} new`
}

/** A reader skips unknown records, so a wrong --format may find nothing. */
function formatNotes(format: string | undefined, { label, report }: ImportedFile) {
  if (format === undefined || report === null || !report.complete) return []
  if (report.messages > 0 || report.problemCount > 0 || report.bytes === 0) return []
  return [`${safeLine(label)}: no ${format} messages found; omit --format to detect the format`]
}

function notesOf({ label, report }: ImportedFile): readonly string[] {
  if (report === null) return []
  const { conversations, branches, ahead, problems, problemCount } = report
  const name = safeLine(label)
  const notes: string[] = []
  for (const { id, state, differs, nameTaken } of conversations)
    if (nameTaken !== null && state === 'new')
      notes.push(
        `${name}: another conversation already has the id ${safeLine(nameTaken)}; this one is ${safeLine(id)}`,
      )
    else if (differs !== null)
      notes.push(
        `${safeLine(differs.from)} differs from the file at #${differs.at}; the file's version is the fork ${safeLine(id)}`,
      )
  if (branches.count > 0)
    notes.push(
      `${name}: skipped ${counted(branches.messages, 'message')} on ${counted(branches.count, 'other branch', 'other branches')}`,
    )
  if (ahead > 0)
    notes.push(
      `${name}: ${counted(ahead, 'message is', 'messages are')} dated more than a day in the future; the dates are kept`,
    )
  for (const { line, reason } of problems)
    notes.push(`${name}${line === null ? '' : `, line ${line}`}: ${safeLine(reason)}`)
  if (problemCount > problems.length)
    notes.push(`${name}: ${counted(problemCount - problems.length, 'more problem')}`)
  return notes
}

function nextStep(files: readonly ImportedFile[], world: World): readonly string[] {
  const ids = files.flatMap(({ report }) => report?.conversations.map(({ id }) => id) ?? [])
  const [first] = ids
  if (first === undefined) return []
  const words = ids.length === 1 ? `show ${shellWord(first)}` : 'list'
  return ['', `Next: ${typedCommand(words, world)}`]
}
