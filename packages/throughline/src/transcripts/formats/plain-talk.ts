/**
 * Talk as people paste and keep it: text in which lines say who speaks (`speaker-label.ts`). What
 * stands in blocks of code is never such a line. What stands before the first belongs to no
 * message: a heading is the title, the rest is kept with the conversation, up to a bound.
 */

import { metaOf } from '../json/json-access.ts'
import type { ReaderInput } from '../json/scan-source.ts'
import { type Line, readLines } from '../lines.ts'
import { TextPieces } from '../text-pieces.ts'
import { timeOf } from '../times.ts'
import type { TranscriptItem } from '../transcript.ts'
import { CodeFence } from './code-fence.ts'
import { type SpeakerLabel, speakerLabel } from './speaker-label.ts'

/** Characters of one message: what the engine takes. */
const longestMessage = 67_108_864

/** Characters that are kept of what stands before the first label. */
const longestPreamble = 4_096

export async function* readPlainTalk(input: ReaderInput): AsyncGenerator<TranscriptItem> {
  const talk = new Talk(input.name ?? 'conversation')
  for await (const line of readLines(input.chunks)) yield* talk.line(line)
  yield* talk.end()
}

/**
 * Whether a text that begins like this is such talk. Both sides must have spoken, unless there
 * is more of it than we see and it begins with a label.
 */
export function isPlainTalk(head: string, isWhole: boolean): boolean {
  const labels = new Labels()
  const roles = new Set<SpeakerLabel['role']>()
  let first = true
  for (const [index, text] of head.split('\n').entries()) {
    if (text.trim() === '') continue
    const label = labels.read(text, index + 1)
    if (label !== null) roles.add(label.role)
    if (label !== null && first && !isWhole) return true
    if (roles.has('user') && roles.has('assistant')) return true
    first = false
  }
  return false
}

/** Finds the labels of a text: those of its form, outside of code. */
class Labels {
  readonly fence = new CodeFence()
  #form: SpeakerLabel['form'] | null = null

  read(text: string, line: number): SpeakerLabel | null {
    const label = this.fence.line === null ? speakerLabel(text) : null
    const counts = label !== null && (this.#form === null || label.form === this.#form)
    if (!counts) {
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
  /** Null once it has become too long. */
  text: TextPieces | null
}

class Talk {
  readonly #id: string
  readonly #labels = new Labels()
  readonly #preamble = new TextPieces()
  #open: OpenMessage | null = null
  #begun = false
  #lastLine = 0

  constructor(id: string) {
    this.#id = id
  }

  *line({ text, number }: Line): Generator<TranscriptItem> {
    const label = this.#labels.read(text, number)
    // Lines without anything in them are not handed out, but they are counted.
    const blank = Math.min(longestMessage, number - this.#lastLine - 1)
    this.#lastLine = number
    if (label === null) {
      this.#add('\n'.repeat(blank))
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
    if (line !== null && this.#begun)
      yield { kind: 'problem', line, reason: 'a block of code begins here and does not end' }
    if (!this.#begun && this.#preamble.length > 0)
      yield { kind: 'problem', line: 1, reason: 'no line says who speaks' }
  }

  #add(piece: string): void {
    if (this.#open === null) {
      if (this.#preamble.length < longestPreamble)
        this.#preamble.add(piece.slice(0, longestPreamble))
    } else if (this.#open.text !== null) {
      this.#open.text.add(piece)
      if (this.#open.text.length > longestMessage) this.#open.text = null
    }
  }

  *#close(): Generator<TranscriptItem> {
    if (this.#open === null) return
    const { label, line, text } = this.#open
    this.#open = null
    if (text === null) {
      const reason = `the message is longer than ${longestMessage} characters`
      yield { kind: 'problem', line, reason }
      return
    }
    const content = spoken(text.text)
    if (content === '') return
    if (!this.#begun) yield this.#conversation()
    this.#begun = true
    const createdAt = isoTime.test(label.time ?? '') ? timeOf(label.time ?? '') : undefined
    yield {
      kind: 'message',
      conversationId: this.#id,
      message: { role: label.role, content, createdAt, key: `line:${line}` },
      usage: null,
      model: null,
      line,
    }
  }

  #conversation(): TranscriptItem {
    const before = spoken(this.#preamble.text)
    const heading = /^#{1,6} +(.+)/.exec(before)
    const rest = before.slice(heading?.[0].length ?? 0, longestPreamble).trim()
    return {
      kind: 'conversation',
      id: this.#id,
      title: heading?.[1]?.trim() ?? null,
      parent: null,
      meta: metaOf({ preamble: rest === '' ? null : rest }) ?? null,
    }
  }
}

/** Other ways to write a time are read differently on different machines. */
const isoTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/

const ruleAtEnd = /\n(?:-{3,}|\*{3,}|_{3,})$/

/** Without the empty lines around it, and without a rule that parts it from the next. */
function spoken(text: string): string {
  const trimmed = text.trim()
  const rule = ruleAtEnd.exec(trimmed.slice(-200))
  return rule === null ? trimmed : trimmed.slice(0, -rule[0].length).trimEnd()
}
