/** Generates the outputs in docs/compaction.md, by the name of their place. */
import {
  type Context,
  type ContextMessage,
  type Message,
  type Meter,
  type Part,
  type Preset,
  policies,
} from 'throughline'
import { type CompactionRun, expandedAnchor, runCompaction } from './compaction-run.ts'
import { printedKey } from './compaction-session/printed-key.ts'

// Too little room to show all user text word for word.
const littleUserText = { ratio: 0.015 }

export async function compactionOutputs(): Promise<ReadonlyMap<string, string>> {
  const run = await runCompaction()
  const little = await runCompaction({ advanced: { userText: littleUserText } })
  const { followUp, ...receipt } = run.receipt
  if (followUp === null) throw new Error('the session ends before the follow-up is due')
  const texts = run.context.messages.map((message) => shownText(message, run.context))
  if (texts.join('\n').includes(printedKey)) throw new Error('the context contains the key')
  return new Map([
    ['figures', figuresTable(policies.balanced)],
    ['before and after', tokensTable(run)],
    ['context', fenced(texts.join('\n'))],
    ['little room', fenced(requestsText(little.context))],
    ['receipt', fenced(fieldsText(receipt), 'json')],
    ['expand', fenced(`chat.expand('${expandedAnchor}')\n${expandedText(run)}`)],
    ['follow-up', fenced(fieldsText(followUp), 'json')],
  ])
}

function figuresTable({ keepRecent, target, advanced }: Preset): string {
  const { userText, slots, stub, narrative } = advanced
  const slot = (kind: 'summary' | 'ledger' | 'files') => slots.find((each) => each.kind === kind)
  const rows = [
    ['advanced.userText', userText, "the user's own words before the line, verbatim"],
    [
      'advanced.slots: summary',
      withoutKind(slot('summary')),
      'the digest of replies and tool uses, or the summary',
    ],
    ['advanced.slots: ledger', withoutKind(slot('ledger')), 'the ledger'],
    ['advanced.slots: files', withoutKind(slot('files')), 'excerpts of files'],
    ['advanced.narrative', narrative, 'form of the digest: `chronicle` or `tool-lines`'],
    ['advanced.stub', stub, 'the size of a shortened message'],
    ['keepRecent', keepRecent, 'the newest messages, which are shortened last'],
    ['target', target, 'approximate size of the context after a compaction'],
  ] as const
  return [
    '| policy setting | `balanced` | what it sets |',
    '|---|---|---|',
    ...rows.map(([name, value, what]) => `| \`${name}\` | \`${inline(value)}\` | ${what} |`),
  ].join('\n')
}

function withoutKind(slot: Preset['advanced']['slots'][number] | undefined): object {
  const { kind: _, ...limits } = slot ?? { kind: 'summary' }
  return limits
}

/** `{ ratio: 0.15 }`, as in a program. */
function inline(value: object): string {
  return JSON.stringify(value)
    .replace(/"(\w+)":/g, ' $1: ')
    .replaceAll('}', ' }')
    .replaceAll('"', "'")
}

type Counted = Pick<Message, 'role' | 'parts'> & Parameters<Meter['message']>[0]

function tokensTable({ before, context, receipt, meter }: CompactionRun): string {
  const shown = context.messages.filter(({ seq }) => seq !== null)
  const { tokensByKind } = receipt
  const { system = 0, tools = 0, summary = 0, ledger = 0, files = 0, frames = 0 } = tokensByKind
  const rows = kinds.map(([name, is]) => {
    const [all, left] = [before.filter(is), shown.filter(is)]
    return [name, all.length, tokensOf(all, meter), left.length, tokensOf(left, meter)] as const
  })
  const beside = [
    ['system prompt, tools, frames', system + tools + frames, system + tools + frames],
    ["the user's requests, and the digest", 0, summary],
    ['the ledger', 0, ledger],
    ['excerpts of files', 0, files],
  ] as const
  return [
    '| part of the request | messages before | tokens before | messages after | tokens after |',
    '|---|--:|--:|--:|--:|',
    ...rows.map((row) => `| ${row.map((cell) => grouped(cell)).join(' | ')} |`),
    ...beside.map(([name, was, is]) => `| ${name} | | ${grouped(was)} | | ${grouped(is)} |`),
    `| **the request** | ${before.length} | ${grouped(receipt.tokensBefore ?? 0)} | ${context.messages.length} | ${grouped(receipt.tokensAfter)} |`,
  ].join('\n')
}

const has = (type: Part['type']) => (part: Part) => part.type === type

const kinds: readonly (readonly [string, (message: Pick<Message, 'role' | 'parts'>) => boolean])[] =
  [
    ['user: text', ({ role }) => role === 'user'],
    ['assistant: text', ({ role, parts }) => role === 'assistant' && !parts.some(has('tool-call'))],
    [
      'assistant: tool calls',
      ({ role, parts }) => role === 'assistant' && parts.some(has('tool-call')),
    ],
    ['tool results', ({ role }) => role === 'tool'],
  ]

function tokensOf(messages: readonly Counted[], meter: Meter): number {
  return messages.reduce((sum, message) => sum + meter.message(message), 0)
}

function shownText(message: ContextMessage, { omitted }: Context): string {
  const { role, seq, slot } = message
  const isStub = omitted.some(
    ({ span, why }) => why === 'stubbed' && seq !== null && span?.from === seq,
  )
  const kind = isStub ? 'stub' : slot === 'earlier' ? 'kept' : seq === null ? slot : ''
  const head = [role, seq === null ? '' : `#${seq}`, kind === '' ? '' : `(${kind})`]
  const text = message.parts.map(partText).join('\n')
  const shown = isStub || seq === null ? text : abridged(text)
  return `── ${head.filter((word) => word !== '').join(' ')}\n${wrapped(shown)}`
}

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'tool-call':
      return `${part.name} ${part.input}`
    case 'tool-result':
      return part.output.kind === 'text' ? part.output.text : JSON.stringify(part.output)
    default:
      return JSON.stringify(part)
  }
}

const pageLines = 6
const pageCharacters = 240

/** Shortens what the model receives whole but the page need not show. */
function abridged(text: string): string {
  const lines = text.split('\n')
  const first = lines.slice(0, pageLines).join('\n').slice(0, pageCharacters)
  const left = text.length - first.length
  return left < pageCharacters
    ? text
    : `${first}\n⟨${grouped(left)} more characters, which the model receives and this page omits⟩`
}

const pageColumns = 108

/** Wraps between words; continued lines are indented. */
function wrapped(text: string): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const parts: string[] = []
      let rest = line
      while (rest.length > pageColumns) {
        const space = rest.lastIndexOf(' ', pageColumns)
        const at = space <= continued.length ? pageColumns : space
        parts.push(rest.slice(0, at))
        rest = `${continued}${rest.slice(at).trimStart()}`
      }
      return [...parts, rest]
    })
    .join('\n')
}

const continued = '      '

/** The block of the user's own words: whole messages where they fit, else first words and binding sentences. */
function requestsText({ messages }: Context): string {
  const blocks = messages
    .filter(({ slot }) => slot === 'summary')
    .flatMap(({ parts }) => parts.map(partText))
    .filter((text) => text.startsWith('[earlier requests of the user'))
  if (!blocks.some((text) => text.includes('incomplete')))
    throw new Error('the page needs a request with too little room for all user text')
  return wrapped(blocks.join('\n'))
}

function expandedText({ expanded }: CompactionRun): string {
  return expanded.messages
    .map(({ role, seq, parts }) => `── ${role} #${seq}\n${wrapped(parts.map(partText).join('\n'))}`)
    .join('\n')
}

/** One field per line. */
function fieldsText(value: object): string {
  const fields = Object.entries(value).map(
    ([name, field]) => `  "${name}": ${spaced(JSON.stringify(field))}`,
  )
  return wrapped(`{\n${fields.join(',\n')}\n}`)
}

function spaced(json: string): string {
  return json.replace(/([:,])(?=["[{\d-]|null|true|false)/g, '$1 ')
}

function fenced(text: string, language = 'text'): string {
  return `\`\`\`${language}\n${text}\n\`\`\``
}

function grouped(value: number | string): string {
  return typeof value === 'string' ? value : value.toLocaleString('en-US')
}
