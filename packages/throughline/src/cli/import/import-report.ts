/** What an import did, counted while it goes on. */

export interface ImportReport {
  /** The first of them; `conversationCount` is of all. */
  readonly conversations: readonly ImportedConversation[]
  readonly conversationCount: number
  /** Messages that the transcript holds and the engine takes. */
  readonly messages: number
  /** Of these, how many are new, and how many were there already; null where nothing was written. */
  readonly added: number | null
  readonly repeated: number | null
  /** Ways that a conversation did not go on; their messages are not imported. */
  readonly branches: { readonly count: number; readonly messages: number }
  /** Messages that say a time more than a day ahead of our clock. It is kept as it is: order is by place. */
  readonly ahead: number
  /** The first of what could not be read or was not taken; `problemCount` is of all. */
  readonly problems: readonly ImportProblem[]
  readonly problemCount: number
  readonly bytes: number
  readonly durationMs: number
  /** False where it was stopped before the end: the same import goes on from there. */
  readonly complete: boolean
}

interface ImportedConversation {
  readonly id: string
  readonly title: string | null
  /** `known`: it was there. `fork`: it was there otherwise, so what differs has another id. */
  readonly state: 'new' | 'known' | 'fork'
  /** Where a fork begins to differ, and from what. */
  readonly differs: { readonly from: string; readonly at: number } | null
  /** What the transcript calls it, where another conversation is called so and it got another id. */
  readonly nameTaken: string | null
  readonly messages: number
  /** Null where nothing was written, and so nobody knows. */
  readonly added: number | null
}

export interface ImportProblem {
  readonly line: number | null
  readonly reason: string
}

export interface ImportProgress {
  readonly bytes: number
  readonly messages: number
  readonly conversations: number
}

const problemsKept = 20
const conversationsKept = 1_000

/** Clocks differ, and zones are left out; nobody's clock is a day ahead. */
const aheadMs = 24 * 60 * 60 * 1_000

/** What a conversation has come to so far. */
export type ConversationTally = {
  -readonly [Key in keyof ImportedConversation]: ImportedConversation[Key]
}

export class ImportTally {
  /** In the order in which it is reported. */
  readonly #report = {
    conversations: [] as ConversationTally[],
    conversationCount: 0,
    messages: 0,
    added: 0 as number | null,
    repeated: 0 as number | null,
    branches: { count: 0, messages: 0 },
    ahead: 0,
    problems: [] as ImportProblem[],
    problemCount: 0,
    bytes: 0,
  }
  readonly #now: number

  constructor(now: number) {
    this.#now = now
  }

  conversation(tally: ConversationTally): void {
    this.#report.conversationCount += 1
    const { conversations } = this.#report
    if (conversations.length < conversationsKept) conversations.push(tally)
  }

  message(tally: ConversationTally, fate: 'added' | 'repeated' | 'unknown'): void {
    this.#report.messages += 1
    tally.messages += 1
    if (fate === 'unknown') this.#report.added = null
    if (fate !== 'added') return
    this.#report.added = (this.#report.added ?? 0) + 1
    tally.added = (tally.added ?? 0) + 1
  }

  saidAt(time: number | undefined): void {
    if (time !== undefined && time > this.#now + aheadMs) this.#report.ahead += 1
  }

  branch(messages: number): void {
    this.#report.branches.count += 1
    this.#report.branches.messages += messages
  }

  problem({ line, reason }: ImportProblem): void {
    this.#report.problemCount += 1
    const { problems } = this.#report
    if (problems.length < problemsKept) problems.push({ line, reason })
  }

  read(bytes: number): ImportProgress {
    this.#report.bytes += bytes
    const { bytes: all, messages, conversationCount } = this.#report
    return { bytes: all, messages, conversations: conversationCount }
  }

  report(durationMs: number, complete: boolean): ImportReport {
    const { added, messages } = this.#report
    const repeated = added === null ? null : messages - added
    return { ...structuredClone(this.#report), repeated, durationMs, complete }
  }
}
