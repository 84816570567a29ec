import type { Seq } from './ids.ts'
import { anchorOf, type Span } from './span.ts'
import { byRules, type HistoryLine, type TurnKnowledge, type TurnRecord } from './turn-memory.ts'

/** `dropped`: a purge also removes keys, because a key may contain words of the message. */
export type KeptKeys = 'kept' | 'dropped'

/**
 * Removes from turn records the words of turns whose messages have changed, and what depends on
 * them in later records. Turns stay numbered, and each keeps a line. Every store passes it the
 * records of a conversation from the first turn on, in its transaction, and writes back what it
 * returns.
 */
export class ForgetTurns {
  readonly #places: readonly Seq[]
  readonly #keys: KeptKeys
  /** Turns with a message at one of the places, ascending. */
  readonly #touched: number[] = []
  /** Touched turns, and turns that were forgotten before, ascending. */
  readonly #wordless: number[] = []
  /** The messages of each wordless turn. */
  readonly #messages: Span[] = []
  /** Turns with words and a sentence about them, ascending, and their sentences. */
  readonly #summarized: number[] = []
  readonly #sentences: string[] = []

  constructor(places: readonly Seq[], keys: KeptKeys) {
    this.#places = places
    this.#keys = keys
  }

  /** Takes records in order; null where a record stays as it is. */
  take(record: TurnRecord): TurnRecord | null {
    const { turn, messages } = record
    const isTouched = hasAnyBetween(this.#places, messages.from, messages.to)
    if (isTouched) this.#touched.push(turn)
    if (isTouched || record.forgotten) {
      this.#wordless.push(turn)
      this.#messages.push(messages)
    }
    this.#learn(record)
    if (this.#touched.length === 0) return null
    const knows = this.#withoutTouchedTurns(record.knows)
    const compressed = this.#isWordless(record.compressed?.turn) ? null : record.compressed
    if (isTouched)
      return {
        ...wordless(record),
        ...(this.#keys === 'dropped' && { key: null }),
        compressed,
        knows,
      }
    const isSame = knows === record.knows && compressed === record.compressed
    return isSame ? null : { ...record, compressed, knows }
  }

  /** A line covers turns before its record only, so their sentences are known. */
  #learn({ compressed, knows }: TurnRecord): void {
    for (const { from, to, text } of knows.history)
      if (to - from === 1) this.#keepSentence(from, text)
    if (compressed !== null) this.#keepSentence(compressed.turn, compressed.text)
  }

  /** Records repeat sentences, in the order of turns: only new ones are kept. */
  #keepSentence(turn: number, sentence: string): void {
    if (turn <= (this.#summarized.at(-1) ?? 0) || this.#isWordless(turn)) return
    this.#summarized.push(turn)
    this.#sentences.push(sentence)
  }

  #isWordless(turn: number | undefined): boolean {
    return turn !== undefined && hasAnyBetween(this.#wordless, turn, turn + 1)
  }

  #withoutTouchedTurns(knows: TurnKnowledge): TurnKnowledge {
    const { theme, pending, history, entities } = knows
    const [first = Number.POSITIVE_INFINITY] = this.#touched
    const kept: TurnKnowledge = {
      // A theme also depends on all turns before it.
      theme: theme !== null && theme.turn >= first ? null : theme,
      history: history.map((line) => this.#line(line)),
      pending: pending !== null && this.#isTouched(pending.turn, pending.turn) ? null : pending,
      entities: entities.filter(
        ({ turnCreated, turnUpdated }) => !this.#isTouched(turnCreated, turnUpdated),
      ),
    }
    const isSame =
      kept.theme === theme &&
      kept.pending === pending &&
      kept.entities.length === entities.length &&
      kept.history.every((line, index) => line === history[index])
    return isSame ? knows : kept
  }

  #isTouched(from: number, last: number): boolean {
    return hasAnyBetween(this.#touched, from, last + 1)
  }

  #line(line: HistoryLine): HistoryLine {
    const { from, to } = line
    return hasAnyBetween(this.#touched, from, to)
      ? { from, to, text: this.#rewriteLine(line), by: byRules }
      : line
  }

  /** Joins the newest sentences, up to the length of the old line, so that lines stay bounded. */
  #rewriteLine({ from, to, text }: HistoryLine): string {
    const note = this.#changedNote(from, to)
    const sentences: string[] = []
    let freeCharacters = text.length - note.length
    const last = firstIndexFrom(this.#summarized, to) - 1
    for (let index = last; (this.#summarized[index] ?? 0) >= from; index -= 1) {
      const sentence = this.#sentences[index] ?? ''
      freeCharacters -= sentence.length + 1
      if (freeCharacters < 0 && sentences.length > 0) break
      sentences.unshift(sentence)
    }
    return [...sentences, note].join(' ')
  }

  #changedNote(from: number, to: number): string {
    const first = firstIndexFrom(this.#wordless, from)
    const messages = this.#messages.slice(first, firstIndexFrom(this.#wordless, to))
    const within = { from: messages[0]?.from ?? 0, to: messages.at(-1)?.to ?? 0 }
    return messages.length === 1
      ? changedTurn(this.#wordless[first] ?? from, within)
      : changedTurns({ from, to }, messages.length, within)
  }
}

/** Its place, its figures and its decision stay. */
function wordless(record: TurnRecord): TurnRecord {
  return {
    ...record,
    user: '',
    assistant: '',
    digest: null,
    routing: null,
    entitiesMentioned: [],
    steps: [],
    // Ids and errors may be a person's words.
    audit: { ...record.audit, created: [], updated: [], deleted: [], errors: [] },
    forgotten: true,
  }
}

/** `from` is included, `to` is not. */
function hasAnyBetween(numbers: readonly number[], from: number, to: number): boolean {
  const found = numbers[firstIndexFrom(numbers, from)]
  return found !== undefined && found < to
}

/** The index of the first number that is not below a limit, in an ascending list. */
function firstIndexFrom(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? limit) < limit) low = middle + 1
    else high = middle
  }
  return low
}

/** The text for a turn whose messages have changed: the anchor lets a reader open them. */
export function changedTurn(turn: number, messages: Span): string {
  return `Turn ${turn} was changed (${anchorOf(messages)}).`
}

/** `within` is where the messages of the changed ones are, perhaps with those of others. */
function changedTurns(
  { from, to }: { readonly from: number; readonly to: number },
  changed: number,
  within: Span,
): string {
  return changed === to - from
    ? `Turns ${from} to ${to - 1} were changed (${anchorOf(within)}).`
    : `${changed} of these turns were changed (within ${anchorOf(within)}).`
}
