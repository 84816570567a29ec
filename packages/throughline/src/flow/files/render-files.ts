/**
 * The pieces of files that further edits need most, within so many characters, word for word as
 * they are now: an edit has to name the text that it replaces exactly.
 */
import { defaults } from '../../defaults.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import { withinTokens } from '../measure/fit-to-tokens.ts'
import type { Meter } from '../measure/measure.ts'
import type { LogReader } from '../read/readers.ts'
import { redactedOnce } from '../redact/redacted-message.ts'
import { chooseWindows } from './choose-windows.ts'
import { fileTextsOf, type TextPiece } from './file-text.ts'
import { lineWorths } from './line-worth.ts'
import { workSignalsOf } from './work-signals.ts'

interface ChosenPieces {
  /** Empty where there is nothing, or no room. */
  readonly text: string
  readonly windows: number
}

interface ChoosingPieces {
  /** The folder that most files lie in, which is named once, beside. */
  readonly root: string
  /** Whether a message is shown as it is: its lines are not shown twice. */
  readonly isShown: (seq: Seq) => boolean
}

/** ViewOutcome again, with other messages shown or with fewer characters, nothing is weighed anew. */
type ChoosePieces = (options: ChoosingPieces) => (characters: number) => ChosenPieces

/** The messages are without secrets, oldest first, up to the end of the log. */
export function piecesChooser(
  messages: readonly Pick<Message, 'seq' | 'role' | 'parts'>[],
  /** The place that the next message will take. */
  head: Seq,
  /** Of files, at most. */
  heldCharacters: number = Number.POSITIVE_INFINITY,
): ChoosePieces {
  const files = fileTextsOf(messages, heldCharacters)
  const signals = workSignalsOf(
    messages,
    files.map(({ path }) => path),
  )
  const worths = lineWorths(files, signals, head)
  const pieces = files.flatMap(({ path, pieces: of }, at) =>
    of.map((piece, index) => ({
      path,
      piece,
      worths: worths[at]?.[index] ?? new Float64Array(),
      sizes: Int32Array.from(piece.lines, ({ text }) => text.length + 1),
    })),
  )
  return ({ root, isShown }) => {
    const left = pieces.map((of) => {
      const path = nameOf(of.path, root)
      const worths = of.worths.map((worth, line) =>
        isShown(of.piece.lines[line]?.seq ?? head) ? 0 : worth,
      )
      return { ...of, path, worths, headCharacters: path.length + placeCharacters }
    })
    return (characters) => {
      const texts = chooseWindows(left, characters).flatMap(({ piece: at, from, to }) => {
        const of = left[at]
        return of === undefined ? [] : [windowText(of.path, of.piece, { from, to })]
      })
      return { text: texts.join('\n'), windows: texts.length }
    }
  }
}

// The most that the numbers of lines and the anchors after a path take, and the end of the line.
const placeCharacters = 60

function nameOf(path: string, root: string): string {
  return root !== '' && path.startsWith(root) ? path.slice(root.length) : path
}

function windowText(
  path: string,
  { firstLine, lines }: TextPiece,
  { from, to }: { readonly from: number; readonly to: number },
): string {
  const shown = lines.slice(from, to)
  const numbers = firstLine === null ? '' : ` lines ${firstLine + from}–${firstLine + to - 1}`
  return [`${path}${numbers} ${anchorsOf(shown)}`, ...shown.map(({ text }) => text)].join('\n')
}

const mostAnchors = 2

/** The anchors of the lines, the newest first. */
function anchorsOf(lines: readonly { readonly seq: Seq }[]): string {
  const seqs = [...new Set(lines.map(({ seq }) => seq))].sort((left, right) => right - left)
  return seqs
    .slice(0, mostAnchors)
    .map((seq) => `#${seq}`)
    .join(' ')
}

/** Renders lines of files in progress, from the newest messages of the log. */
interface TellingFiles {
  readonly mostTokens: number
  readonly root: string
  /** Whether a message is shown as it is: its lines are not shown twice. */
  readonly isShown: (seq: Seq) => boolean
}

export type RenderFiles = (options: TellingFiles) => Promise<string>

const charactersPerToken = 3
// Of so many times what there is room for, the best is chosen.
const heldTimes = 60

/** The messages are read and weighed once, however often the files are rendered. */
export function filesRenderer(
  log: Pick<LogReader, 'head' | 'readBack'>,
  meter: Pick<Meter, 'text'>,
): RenderFiles {
  let chooser: Promise<ChoosePieces> | null = null
  const begun = async (mostTokens: number) => {
    const messages = await log.readBack(log.head, defaults.filesMessages.value)
    return piecesChooser(
      messages.map((message) => redactedOnce(message).message),
      log.head,
      mostTokens * charactersPerToken * heldTimes,
    )
  }
  return async ({ mostTokens, root, isShown }) => {
    if (mostTokens < defaults.summaryLeastTokens.value) return ''
    chooser ??= begun(mostTokens)
    const choose = (await chooser)({ root, isShown })
    const chosen = await withinTokens(mostTokens, charactersPerToken, meter, choose)
    // Output of tools may hold halves of characters, and no provider takes those.
    return chosen?.text.toWellFormed() ?? ''
  }
}
