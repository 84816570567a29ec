/** Reads lines from a terminal. Text typed between two reads is echoed at the next; a paste is one entry. */
import { createInterface, type Interface } from 'node:readline'
import { Writable } from 'node:stream'

export interface LineEditor {
  read(prompt: string): Promise<Entered>
  /** Ctrl-C between two reads; returns the function that removes the listener. */
  onInterrupt(listener: () => void): () => void
  close(): void
}

export type Entered =
  | { readonly kind: 'line'; readonly text: string }
  /** Ctrl-C. `dropped`: typed text was discarded. */
  | { readonly kind: 'interrupted'; readonly dropped: boolean }
  /** Ctrl-D, or the terminal is gone. */
  | { readonly kind: 'ended' }

export interface LineEditorOptions {
  /** Newest first. */
  readonly history: readonly string[]
  readonly complete: (beginning: string) => readonly string[]
}

export function lineEditor({ history, complete }: LineEditorOptions): LineEditor {
  const { stdin, stdout } = process
  const screen = quietable(stdout)
  const lines = createInterface({
    input: stdin,
    output: screen.stream,
    terminal: true,
    history: [...history],
    historySize: 500,
    removeHistoryDuplicates: true,
    completer: (line: string) => [[...complete(line)], line],
  })
  const listeners = new Set<() => void>()
  const early: Entered[] = []
  let waiting: ((entered: Entered) => void) | null = null
  let ended = false
  const deliver = (entered: Entered) => {
    const to = waiting
    waiting = null
    screen.isQuiet = true
    if (to === null) early.push(entered)
    else to(entered)
  }
  const pasted = collectPaste(lines, (text) => deliver({ kind: 'line', text }))
  lines.on('SIGINT', () => {
    if (waiting === null) {
      for (const listener of listeners) listener()
      return
    }
    const dropped = pasted.drop() || lines.line !== ''
    // To the end of the line, then clear all before it.
    for (const name of ['e', 'u']) lines.write(null, { ctrl: true, name })
    stdout.write('\n')
    deliver({ kind: 'interrupted', dropped })
  })
  lines.on('close', () => {
    ended = true
    if (waiting !== null) deliver({ kind: 'ended' })
  })
  stdout.write(pasteMarks.on)
  return {
    read: (prompt) => {
      const first = early.shift()
      if (first !== undefined) {
        // Text that was typed early is echoed now.
        if (first.kind === 'line') stdout.write(`${prompt}${first.text}\n`)
        return Promise.resolve(first)
      }
      if (ended) return Promise.resolve({ kind: 'ended' })
      return new Promise((resolve) => {
        waiting = resolve
        screen.isQuiet = false
        lines.setPrompt(prompt)
        lines.prompt(true)
      })
    },
    onInterrupt: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => {
      stdout.write(pasteMarks.off)
      lines.close()
    },
  }
}

/** Bracketed paste; terminals that do not know it ignore it. */
const pasteMarks = { on: '\u001b[?2004h', off: '\u001b[?2004l' }

/** Emits entered lines, those of one paste together. */
function collectPaste(lines: Interface, entered: (text: string) => void) {
  const before: string[] = []
  let isPasting = false
  process.stdin.on('keypress', (_, key: { readonly name?: string } | undefined) => {
    if (key?.name === 'paste-start') isPasting = true
    if (key?.name === 'paste-end') isPasting = false
  })
  lines.on('line', (line) => {
    before.push(line)
    if (!isPasting) entered(before.splice(0).join('\n'))
  })
  return { drop: (): boolean => before.splice(0).length > 0 }
}

function quietable(terminal: NodeJS.WriteStream) {
  const stream = new Writable({
    write: (chunk, _, done) => {
      if (!screen.isQuiet) terminal.write(chunk)
      // At once: later the terminal may be quiet.
      done()
    },
  })
  // The width may change.
  Object.defineProperty(stream, 'columns', { get: () => terminal.columns || 80 })
  terminal.on('resize', () => stream.emit('resize'))
  const screen = { stream, isQuiet: true }
  return screen
}
