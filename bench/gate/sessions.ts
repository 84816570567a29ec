/**
 * Generates sessions with true summaries from a seed: programming, travel plans, customer support. A
 * summary restates the session in sentences and writes its values as people do: numbers with
 * separators, short hashes, paths with a line number or from another folder, all in Markdown.
 */

import { type Random, seededRandom } from '../../harness/kernel/chance.ts'
import type { GateSource } from '../../packages/throughline/src/flow/gate/source-index.ts'

export interface MadeSession {
  readonly sources: readonly GateSource[]
  readonly pins: readonly string[]
  /** A true summary, in sentences. */
  readonly summary: string
}

interface Topic {
  readonly pin: string
  /** The messages, and the sentence of the summary about them. */
  readonly facts: readonly ((values: Values) => Fact)[]
}

interface Fact {
  readonly user: string
  readonly tool: string
  readonly assistant: string
  readonly summarized: string
}

interface Values {
  readonly path: string
  readonly folder: string
  readonly hash: string
  readonly uuid: string
  readonly number: number
  readonly version: string
  readonly key: string
  readonly name: string
  readonly word: string
}

export function madeSession(seed: number): MadeSession {
  const random = seededRandom(`gate session ${seed}`)
  const topic = topics[seed % topics.length] ?? topics[0]
  if (topic === undefined) return { sources: [], pins: [], summary: '' }
  const facts = Array.from({ length: 5 + random(8) }, () => {
    const make = topic.facts[random(topic.facts.length)] ?? topic.facts[0]
    return make?.(valuesOf(random)) ?? nothing
  })
  const system: GateSource = {
    kind: 'system',
    role: null,
    text: 'You are a careful assistant. Answer briefly.',
  }
  const pin: GateSource = { kind: 'pin', role: null, text: topic.pin }
  return {
    sources: [system, pin, ...facts.flatMap(messagesOf)],
    pins: [topic.pin],
    summary: facts
      .map(({ summarized }, at) =>
        seed % 2 === 0 ? `- ${summarized}` : `${summarized}${at % 3 === 2 ? '\n\n' : ' '}`,
      )
      .join(seed % 2 === 0 ? '\n' : '')
      .trim(),
  }
}

const nothing: Fact = { user: '', tool: '', assistant: '', summarized: '' }

function messagesOf({ user, tool, assistant }: Fact): readonly GateSource[] {
  return [
    { kind: 'message', role: 'user', text: user },
    { kind: 'message', role: 'tool', text: `${tool}\n${filler}` },
    { kind: 'message', role: 'assistant', text: assistant },
  ]
}

const filler =
  'The output goes on with lines that nobody needs again, as outputs of tools mostly do. '.repeat(4)

function valuesOf(random: Random): Values {
  const word = pick(words, random)
  return {
    word,
    folder: `${pick(folders, random)}/${pick(words, random)}`,
    path: `${pick(folders, random)}/${pick(words, random)}/${word}-${pick(words, random)}.${pick(['ts', 'py', 'go', 'md'], random)}`,
    hash: digits(40, '0123456789abcdef', random),
    uuid: [8, 4, 4, 4, 12].map((length) => digits(length, '0123456789abcdef', random)).join('-'),
    number: 10_000 + random(90_000_000),
    version: `${random(20)}.${random(40)}.${random(90)}`,
    key: `${pick(['TRIP', 'SHOP', 'CORE', 'DATA'], random)}-${1_000 + random(9_000)}`,
    name: pick(names, random),
  }
}

function digits(length: number, of: string, random: Random): string {
  // A digit first and a letter second, as in nearly all long hashes.
  return Array.from({ length }, (_, at) =>
    at === 0 ? random(10) : at === 1 ? 'abcdef'[random(6)] : of[random(of.length)],
  ).join('')
}

function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[random(items.length)] as Item
}

const folders = ['src', 'lib', 'app', 'packages', 'server']
const words =
  'ledger invoice harbour lantern session router cursor bridge signal garden orchard window compass anchor'.split(
    ' ',
  )
const names = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald']

const grouped = (value: number) => value.toLocaleString('en-US')
const spaced = (value: number) => value.toLocaleString('en-US').replaceAll(',', '\u202f')

const topics: readonly Topic[] = [
  {
    pin: 'Never change the tables of the billing database.',
    facts: [
      ({ path, word }) => ({
        user: `The ${word} tests fail since yesterday, please look why.`,
        tool: `FAIL ${path}:42:7\n  expected the ${word} to be closed`,
        assistant: `The failure comes from ${path}: the ${word} was never closed. I closed it and the tests pass.`,
        summarized: `The ${word} tests failed in \`${path}:42\` because the ${word} was never closed; they pass now.`,
      }),
      ({ hash, word }) => ({
        user: `Commit the change of the ${word} when the build is green.`,
        tool: `[main ${hash}] close the ${word}\n 2 files changed`,
        assistant: `The build is green and the change of the ${word} is committed.`,
        summarized: `After a green build the change of the ${word} was committed as **${hash.slice(0, 8)}**.`,
      }),
      ({ path, folder, version }) => ({
        user: `Which version of the parser does ${folder} use?`,
        tool: `{"file":"/home/dev/project/${path}","parser":"${version}"}`,
        assistant: `It uses parser ${version}, pinned in ${path}.`,
        summarized: `The parser in use is ${version} (pinned in /home/dev/project/${path}).`,
      }),
      ({ number, uuid }) => ({
        user: 'How long did the migration of the rows take, and which job was it?',
        tool: `job ${uuid} migrated ${number} rows`,
        assistant: 'The migration is through, all rows are moved.',
        summarized: `Job ${uuid} migrated ${grouped(number)} rows.`,
      }),
    ],
  },
  {
    pin: 'The budget of the journey is 2400 euros.',
    facts: [
      ({ name, key }) => ({
        user: `${name} wants to come along to Lisbon and needs a seat at the window.`,
        tool: `booking ${key} confirmed, seat 14A`,
        assistant: `I booked a window seat for ${name}; the booking is ${key}.`,
        summarized: `${name} comes along to Lisbon with a window seat, booking ${key}.`,
      }),
      ({ name, number }) => ({
        user: `Please send the hotel the number of the voucher that ${name} got.`,
        tool: `voucher: ${number}`,
        assistant: `The hotel has the voucher of ${name} now and confirmed the rooms.`,
        summarized: `The hotel confirmed the rooms with the voucher ${number} of ${name}.`,
      }),
      ({ word, uuid }) => ({
        user: `We would rather stay near the ${word} than at the airport, breakfast included.`,
        tool: `https://stay.example/rooms/${uuid}?breakfast=yes`,
        assistant: `There is a room near the ${word} with breakfast.`,
        summarized: `A room near the ${word} with breakfast is at https://stay.example/rooms/${uuid}.`,
      }),
    ],
  },
  {
    pin: 'Refunds above 150 dollars need the approval of a manager.',
    facts: [
      ({ name, number }) => ({
        user: `My order ${number} arrived with a broken lamp, I would like a new one. I am ${name}.`,
        tool: `order ${number}: lamp, delivered, customer ${name}`,
        assistant: 'I am sorry about the lamp. A replacement leaves our store tomorrow.',
        summarized: `${name} reported a broken lamp in order ${number}; a replacement leaves tomorrow.`,
      }),
      ({ number, key }) => ({
        user: 'And what about the refund of the delivery?',
        tool: `refund ${key} amount_cents=${number} state=pending`,
        assistant: 'The refund is pending and will be paid within three days.',
        summarized: `The refund ${key} over ${spaced(number)} cents is pending and will be paid within three days.`,
      }),
      ({ name, hash }) => ({
        user: `The parcel for ${name} has not arrived yet, where is it?`,
        tool: `tracking=${hash.slice(0, 16)} status=customs`,
        assistant: 'The parcel is at customs since Monday.',
        summarized: `The parcel for ${name} (tracking ${hash.slice(0, 16)}) is at customs since Monday.`,
      }),
    ],
  },
]
