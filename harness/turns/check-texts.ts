/** Checks digests, history lines and themes, and the requests to the model for them. */
import type { HistoryLine, Theme, TurnRecord } from 'throughline/turns'
import { type AddFinding, characters, isSame, type SeenTurn } from './check-record.ts'
import { boast, lies, modelId } from './unreliable-model.ts'

const sentenceCharacters = 300

export function checkTexts(seen: SeenTurn, addFinding: AddFinding): void {
  checkDigest(seen, addFinding)
  checkHistory(seen, addFinding)
  checkTheme(seen, addFinding)
  checkWords(seen, addFinding)
  checkAsked(seen, addFinding)
}

function isOpen({ own }: SeenTurn): boolean {
  return own.input.think?.decision === 'propose' || own.input.think?.decision === 'clarify'
}

function isLong({ own, rules }: SeenTurn): boolean {
  return characters(String(own.input.finalResponse)) > rules.responseCharacters
}

function checkDigest(seen: SeenTurn, addFinding: AddFinding): void {
  const { digest, assistant } = seen.record
  if (isOpen(seen)) {
    if (
      digest === null ||
      digest.by !== 'rules' ||
      !/await/.test(digest.text) ||
      digest.text.length > 100
    )
      addFinding('proposal', `has the digest ${JSON.stringify(digest)}`)
    return
  }
  if ((digest !== null) !== isLong(seen)) {
    addFinding('digest', `${characters(assistant)} characters have ${JSON.stringify(digest)}`)
    return
  }
  if (digest === null) return
  if (digest.by === 'rules') {
    if (characters(digest.text) > Math.max(characters(assistant), sentenceCharacters))
      addFinding('digest', `longer than the answer: ${digest.text}`)
  } else checkModelText('digest', digest, seen, addFinding)
}

/** A text of a model must be one of its truthful sentences. */
function checkModelText(
  rule: string,
  { text, by }: { readonly text: string; readonly by: string },
  { truthfulTexts }: SeenTurn,
  addFinding: AddFinding,
): void {
  if (by !== modelId) addFinding(rule, `written by ${by}`)
  if (text === boast) return
  // Rules add the start of a long message.
  const sentence = text.replace(/ \(a long message: [^\n]*\)$/, '')
  if (truthfulTexts?.has(sentence) !== true) addFinding(rule, `no truthful answer: ${text}`)
}

function checkHistory(seen: SeenTurn, addFinding: AddFinding): void {
  const { rules, expected, record, before } = seen
  const { history } = record.knows
  const lastOld = Math.max(0, expected.turn - rules.fullTurns)
  let next = 1
  for (const { from, to } of history) {
    if (from !== next || to <= from) addFinding('tiling', rangesOf(history))
    next = to
  }
  if (next !== lastOld + 1) addFinding('tiling', `${rangesOf(history)} for turns to ${lastOld}`)
  const sum = history.reduce((all, { text }) => all + characters(text), 0)
  if (sum > rules.historyCharacters)
    addFinding('history', `${sum} characters in ${history.length} lines`)
  const empty = history.find(({ text }) => text.trim() === '')
  if (empty !== undefined)
    addFinding('history', `turns ${empty.from} to ${empty.to} have an empty line`)
  for (const line of history)
    if (line.by !== 'rules') checkModelText('history', line, seen, addFinding)
  checkCompressed(seen, lastOld, addFinding)
  // A fold changes only the oldest line; later lines stay.
  const earlier = before?.knows.history ?? []
  for (const line of history.slice(1))
    if (line.to <= lastOld && !earlier.some((one) => isSame(one, line)))
      addFinding('history', `changed: ${line.text}`)
}

function checkCompressed(
  { record, own, expected, rules }: SeenTurn,
  lastOld: number,
  addFinding: AddFinding,
): void {
  const { compressed } = record
  if ((compressed?.turn ?? 0) !== lastOld)
    addFinding('compressed', `${compressed?.turn}, not ${lastOld}`)
  if (compressed === null) return
  if (compressed.text.includes('\n') || characters(compressed.text) > sentenceCharacters * 1.2)
    addFinding('compressed', `not a sentence: ${compressed.text}`)
  const input = expected.turns[own.turn - rules.fullTurns - 1]?.input
  const isProposed = input?.think?.decision === 'propose' || input?.think?.decision === 'clarify'
  if (isProposed && compressed.text === boast)
    addFinding('proposal', `turn ${compressed.turn} is reported as done`)
}

function rangesOf(history: readonly HistoryLine[]): string {
  return history.map(({ from, to }) => `${from}-${to}`).join(' ')
}

function checkTheme(seen: SeenTurn, addFinding: AddFinding): void {
  const { own, before, record, truthfulTexts } = seen
  const { theme } = record.knows
  const earlier = before?.knows.theme ?? null
  if (isSame(theme, earlier)) {
    const hasGoal = goalOf(seen) !== undefined
    if (own.isSignificant && hasGoal && truthfulTexts === null && earlier?.turn !== own.turn)
      addFinding('theme', `not updated after a significant turn: ${JSON.stringify(earlier)}`)
    return
  }
  if (!own.isSignificant || theme === null) {
    addFinding('theme', `was ${JSON.stringify(earlier)}, is ${JSON.stringify(theme)}`)
    return
  }
  if (theme.turn !== own.turn) addFinding('theme', `is of turn ${theme.turn}`)
  if (theme.text.includes('\n') || characters(theme.text) > sentenceCharacters)
    addFinding('theme', `not a sentence: ${theme.text}`)
  if (theme.by !== 'rules') checkModelText('theme', theme, seen, addFinding)
  else checkGoal(theme, seen, earlier, addFinding)
}

/** A theme by rules must be the goal, and needs a session without a model or without a theme. */
function checkGoal(
  theme: Theme,
  seen: SeenTurn,
  earlier: Theme | null,
  addFinding: AddFinding,
): void {
  const goal = goalOf(seen)
  if (seen.truthfulTexts !== null && earlier !== null)
    addFinding('theme', `replaced after a failed model: ${theme.text}`)
  if (goal !== undefined && theme.text !== goal)
    addFinding('theme', `is ${theme.text}, not ${goal}`)
}

function goalOf({ own }: SeenTurn): string | undefined {
  const { think, router } = own.input
  return [think?.goal, router?.goal].find((one) => (one ?? '') !== '')
}

/** No stored text may contain a lie of the model or a secret. */
function checkWords({ record, secrets }: SeenTurn, addFinding: AddFinding): void {
  const texts = writtenTexts(record)
  for (const lie of lies)
    for (const text of texts) if (text.includes(lie)) addFinding('lie', `${lie}: ${text}`)
  for (const secret of secrets)
    for (const text of texts)
      if (text.includes(secret.slice(0, secretCharacters))) addFinding('secret', text)
  for (const text of texts) if (!text.isWellFormed()) addFinding('unicode', JSON.stringify(text))
}

/** The prefix of a secret and enough of its characters to be dangerous. */
const secretCharacters = 24

function writtenTexts({ digest, compressed, knows, steps, audit }: TurnRecord): readonly string[] {
  return [
    digest?.text ?? '',
    compressed?.text ?? '',
    knows.theme?.text ?? '',
    ...knows.history.map(({ text }) => text),
    ...steps.flatMap(({ description, outcome }) => [description, outcome]),
    ...audit.errors.flatMap(({ code, message }) => [code, message]),
  ]
}

/** At most three questions, each only when it is due, and none with a secret. */
function checkAsked(seen: SeenTurn, addFinding: AddFinding): void {
  const { asked, own, outcome, record, secrets } = seen
  if (asked === null) return
  const due = {
    response: isLong(seen) && !isOpen(seen),
    turn: record.compressed !== null,
    theme: own.isSignificant,
    other: false,
  }
  for (const kind of ['response', 'turn', 'theme', 'other'] as const) {
    const count = asked.filter((one) => one.kind === kind).length
    if (count > (due[kind] ? 1 : 0)) addFinding('asked', `${count} times for ${kind}`)
  }
  if (outcome !== null && outcome.calls !== asked.length)
    addFinding('asked', `${outcome.calls} calls, not ${asked.length}`)
  for (const { text } of asked)
    for (const secret of secrets)
      if (text.includes(secret.slice(0, secretCharacters)))
        addFinding('secret', 'in a request to the model')
}
