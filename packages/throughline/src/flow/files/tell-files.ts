/** Lines of files that work goes on with, from the newest messages of the log. */
import { defaults } from '../../defaults.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Meter } from '../measure/measure.ts'
import { withinTokens } from '../measure/within-tokens.ts'
import type { LogReader } from '../read/log-reader.ts'
import { redactedOnce } from '../redact/redacted-message.ts'
import { type ChoosePieces, piecesChooser } from './choose-pieces.ts'

interface TellingFiles {
  readonly mostTokens: number
  readonly root: string
  /** Whether a message is shown as it is: what it tells is not told twice. */
  readonly isShown: (seq: Seq) => boolean
}

export type TellFiles = (options: TellingFiles) => Promise<string>

const charactersPerToken = 3
// Of so many times what there is room for, the best is chosen.
const heldTimes = 60

/** The messages are read and weighed once, however often it is told. */
export function filesTeller(
  log: Pick<LogReader, 'head' | 'readBack'>,
  meter: Pick<Meter, 'text'>,
): TellFiles {
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
    const told = await withinTokens(mostTokens, charactersPerToken, meter, choose)
    // Output of tools may hold halves of characters, and no provider takes those.
    return told?.text.toWellFormed() ?? ''
  }
}
