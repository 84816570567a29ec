/**
 * Whose words a context shows as the user's. At cuts of recorded sessions: entries among the user's
 * requests that no person typed, typed sentences of the last 200 messages that the context contains
 * verbatim, and calls that the user refused but the context shows as done. Once with the flags of the
 * transcript, and once without them, as a gateway sees the same messages.
 */
import { type Context, createThroughline, type MessageInput, originPieces } from 'throughline'
import { type MadeTraffic, madeTraffic } from './origin/client-traffic.ts'
import { type TypedMessage, typedMessage } from './origin/typed-texts.ts'
import { readConversations } from './read-conversations.ts'
import type { BenchOptions, BenchRow } from './report.ts'
import { rowWriter } from './row-writer.ts'
import { shippedSizes } from './shipped-sizes.ts'
import { survivalFiles } from './survival/files.ts'
import type { TranscriptFile } from './transcript-files.ts'

const cutShares = [0.4, 0.55, 0.7, 0.85, 1]
const lastMessages = 200
const fewestMessages = 20

export async function measureOrigin(options: BenchOptions): Promise<readonly BenchRow[]> {
  return [
    ...(await originRows(survivalFiles(options, 'origin'), options.sizes ?? shippedSizes.origin)),
    ...(await trafficRows(madeTraffic('1', madeConversations))),
  ]
}

const madeConversations = 50

/** Of made-up requests of clients, how many messages and typed texts have the wrong origin. */
export async function trafficRows(traffic: readonly MadeTraffic[]): Promise<readonly BenchRow[]> {
  const tl = createThroughline()
  const tallies = new Map<
    string,
    { others: number; wrong: number; typed: number; missed: number }
  >()
  for (const [index, { client, messages, typed }] of traffic.entries()) {
    const tally = tallies.get(client) ?? { others: 0, wrong: 0, typed: 0, missed: 0 }
    tallies.set(client, tally)
    const chat = tl.conversation(`made-${index}`)
    await chat.append(messages)
    for await (const message of chat.messages()) {
      const texts = typed[message.seq] ?? []
      const pieces = originPieces(message).filter(({ origin }) => origin === 'person')
      const words = pieces.map(({ text }) => text).join('\n')
      if (texts.length === 0 && message.role === 'user') {
        tally.others += 1
        if (words !== '') tally.wrong += 1
      }
      tally.typed += texts.length
      tally.missed += texts.filter((text) => !words.includes(text)).length
    }
  }
  await tl.close()
  return [...tallies].flatMap(([client, { others, wrong, typed, missed }]) => {
    const row = rowWriter({ source: `made-up traffic of ${client}`, size: 0, n: others })
    return [
      row(
        'throughline, without flags',
        (100 * wrong) / others,
        '% of inserted messages taken for typed',
      ),
      row('throughline, without flags', (100 * missed) / typed, '% of typed texts missed', typed),
    ]
  })
}

export async function originRows(
  files: readonly TranscriptFile[],
  sizes: readonly number[],
): Promise<readonly BenchRow[]> {
  const tallies = new Map<string, Tally>()
  for (const file of files)
    for (const { messages } of await readConversations(file.items())) {
      const truth = messages.map(typedMessage)
      if (messages.length < fewestMessages || truth.every(({ typed }) => typed.length === 0))
        continue
      for (const [method, shown] of [
        ['throughline', messages],
        ['throughline, without flags', messages.map(withoutFlags)],
      ] as const)
        for (const size of sizes) {
          const name = JSON.stringify([file.source, method, size])
          const tally = tallies.get(name) ?? emptyTally()
          tallies.set(name, tally)
          for (const share of cutShares)
            await addCut(shown, truth, Math.ceil(messages.length * share), size, tally)
        }
    }
  return [...tallies].flatMap(([name, tally]) => rowsOf(JSON.parse(name), tally))
}

/** As a gateway sees it: the message on the wire, without the fields of the transcript. */
function withoutFlags({ meta: _, origin: __, raw: ___, ...message }: MessageInput): MessageInput {
  return message
}

interface Tally {
  cuts: number
  entries: number
  falseEntries: number
  sentences: number
  held: number
  /** The share that each cut holds, for the mean. */
  readonly shares: number[]
  refused: number
  shownAsDone: number
}

function emptyTally(): Tally {
  return {
    ...{ cuts: 0, entries: 0, falseEntries: 0, sentences: 0, held: 0, shares: [] },
    ...{ refused: 0, shownAsDone: 0 },
  }
}

async function addCut(
  messages: readonly MessageInput[],
  truth: readonly TypedMessage[],
  cut: number,
  windowTokens: number,
  tally: Tally,
): Promise<void> {
  const model = `window-${windowTokens}`
  const card = { id: model, contextWindowTokens: windowTokens, tokenizer: 'o200k_base' } as const
  const tl = createThroughline({ models: [card] })
  const chat = tl.conversation('cut')
  await chat.append(messages.slice(0, cut))
  const context = await chat.context({ model })
  await tl.close()
  tally.cuts += 1
  const shown = oneLine(context.messages.flatMap(textsOf).join('\n'))
  const entries = userEntries(context)
  tally.entries += entries.length
  tally.falseEntries += entries.filter((entry) => !isTyped(entry, truth)).length
  const sentences = truth
    .slice(Math.max(0, cut - lastMessages), cut)
    .flatMap(({ typed }) => typed.flatMap(sentencesOf))
  const held = sentences.filter((sentence) => shown.includes(sentence)).length
  tally.sentences += sentences.length
  tally.held += held
  if (sentences.length > 0) tally.shares.push(held / sentences.length)
  const refused = truth.slice(0, cut).flatMap(({ rejected }, seq) => rejected.map(() => seq))
  tally.refused += refused.length
  tally.shownAsDone += refused.filter((seq) => isShownAsDone(context, seq)).length
}

interface UserEntry {
  readonly isQuote: boolean
  readonly seq: number
  readonly text: string
}

/** The entries of the block of requests, and messages that are kept as the user's. */
function userEntries({ messages }: Context): readonly UserEntry[] {
  return messages.flatMap((message): readonly UserEntry[] => {
    const text = textsOf(message).join('\n')
    if (message.seq !== null)
      return message.role === 'user' && keptSlots.has(message.slot)
        ? [{ isQuote: false, seq: message.seq, text }]
        : []
    if (!text.startsWith(requestsLabel)) return []
    const body = text.slice(text.indexOf('\n') + 1, text.lastIndexOf('\n[end '))
    return body
      .split(/^(?=#\d+: )/m)
      .filter((entry) => entry.startsWith('#'))
      .map((entry) => {
        const [head = '', seq = ''] = /^#(\d+): /.exec(entry) ?? []
        return { isQuote: true, seq: Number(seq), text: entry.slice(head.length) }
      })
  })
}

const requestsLabel = '[earlier requests of the user'
const keptSlots: ReadonlySet<string> = new Set(['earlier', 'pins'])

/**
 * Of a quote, notes of ours in brackets and cuts do not count; every other piece must have been typed.
 * A message that is kept as it was sent may have markup around what was typed.
 */
function isTyped({ seq, text, isQuote }: UserEntry, truth: readonly TypedMessage[]): boolean {
  const typed = truth[seq]?.typed.map(oneLine) ?? []
  if (!isQuote) return typed.length > 0
  const pieces = text.split(/\[[^\]\n]*(?:left out|answer|reject|data, not|end )[^\]\n]*\]|…/)
  const words = pieces.map(oneLine).filter((piece) => piece.length > 3)
  return typed.length > 0 && words.every((piece) => typed.some((each) => each.includes(piece)))
}

function isShownAsDone({ messages }: Context, seq: number): boolean {
  const anchor = new RegExp(`#${seq}(?!\\d)`)
  return messages.some((message) => {
    const text = textsOf(message).join('\n')
    if (message.seq !== null || text.startsWith(requestsLabel)) return false
    return text
      .split('\n')
      .filter((line) => !line.startsWith('['))
      .flatMap((line) => line.split(' · '))
      .some(
        (fragment) =>
          anchor.test(fragment) && doneWords.test(fragment) && !refusedWords.test(fragment),
      )
  })
}

const doneWords = /\b(?:ran|used|wrote|written|edited|deleted|created|patched|fetched|read|ok)\b/
const refusedWords = /reject|refus|declin|den(?:y|ied)|doesn't want/

function textsOf({ parts }: Context['messages'][number]): readonly string[] {
  return parts.flatMap((part) => {
    if (part.type === 'text') return [part.text]
    return part.type === 'tool-result' && part.output.kind === 'text' ? [part.output.text] : []
  })
}

/** Sentences of at least three words; the rest are greetings and list marks. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?])\s+|\n+/)
    .map(oneLine)
    .filter((sentence) => sentence.split(' ').length >= 3)
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function rowsOf(
  [source, method, size]: readonly [string, string, number],
  tally: Tally,
): readonly BenchRow[] {
  const row = rowWriter({ source, size, n: tally.cuts })
  const worst = tally.shares.toSorted((one, other) => one - other)
  const mean = worst.reduce((sum, share) => sum + share, 0) / Math.max(1, worst.length)
  return [
    row(method, tally.falseEntries, 'false user entries', tally.entries),
    row(method, tally.held / Math.max(1, tally.sentences), 'typed sentences held', tally.sentences),
    row(method, mean, 'typed sentences held, mean of cuts'),
    row(method, worst[Math.floor(worst.length / 10)] ?? 0, 'typed sentences held, worst tenth'),
    row(method, tally.shownAsDone, 'refused calls shown as done', tally.refused),
  ]
}
