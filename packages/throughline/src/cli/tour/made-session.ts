/**
 * A coding session as Claude Code writes one, made up by a seed: somebody asks for changes in one
 * module after the other, and comes back to those of before; files are read, edited and tested.
 */
const areas = ['billing', 'orders', 'stock', 'mail', 'reports', 'search', 'accounts', 'shipping']
const nouns = ['invoice', 'total', 'ledger', 'label', 'queue', 'batch', 'rate', 'address']
const wishes = [
  'rounds the wrong way',
  'fails for an empty list',
  'is slow with many rows',
  'ignores the time zone',
  'should keep what was typed',
]
const folder = '/home/shop'

/** As JSONL. `firstTexts` are unrelated to the rest. */
export function madeSession(turns: number, firstTexts: readonly string[] = []): string {
  const random = madeRandom()
  const session = new Session()
  for (const text of firstTexts) {
    session.user(text)
    session.reply('Good to know. I will keep to it.')
  }
  for (let turn = 0; turn < turns; turn += 1) addTurn(session, turn, random)
  return session.text
}

function addTurn(session: Session, turn: number, random: Random): void {
  // Every third time one goes back to something of before.
  const topic = turn % 3 === 2 ? random(turn) : turn
  const area = areas[topic % areas.length] ?? ''
  const noun = nouns[(topic >> 1) % nouns.length] ?? ''
  const path = `src/${area}/${noun}-${topic}.ts`
  const name = `${noun}Of${area.charAt(0).toUpperCase()}${area.slice(1)}${topic}`
  const wish = wishes[random(wishes.length)] ?? ''
  session.user(
    `The function ${name} ${wish}. Please look at ${path} and fix it, order ${10_000 + topic * 37} shows it.`,
  )
  session.call('Read', { file_path: `${folder}/${path}` }, code(name, topic, random))
  if (random(2) === 0)
    session.call(
      'Grep',
      { pattern: name, path: 'src' },
      `${path}:3\nsrc/${area}/index.ts:${7 + topic}`,
    )
  session.call(
    'Edit',
    {
      file_path: `${folder}/${path}`,
      old_string: `return sum_${topic}`,
      new_string: `return Math.round(sum_${topic})`,
    },
    'The file has been updated.',
  )
  const failed = random(4) === 0
  session.call(
    'Bash',
    { command: `npm test -- ${path.replace('.ts', '.test.ts')}` },
    failed
      ? `FAIL ${path}\n  expected ${topic * 3}, got ${topic * 3 + 1}`
      : `PASS ${path} (${12 + topic} tests)`,
  )
  session.reply(
    failed
      ? `One test of ${name} still fails; I will look at it when we come back to ${path}.`
      : `${name} in ${path} is fixed, and its tests pass.`,
  )
}

function code(name: string, topic: number, random: Random): string {
  const lines = Array.from(
    { length: 20 + random(60) },
    (_, line) =>
      `  const part_${topic}_${line} = rows[${line}].amount * ${1 + random(9)} // ${nouns[random(nouns.length)]}`,
  )
  return [
    `import { rowsOf } from './rows-${topic}.ts'`,
    '',
    `export function ${name}(rows: Rows): number {`,
    ...lines,
    `  return sum_${topic}`,
    '}',
  ]
    .map((line, index) => `${String(index + 1).padStart(6)}→${line}`)
    .join('\n')
}

class Session {
  readonly #records: string[] = []
  #at = Date.UTC(2026, 2, 2, 9)
  #replies = 0

  get text(): string {
    return `${this.#records.join('\n')}\n`
  }

  user(text: string): void {
    // Every now and then somebody has a coffee.
    this.#at += this.#records.length % 50 === 0 ? 900_000 : 40_000
    this.#add('user', { role: 'user', content: text })
  }

  reply(text: string): void {
    this.#replies += 1
    this.#add('assistant', this.#answer([{ type: 'text', text }]))
  }

  call(name: string, input: object, output: string): void {
    this.#replies += 1
    const id = `toolu_${this.#replies}`
    this.#add('assistant', this.#answer([{ type: 'tool_use', id, name, input }]))
    this.#add('user', {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content: output }],
    })
  }

  #answer(content: readonly object[]): object {
    return { id: `msg_${this.#replies}`, role: 'assistant', model: 'claude-sonnet-5-5', content }
  }

  #add(type: 'user' | 'assistant', message: object): void {
    this.#at += 5_000
    const place = this.#records.length
    this.#records.push(
      JSON.stringify({
        ...{ type, uuid: `m${place}`, parentUuid: place === 0 ? null : `m${place - 1}` },
        ...{ sessionId: 'made-session', cwd: folder, isSidechain: false },
        timestamp: new Date(this.#at).toISOString(),
        message,
      }),
    )
  }
}

/** A whole number from 0 to below the bound. */
type Random = (below: number) => number

/** The same numbers in every run (mulberry32). */
function madeRandom(): Random {
  let state = 3_343_637
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
