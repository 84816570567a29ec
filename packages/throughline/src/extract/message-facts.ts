/** Extracts the facts of one message: tool uses, binding utterances, names. Linear in the text. */
import type { Fact, FactKind, FactTrust, MessageFacts } from '../domain/ledger.ts'
import type { KnownCalls, Message, Part, TextPart, ToolResultPart } from '../domain/message.ts'
import { originOf } from '../domain/origin.ts'
import { typedIn } from '../domain/typed-in.ts'
import { describeOutcome } from './describe-tool-use.ts'
import { emphasizedNamesOf } from './emphasized-names.ts'
import { kindOfLiteral, kindOfUtterance } from './fact-kinds-data.ts'
import { literalsInOutput } from './literals/output-literals.ts'
import { literalsInProse } from './literals/prose-literals.ts'
import { digestOfUses, type MessageContent } from './message-digest.ts'
import { offerIn } from './offers.ts'
import { outcomeIn } from './outcome.ts'
import { planIn, stepChangeIn } from './plan-items.ts'
import { fencedCommandIn, readCommand } from './shell-command.ts'
import { type ToolReport, taggedReport } from './tool-report.ts'
import { outputText, readToolUse, type ToolUse } from './tool-use.ts'
import { decisionsOf, type Utterance, utterancesOf } from './utterances.ts'

type FactSource = MessageContent & Pick<Message, 'seq'>

export function factsOf(message: FactSource, calls: KnownCalls): MessageFacts {
  const gathered = new GatheredFacts()
  const uses: ToolUse[] = []
  const typed = message.role === 'assistant' ? [] : typedIn(message, calls)
  for (const part of message.parts)
    if (part.type === 'tool-result') {
      const use = readToolUse(calls.get(part.callId) ?? null, part)
      uses.push(use)
      gatherResult(part, use, gathered)
      if (use.family === 'plan') gatherStep(part, calls.get(part.callId)?.input ?? '', gathered)
    } else if (part.type === 'text') gatherText(part.text, message, gathered)
    else gatherPart(part, gathered)
  for (const { text } of typed) gatherTyped(text, gathered)
  const digest = digestOfUses(message, uses, typed)
  const trust = digest?.by === 'user' ? 'user' : trustOf(message)
  return {
    seq: message.seq,
    trust,
    facts: gathered.facts,
    digest: digest && { ...digest, text: ownText(digest.text) },
  }
}

function trustOf(message: FactSource): FactTrust {
  const origin = originOf(message)
  if (origin === 'tool') return 'tool'
  if (origin !== 'person') return message.role === 'system' ? 'user' : 'assistant'
  // Agents without tools pass the output of a command as a user message.
  const isOutput = message.parts.some(
    (part) => part.type === 'text' && taggedReport(part.text) !== null,
  )
  return isOutput ? 'tool' : 'user'
}

function gatherPart(part: Exclude<Part, ToolResultPart | TextPart>, gathered: GatheredFacts): void {
  if (part.type === 'reasoning') gatherExactNames(part.text, gathered)
  if (part.type === 'tool-call') gatherCall(readToolUse(part, null), part.input, gathered)
  if (part.type === 'resource-excerpt')
    gathered.add(fact('address', part.title ?? part.resourceId, part.resourceId))
  if (part.type === 'attachment-ref')
    gathered.add(fact('file', part.title ?? part.attachmentId, 'attached'))
  if (part.type === 'file' && part.name !== null) gathered.add(fact('file', part.name, 'attached'))
}

/** Text of the application has no facts; what a person typed is gathered apart. */
function gatherText(text: string, message: FactSource, gathered: GatheredFacts): void {
  const report = message.role === 'user' ? taggedReport(text) : null
  if (report !== null) gatherReport(report, gathered)
  // System prompts stay in the context, so they need no facts.
  else if (message.role === 'system' || message.role === 'tool') gatherExactNames(text, gathered)
  else if (message.role === 'assistant') {
    for (const each of decisionsOf(text)) gatherUtterance(each, gathered)
    const offer = offerIn(text)
    if (offer !== null) gathered.add(fact('question', offer, offerValue, offerValue))
    gatherFenced(fencedCommandIn(text), gathered)
    for (const name of emphasizedNamesOf(text)) gathered.add(fact('name', name, ''))
    gatherNames(text, gathered)
  } else if (originOf(message) === 'summary') gatherExactNames(text, gathered)
}

/** What a reply asks or offers: the newest replaces the one before. */
export const offerValue = 'offer'

function gatherTyped(text: string, gathered: GatheredFacts): void {
  if (taggedReport(text) !== null) return
  for (const each of utterancesOf(text, 'user')) gatherUtterance(each, gathered)
  gatherNames(text, gathered)
}

function gatherUtterance({ kind, text }: Utterance, gathered: GatheredFacts): void {
  const factKind = kindOfUtterance[kind]
  if (factKind !== undefined) gathered.add(fact(factKind, text, kind, text.toLowerCase()))
}

/** A fenced command has not run yet, so it has no outcome. */
function gatherFenced(command: string | null, gathered: GatheredFacts): void {
  if (command === null) return
  const { gist, reads, writes, deletes } = readCommand(command)
  if (gist !== '') gathered.add(fact('command', gist, ''))
  for (const path of [...reads, ...writes, ...deletes])
    gathered.add(fact('file', path, '', fileKey(path)))
}

function gatherReport(report: ToolReport, gathered: GatheredFacts): void {
  const { error } = outcomeIn(report, false)
  if (error !== null) gathered.add(fact('failure', error, `exit ${report.exitCode}`))
  gatherExactNames(report.text, gathered)
}

function gatherCall(use: ToolUse, input: string, gathered: GatheredFacts): void {
  // The newest plan replaces the one before.
  const plan = use.family === 'plan' ? planIn(input) : null
  if (plan !== null) gathered.add(fact('plan', plan, 'plan', 'plan'))
  for (const { path } of use.files) gathered.add(fact('file', path, '', fileKey(path)))
  for (const value of use.args.values) gatherExactNames(value, gathered)
}

function gatherResult(result: ToolResultPart, use: ToolUse, gathered: GatheredFacts): void {
  const { outcome, subject, family, ending } = use
  const failed = outcome?.status === 'error'
  const suffix = ending === null ? ', failed' : `, ${ending.status}`
  for (const { path, did } of use.files)
    gathered.add(fact('file', path, failed ? `${did}${suffix}` : did, fileKey(path)))
  if (family === 'shell' && subject !== null)
    gathered.add(fact('command', subject, describeOutcome(use)))
  else if ((use.files.length === 0 || family === 'search') && subject !== null)
    gathered.add(fact('use', `${use.tool} ${subject}`, describeOutcome(use)))
  // A person ended it, so nothing is wrong with the call.
  if (ending !== null) return
  if (failed && outcome.error !== null)
    gathered.add(
      fact('failure', outcome.error, subject ?? use.tool, failureKey(subject ?? use.tool)),
    )
  gatherExactNames(outputText(result.output), gathered)
}

/** A step that is only named by its id keeps the text of the call that added it. */
function gatherStep(result: ToolResultPart, input: string, gathered: GatheredFacts): void {
  const step = result.isError ? null : stepChangeIn(input, outputText(result.output))
  if (step === null) return
  const key = `${stepKey}${step.id}`
  gathered.add(fact('plan', step.text ?? key, step.state, key))
}

/** The keys of steps that a tool keeps one by one. */
export const stepKey = 'step '

function gatherNames(text: string, gathered: GatheredFacts): void {
  for (const { text: label, kind } of literalsInProse(edgesOf(text)))
    gatherName(label, kindOfLiteral[kind], 1, gathered)
}

/** Tool output is most of a conversation, and needs only the faster search for exact literals. */
function gatherExactNames(text: string, gathered: GatheredFacts): void {
  for (const { text: label, kind, uses } of literalsInOutput(edgesOf(text)))
    gatherName(label, kindOfLiteral[kind], uses, gathered)
}

function gatherName(label: string, kind: FactKind, uses: number, gathered: GatheredFacts): void {
  gathered.add(fact(kind, label, '', kind === 'file' ? fileKey(label) : label), uses)
}

// Of very long output, only the start and the end matter.
const scannedCharacters = 120_000

function edgesOf(text: string): string {
  if (text.length <= scannedCharacters) return text
  return `${text.slice(0, scannedCharacters / 2)}\n${text.slice(-scannedCharacters / 2)}`
}

const maxFacts = 240
// A rule is kept whole or not at all: half of it may say the opposite.
const labelCharacters = 600

function fact(kind: FactKind, label: string, value: string, key = label): Omit<Fact, 'uses'> {
  return { kind, key, label, value }
}

export function fileKey(path: string): string {
  const plain = path.includes('\\') ? path.replaceAll('\\', '/') : path
  return plain.startsWith('./') ? plain.replace(/^(?:\.\/)+/, '') : plain
}

/** What ran, without folder, variables and filters: `CI=1 npm test 2>&1 | tail` fails like `npm test`. */
export function failureKey(subject: string): string {
  return subject
    .replace(/^cd [^\s&;|]{1,400} && /, '')
    .replace(/^(?:[A-Za-z_]\w{0,60}=[^\s"']{0,200} ){1,8}/, '')
    .replace(/ \| (?:head|tail|grep|tee|cat|less|wc)\b.*$/s, '')
    .replace(/ (?:2>&1|[12]?> ?\/dev\/null)/g, '')
}

class GatheredFacts {
  readonly #facts = new Map<string, Gathered>()

  add({ kind, key, label, value }: Omit<Fact, 'uses'>, times = 1): void {
    if (label === '' || label.length > labelCharacters) return
    const kindAndKey = `${kind} ${key}`
    const known = this.#facts.get(kindAndKey)
    if (known === undefined) this.#facts.set(kindAndKey, { kind, key, label, value, uses: times })
    else {
      known.uses += times
      known.label = label
      if (value !== '') known.value = value
    }
  }

  /** Beyond the limit, facts with a value come first, then the names that are used most. */
  get facts(): readonly Fact[] {
    const all = [...this.#facts.values()]
    if (all.length <= maxFacts) return all.map(storableFact)
    const described = all.filter(({ value }) => value !== '').slice(0, maxFacts)
    const named = all.filter(({ value }) => value === '')
    const mostUsed = named
      .sort((left, right) => right.uses - left.uses)
      .slice(0, maxFacts - described.length)
    return [...described, ...mostUsed].map(storableFact)
  }
}

interface Gathered extends Fact {
  label: string
  value: string
  uses: number
}

/** Cut text can end in half a surrogate pair, which stores reject. */
function storableFact({ kind, key, label, value, uses }: Gathered): Fact {
  const ownLabel = ownText(label.toWellFormed())
  return {
    kind,
    key: key === label ? ownLabel : ownText(key.slice(0, labelCharacters).toWellFormed()),
    label: ownLabel,
    value: ownText(value.slice(0, labelCharacters).toWellFormed()),
    uses,
  }
}

/** A part of a text keeps all of it in memory, and facts are cached for longer than messages. */
function ownText(text: string): string {
  return text.length < partCharacters ? text : (JSON.parse(JSON.stringify(text)) as string)
}

/** Engines copy shorter parts anyway. */
const partCharacters = 13
