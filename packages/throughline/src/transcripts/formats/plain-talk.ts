/**
 * Reads chats as people paste them: lines name the speaker, except inside code blocks. Before the
 * first label, a heading becomes the title; the conversation keeps the other text, up to a bound.
 */
import type { Role } from '../../index.ts'
import { speakerNames } from '../formats-data.ts'
import { metaOf } from '../json/json-access.ts'
import { maximumBytes } from '../json/open-value.ts'
import type { ReaderInput } from '../json/scan-source.ts'
import { limits } from '../limits-data.ts'
import { timeOf } from '../times.ts'
import { conversationItem, messageItem, problemItem, type TranscriptItem } from '../transcript.ts'

export async function* readPlainTalk(input: ReaderInput): AsyncGenerator<TranscriptItem> {
  const reader = new PlainTalkReader(input.name ?? 'conversation')
  for await (const line of readLines(input.chunks)) yield* reader.readLine(line)
  yield* reader.end()
}

/** Both sides must speak, unless the text is cut and begins with a label. */
export function isPlainTalk(head: string, isWhole: boolean): boolean {
  const labels = new Labels()
  const roles = new Set<SpeakerLabel['role']>()
  let isFirstLine = true
  for (const [index, text] of head.split('\n').entries()) {
    if (text.trim() === '') continue
    const label = labels.read(text, index + 1)
    if (label !== null) roles.add(label.role)
    if (label !== null && isFirstLine && !isWhole) return true
    if (roles.has('user') && roles.has('assistant')) return true
    isFirstLine = false
  }
  return false
}

class Labels {
  readonly fence = new CodeFence()
  #form: SpeakerLabel['form'] | null = null

  read(text: string, line: number): SpeakerLabel | null {
    const label = this.fence.line === null ? speakerLabel(text) : null
    const isSameForm = label !== null && (this.#form === null || label.form === this.#form)
    if (!isSameForm) {
      this.fence.read(text, line)
      return null
    }
    this.#form = label.form
    this.fence.read(text.slice(label.length), line)
    return label
  }
}

interface OpenMessage {
  readonly label: SpeakerLabel
  readonly line: number
  /** Null once it is too long. */
  text: TextPieces | null
}

class PlainTalkReader {
  readonly #id: string
  readonly #labels = new Labels()
  readonly #preamble = new TextPieces()
  #open: OpenMessage | null = null
  #isStarted = false
  #lastLine = 0

  constructor(id: string) {
    this.#id = id
  }

  *readLine({ text, number }: Line): Generator<TranscriptItem> {
    const label = this.#labels.read(text, number)
    // Blank lines are not emitted, but counted.
    const blankLines = Math.min(limits.maxMessageLength, number - this.#lastLine - 1)
    this.#lastLine = number
    if (label === null) {
      this.#add('\n'.repeat(blankLines))
      this.#add(`${text}\n`)
      return
    }
    yield* this.#close()
    this.#open = { label, line: number, text: new TextPieces() }
    this.#add(`${text.slice(label.length)}\n`)
  }

  *end(): Generator<TranscriptItem> {
    yield* this.#close()
    const { line } = this.#labels.fence
    if (line !== null && this.#isStarted)
      yield problemItem(line, 'a block of code begins here and does not end')
    if (!this.#isStarted && this.#preamble.length > 0)
      yield problemItem(1, 'no line says who speaks')
  }

  #add(piece: string): void {
    if (this.#open === null) {
      if (this.#preamble.length < limits.maxPreambleLength)
        this.#preamble.add(piece.slice(0, limits.maxPreambleLength))
    } else if (this.#open.text !== null) {
      this.#open.text.add(piece)
      if (this.#open.text.length > limits.maxMessageLength) this.#open.text = null
    }
  }

  *#close(): Generator<TranscriptItem> {
    if (this.#open === null) return
    const { label, line, text } = this.#open
    this.#open = null
    if (text === null) {
      yield problemItem(line, `the message is longer than ${limits.maxMessageLength} characters`)
      return
    }
    const content = trimMessage(text.text)
    if (content === '') return
    if (!this.#isStarted) yield this.#conversation()
    this.#isStarted = true
    const createdAt = isoTime.test(label.time ?? '') ? timeOf(label.time ?? '') : undefined
    yield messageItem(
      { role: label.role, content, createdAt, key: `line:${line}` },
      { conversationId: this.#id, line },
    )
  }

  #conversation(): TranscriptItem {
    const before = trimMessage(this.#preamble.text)
    const heading = /^#{1,6} +(.+)/.exec(before)
    const rest = before.slice(heading?.[0].length ?? 0, limits.maxPreambleLength).trim()
    return conversationItem(this.#id, {
      title: heading?.[1]?.trim() ?? null,
      meta: metaOf({ preamble: rest || null }),
    })
  }
}

/** Other forms of time parse differently on different machines. */
const isoTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/
const ruleAtEnd = /\n(?:-{3,}|\*{3,}|_{3,})$/

/** Without blank lines around it, and without a rule before the next message. */
function trimMessage(text: string): string {
  const trimmed = text.trim()
  const rule = ruleAtEnd.exec(trimmed.slice(-200))
  return rule === null ? trimmed : trimmed.slice(0, -rule[0].length).trimEnd()
}

const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/u

/** Tracks, line by line, whether Markdown is inside a fenced block. */
class CodeFence {
  /** Where the open block begins; null outside of one. */
  line: number | null = null
  #mark = ''

  read(text: string, line: number): void {
    // Lines have no maximum length.
    const found = fence.exec(text.slice(0, 200))
    if (found === null) return
    const [, mark = '', info = ''] = found
    if (this.line === null) {
      this.line = line
      this.#mark = mark
    } else if (mark.startsWith(this.#mark) && info.trim() === '') this.line = null
  }
}

/**
 * A line that names the next speaker: `User: …`, `**Assistant:** …`, `## You`, `ChatGPT said:`. Settings,
 * logs and quoted chats look alike, so the first label of a text fixes its form, and no other form counts.
 */
interface SpeakerLabel {
  readonly role: Extract<Role, 'user' | 'assistant' | 'system'>
  readonly form: 'heading' | 'bold' | 'verb' | 'capital' | 'small'
  /** In brackets after the name. */
  readonly time: string | null
  /** Characters of the line that belong to the label. */
  readonly length: number
}

const roleOfName = new Map(
  Object.entries(speakerNames).flatMap(([role, known]) =>
    known.map((name) => [name, role as SpeakerLabel['role']] as const),
  ),
)

const name = '(?<name>[A-Za-z]+(?: assistant)?)(?<verb> said| wrote| responded)?'
const time = '(?: ?[([](?<time>[^)\\]\\n]{1,40})[)\\]])?'
const forms = [
  new RegExp(`^#{1,6} +[^\\w\\n]{0,8}${name}${time}:?[*_]{0,2} *$`, 'iu'),
  new RegExp(`^(?<mark>\\*\\*|__)[^\\w\\n]{0,8}${name}${time}(?:\\k<mark>:|:\\k<mark>) ?`, 'iu'),
  new RegExp(`^${name}${time}: ?`, 'iu'),
]

function speakerLabel(line: string): SpeakerLabel | null {
  const beginning = line.slice(0, limits.maxLabelLength)
  for (const [index, form] of forms.entries()) {
    const found = form.exec(beginning)
    const { name: speaker = '', verb, time: at = null } = found?.groups ?? {}
    const role = roleOfName.get(speaker.toLowerCase())
    if (found === null || role === undefined) continue
    return { role, form: labelForm(index, speaker, verb), time: at, length: found[0].length }
  }
  return null
}

function labelForm(index: number, speaker: string, verb: string | undefined): SpeakerLabel['form'] {
  if (index === 0) return 'heading'
  if (index === 1) return 'bold'
  if (verb !== undefined) return 'verb'
  // `user:` is a key in many files, `User:` in few.
  return /^[a-z]/.test(speaker) ? 'small' : 'capital'
}

interface Line {
  readonly text: string
  readonly number: number
}

/** Lines of a text that arrives in pieces, numbered from 1. Blank lines are counted and skipped. */
async function* readLines(chunks: AsyncIterable<string>): AsyncGenerator<Line> {
  let number = 0
  let pieces = new TextPieces()
  for await (const chunk of chunks)
    for (const [index, piece] of chunk.split('\n').entries()) {
      if (index > 0) {
        number += 1
        yield* lineOf(pieces, number)
        pieces = new TextPieces()
      }
      // Cuts what is too long for one string; the line then reads as broken.
      if (pieces.length <= maximumBytes) pieces.add(piece)
    }
  yield* lineOf(pieces, number + 1)
}

function lineOf(pieces: TextPieces, number: number): readonly Line[] {
  const text = pieces.text.replace(/\r$/, '')
  return text.trim() === '' ? [] : [{ text, number }]
}

class TextPieces {
  #length = 0
  #large: string[] = []
  #small: string[] = []

  get length(): number {
    return this.#length
  }

  get text(): string {
    return [...this.#large, ...this.#small].join('')
  }

  add(piece: string): void {
    this.#length += piece.length
    this.#small.push(piece)
    if (this.#small.length < limits.piecesJoined) return
    this.#large.push(this.#small.join(''))
    this.#small = []
  }
}
