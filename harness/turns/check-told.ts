/** What is told in short: digests, the history, the theme; and what models were asked for it. */
import type { HistoryLine, Theme, TurnRecord } from 'throughline/turns'
import { characters, isSame, type Note, type SeenTurn } from './check-record.ts'
import { boast, lies, modelId } from './said-model.ts'

const sentenceCharacters = 300

export function checkTold(seen: SeenTurn, note: Note): void {
  checkDigest(seen, note)
  checkHistory(seen, note)
  checkTheme(seen, note)
  checkWords(seen, note)
  checkAsked(seen, note)
}

function isOpen({ own }: SeenTurn): boolean {
  return own.input.think?.decision === 'propose' || own.input.think?.decision === 'clarify'
}

function isLong({ own, rules }: SeenTurn): boolean {
  return characters(String(own.input.finalResponse)) > rules.responseCharacters
}

function checkDigest(seen: SeenTurn, note: Note): void {
  const { digest, assistant } = seen.record
  if (isOpen(seen)) {
    if (
      digest === null ||
      digest.by !== 'rules' ||
      !/await/.test(digest.text) ||
      digest.text.length > 100
    )
      note('proposal', `is told by ${JSON.stringify(digest)}`)
    return
  }
  if ((digest !== null) !== isLong(seen)) {
    note('digest', `${characters(assistant)} characters have ${JSON.stringify(digest)}`)
    return
  }
  if (digest === null) return
  if (digest.by === 'rules') {
    if (characters(digest.text) > Math.max(characters(assistant), sentenceCharacters))
      note('digest', `longer than the answer: ${digest.text}`)
  } else checkSaid('digest', digest, seen, note)
}

/** A model said it in so many words, in one sentence. */
function checkSaid(
  rule: string,
  { text, by }: { readonly text: string; readonly by: string },
  { told }: SeenTurn,
  note: Note,
): void {
  if (by !== modelId) note(rule, `told by ${by}`)
  if (text === boast) return
  // Of a long message the beginning follows, by rules.
  const said = text.replace(/ \(a long message: [^\n]*\)$/, '')
  if (told?.has(said) !== true) note(rule, `nobody said: ${text}`)
}

function checkHistory(seen: SeenTurn, note: Note): void {
  const { rules, expected, record, before } = seen
  const { history } = record.knows
  const told = Math.max(0, expected.turn - rules.fullTurns)
  let next = 1
  for (const { from, to } of history) {
    if (from !== next || to <= from) note('tiling', rangesOf(history))
    next = to
  }
  if (next !== told + 1) note('tiling', `${rangesOf(history)} for turns to ${told}`)
  const sum = history.reduce((all, { text }) => all + characters(text), 0)
  if (sum > rules.historyCharacters) note('history', `${sum} characters in ${history.length} lines`)
  const empty = history.find(({ text }) => text.trim() === '')
  if (empty !== undefined) note('history', `turns ${empty.from} to ${empty.to} have no words`)
  for (const line of history) if (line.by !== 'rules') checkSaid('history', line, seen, note)
  checkCompressed(seen, told, note)
  // Only the oldest becomes another line; those behind it stay as they were told.
  const earlier = before?.knows.history ?? []
  for (const line of history.slice(1))
    if (line.to <= told && !earlier.some((one) => isSame(one, line)))
      note('history', `changed: ${line.text}`)
}

function checkCompressed(
  { record, own, expected, rules }: SeenTurn,
  told: number,
  note: Note,
): void {
  const { compressed } = record
  if ((compressed?.turn ?? 0) !== told) note('compressed', `${compressed?.turn} and not ${told}`)
  if (compressed === null) return
  if (compressed.text.includes('\n') || characters(compressed.text) > sentenceCharacters * 1.2)
    note('compressed', `no sentence: ${compressed.text}`)
  const input = expected.turns[own.turn - rules.fullTurns - 1]?.input
  const isProposed = input?.think?.decision === 'propose' || input?.think?.decision === 'clarify'
  if (isProposed && compressed.text === boast)
    note('proposal', `turn ${compressed.turn} is told as done`)
}

function rangesOf(history: readonly HistoryLine[]): string {
  return history.map(({ from, to }) => `${from}-${to}`).join(' ')
}

function checkTheme(seen: SeenTurn, note: Note): void {
  const { own, before, record, told } = seen
  const { theme } = record.knows
  const earlier = before?.knows.theme ?? null
  if (isSame(theme, earlier)) {
    if (own.isSignificant && told === null && earlier?.turn !== own.turn)
      note('theme', `a significant turn has left it at ${JSON.stringify(earlier)}`)
    return
  }
  if (!own.isSignificant || theme === null) {
    note('theme', `was ${JSON.stringify(earlier)}, is ${JSON.stringify(theme)}`)
    return
  }
  if (theme.turn !== own.turn) note('theme', `is of turn ${theme.turn}`)
  if (theme.text.includes('\n') || characters(theme.text) > sentenceCharacters)
    note('theme', `no sentence: ${theme.text}`)
  if (theme.by !== 'rules') checkSaid('theme', theme, seen, note)
  else checkGoal(theme, seen, earlier, note)
}

/** By rules the goal is the theme: where there is no model, or no theme yet. */
function checkGoal(theme: Theme, { own, told }: SeenTurn, earlier: Theme | null, note: Note): void {
  const { think, router } = own.input
  const goal = [think?.goal, router?.goal].find((one) => (one ?? '') !== '')
  if (told !== null && earlier !== null) note('theme', `a model has failed: ${theme.text}`)
  if (goal !== undefined && theme.text !== goal) note('theme', `is ${theme.text}, not ${goal}`)
}

/** Nothing that a model made up, and nothing that is secret, stands in what is told. */
function checkWords({ record, secrets }: SeenTurn, note: Note): void {
  const texts = toldTexts(record)
  for (const lie of lies)
    for (const text of texts) if (text.includes(lie)) note('lie', `${lie}: ${text}`)
  for (const secret of secrets)
    for (const text of texts)
      if (text.includes(secret.slice(0, secretCharacters))) note('secret', text)
  for (const text of texts) if (!text.isWellFormed()) note('unicode', JSON.stringify(text))
}

/** A mark, and enough of what is behind it to be of use to somebody. */
const secretCharacters = 24

function toldTexts({ digest, compressed, knows, steps, audit }: TurnRecord): readonly string[] {
  return [
    digest?.text ?? '',
    compressed?.text ?? '',
    knows.theme?.text ?? '',
    ...knows.history.map(({ text }) => text),
    ...steps.flatMap(({ description, outcome }) => [description, outcome]),
    ...audit.errors.flatMap(({ code, message }) => [code, message]),
  ]
}

/** Three kinds of questions, each only when it is due, and none with a secret in it. */
function checkAsked(seen: SeenTurn, note: Note): void {
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
    if (count > (due[kind] ? 1 : 0)) note('asked', `${count} times for ${kind}`)
  }
  if (outcome !== null && outcome.calls !== asked.length)
    note('asked', `${outcome.calls} calls, not ${asked.length}`)
  for (const { text } of asked)
    for (const secret of secrets)
      if (text.includes(secret.slice(0, secretCharacters))) note('secret', 'a model was told one')
}
